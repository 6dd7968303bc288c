import type { WorstCase } from "../../contract/budget.ts";
import { noCost } from "../../contract/budget.ts";
import { sumWorstCases } from "../../engine/budget.ts";
import { truncated } from "../../engine/read-reply.ts";
import { computeCost } from "../../players/calls/prices.ts";
import type { CastOptions } from "../../players/cast/cast-options.ts";
import { playerNameOf } from "../../players/cast/cast-plan.ts";
import { parseCast } from "../../players/cast/parse-cast.ts";
import { type Place, resolvePlace } from "../../players/cast/resolve-seat.ts";
import { estimateWorstCase, planCall } from "../../players/model/plan-call.ts";
import { makeManifest, type RunRequest } from "../start/start-run.ts";
import { type ExpertTurn, playExpertTurns } from "./expert-turns.ts";

/** What calls come to: at least, most likely, and at most. */
export type Estimate = { expected: WorstCase; likely: WorstCase; most: WorstCase };

/** The calls of one role, and who makes them. */
export type RoleEstimate = Estimate & { role: string; player: string };

/** No calls at all. */
export const noEstimate: Estimate = { expected: noCost, likely: noCost, most: noCost };

/**
 * What a run would cost. At least: the turns that the experts take, replies twice as long as theirs. Likely: the same turns
 * with replies of a model's length, tokens as models count them, and a repair now and then. At most: as many rounds as
 * the config allows, a repair of every turn, every reply at its output limit.
 */
export async function estimateRun(
  request: RunRequest,
  options: CastOptions,
  signal?: AbortSignal,
): Promise<RoleEstimate[]> {
  const { config } = makeManifest(request);
  const roles = request.pack.roles(config);
  const plan = parseCast(
    request.cast,
    roles.map(({ name }) => name),
    options,
  );
  const turns = await playExpertTurns(request, signal);
  const held = new Set(turns.map(({ key }) => key.round).filter((round) => round > 0)).size;
  const missing = Math.max(0, countMostRounds(config) - held);
  return Object.entries(plan.roles).flatMap(([role, player]) => {
    if (player.kind !== "model") return [];
    const place = resolvePlace(player, options);
    const own = turns.filter((turn) => turn.role.name === role);
    const each = own.map((turn) => estimateTurn(turn, place));
    const most = sumWorstCases([...each.map((one) => one.most), ...listMissingRounds(own, each, missing)]);
    const expected = sumWorstCases(each.map((one) => one.expected));
    const likely = sumWorstCases(each.map((one) => one.likely));
    return most.calls === 0 ? [] : [{ role, player: playerNameOf(player), expected, likely, most }];
  });
}

/** The most rounds that a config allows. */
function countMostRounds(config: unknown): number {
  const { max_rounds } = config as { max_rounds?: unknown };
  return typeof max_rounds === "number" ? max_rounds : 0;
}

/** What a role would cost in rounds that the experts did not need, when it speaks in every round: each as much as the dearest one. */
function listMissingRounds(turns: ExpertTurn[], each: Estimate[], missing: number): WorstCase[] {
  if (!turns.some(({ key }) => key.round === 1)) return [];
  const held = Map.groupBy(
    turns.map((turn, at) => ({ round: turn.key.round, most: each[at]?.most ?? noCost })),
    ({ round }) => round,
  );
  const costs = [...held.values()].map((inside) => sumWorstCases(inside.map(({ most }) => most)));
  const dearest = costs.toSorted((a, b) => b.tokens - a.tokens)[0] ?? noCost;
  return Array.from({ length: missing }, () => dearest);
}

function estimateTurn(turn: ExpertTurn, place: Place): Estimate {
  const first = planCall(place, turn.role, { ...turn, repair: null });
  const cut = { code: truncated, message: "", severity: "reject" as const };
  const repair = { raw: "x".repeat(charactersPerToken * first.outputLimit), problems: [cut] };
  const again = planCall(place, turn.role, { ...turn, repair });
  const inputTokens = Math.ceil(first.bytes / charactersPerToken);
  const outputTokens = Math.ceil((2 * Buffer.byteLength(turn.reply)) / charactersPerToken);
  return {
    expected: priceCall(place, inputTokens, Math.min(outputTokens, first.outputLimit)),
    likely: priceCall(
      place,
      Math.ceil(inputTokens * perGuess),
      Math.ceil(Math.min(Math.max(outputTokens, modelReplyTokens), first.outputLimit) * perGuess),
    ),
    most: sumWorstCases([estimateWorstCase(place, first), estimateWorstCase(place, again)]),
  };
}

const charactersPerToken = 4;
/** What recorded models write in a reply with its reasons: 450 to 850 characters. */
const modelReplyTokens = 200;
/** Tokens of three characters where four were guessed, and a repair of every tenth call. */
const perGuess = (4 / 3) * 1.1;

function priceCall({ price }: Place, inputTokens: number, outputTokens: number): WorstCase {
  const usd = computeCost(price, { inputTokens, outputTokens, cachedTokens: 0 });
  return { calls: 1, tokens: inputTokens + outputTokens, usd };
}

/** Several estimates together. */
export function sumEstimates(parts: readonly Estimate[]): Estimate {
  return {
    expected: sumWorstCases(parts.map(({ expected }) => expected)),
    likely: sumWorstCases(parts.map(({ likely }) => likely)),
    most: sumWorstCases(parts.map(({ most }) => most)),
  };
}

/** An estimate so many times over. */
export function scaleEstimate({ expected, likely, most }: Estimate, times: number): Estimate {
  const scale = ({ calls, tokens, usd }: WorstCase): WorstCase => ({
    calls: Math.round(calls * times),
    tokens: Math.round(tokens * times),
    usd: usd === null ? null : usd * times,
  });
  return { expected: scale(expected), likely: scale(likely), most: scale(most) };
}
