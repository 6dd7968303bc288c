import { type Budget, noCost, type WorstCase } from "../contract/budget.ts";
import { sumWorstCases } from "../engine/budget.ts";
import type { Player, TurnContext } from "../engine/player.ts";
import { truncated } from "../engine/read-reply.ts";
import type { AnyRole } from "../engine/role.ts";
import { runDebate } from "../engine/run-debate.ts";
import { computeCost } from "../players/providers.ts";
import { type CastOptions, type Place, resolvePlace } from "../players/endpoints.ts";
import { parseCast, playerNameOf } from "../players/cast.ts";
import { estimateWorstCase, planCall } from "../players/model-player.ts";
import { expertPlayer } from "../players/offline-players.ts";
import { formatUsd } from "../text/format.ts";
import { formatTable } from "../text/layout.ts";
import { makeManifest, type RunRequest } from "./start.ts";

export type Estimate = { expected: WorstCase; most: WorstCase };

export type RoleEstimate = Estimate & { role: string; player: string };

export const noEstimate: Estimate = { expected: noCost, most: noCost };

/**
 * Estimates the cost of a run. Expected: the experts' turns, with replies and token counts typical of models, and some
 * repairs. At most: all rounds, every turn repaired, every reply at its limit.
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
    return most.calls === 0 ? [] : [{ role, player: playerNameOf(player), expected, most }];
  });
}

function countMostRounds(config: unknown): number {
  const { max_rounds } = config as { max_rounds?: unknown };
  return typeof max_rounds === "number" ? max_rounds : 0;
}

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
  const written = Math.ceil((2 * Buffer.byteLength(turn.reply)) / charactersPerToken);
  const inputTokens = Math.ceil((first.bytes / charactersPerToken) * perGuess);
  const outputTokens = Math.ceil(Math.min(Math.max(written, modelReplyTokens), first.outputLimit) * perGuess);
  const usd = computeCost(place.price, { inputTokens, outputTokens, cachedTokens: 0 });
  return {
    expected: { calls: 1, tokens: inputTokens + outputTokens, usd },
    most: sumWorstCases([estimateWorstCase(place, first), estimateWorstCase(place, again)]),
  };
}

const charactersPerToken = 4;
/** Recorded models write 450 to 850 characters per reply. */
const modelReplyTokens = 200;
/** Three characters per token instead of four, and a repair in every tenth call. */
const perGuess = (4 / 3) * 1.1;

export function sumEstimates(parts: readonly Estimate[]): Estimate {
  return {
    expected: sumWorstCases(parts.map(({ expected }) => expected)),
    most: sumWorstCases(parts.map(({ most }) => most)),
  };
}

export function scaleEstimate({ expected, most }: Estimate, times: number): Estimate {
  const scale = ({ calls, tokens, usd }: WorstCase): WorstCase => ({
    calls: Math.round(calls * times),
    tokens: Math.round(tokens * times),
    usd: usd === null ? null : usd * times,
  });
  return { expected: scale(expected), most: scale(most) };
}

export type EstimateRow = Estimate & { name: string; player: string };

export function formatEstimate(rows: readonly EstimateRow[], budget: Budget, notes: readonly string[]): string {
  if (rows.length === 0) return "Dry run: no model would be called, so it is free.\n";
  const all = { ...sumEstimates(rows), name: "all", player: "" };
  const head = ["", "player", "calls", "tokens", "cost"];
  const lines = formatTable([head, ...[...rows, all].map(formatRow)], new Set([2, 3, 4]));
  return `${["Dry run: nothing was called.", "", ...lines, "", meaning, ...notes, ...listBudgetNotes(all, budget)].join("\n")}\n`;
}

const meaning =
  "From: the turns the built-in programs take, with replies of the usual length for models, and every tenth repaired.\n" +
  "To: as many rounds as the settings allow, every turn repaired, every reply at its output limit, one token per byte sent.";

function formatRow({ name, player, expected, most }: EstimateRow): string[] {
  const range = (of: (cost: WorstCase) => string): string => `${of(expected)} – ${of(most)}`;
  const cost = expected.usd === null || most.usd === null ? "price unknown" : range(({ usd }) => formatUsd(usd));
  return [name, player, range(({ calls }) => String(calls)), range(({ tokens }) => tokens.toLocaleString("en")), cost];
}

function listBudgetNotes({ most, expected }: Estimate, budget: Budget): string[] {
  return (["calls", "tokens", "usd"] as const).flatMap((limit) => {
    const max = budget[limit];
    if (max === undefined || (most[limit] ?? 0) <= max) return [];
    const often = (expected[limit] ?? 0) > max ? "would stop it" : "could stop it";
    return [`The budget of ${limit}=${max} ${often}.`];
  });
}

export type ExpertTurn = Pick<TurnContext, "key" | "prompt" | "rendered" | "seed"> & {
  role: AnyRole;
  input: unknown;
  reply: string;
};

export async function playExpertTurns(request: RunRequest, signal?: AbortSignal): Promise<ExpertTurn[]> {
  const { pack } = request;
  const { input, config, seed } = makeManifest({ ...request, cast: "expert" });
  const taken: ExpertTurn[] = [];
  const expert = expertPlayer();
  const player: Player = {
    ...expert,
    async play(role, seen, turn) {
      const { key, prompt, rendered } = turn;
      const asked: ExpertTurn = { key, role, input: seen, prompt, rendered, seed: turn.seed, reply: "" };
      taken.push(asked);
      const played = await expert.play(role, seen, turn);
      asked.reply = "value" in played.reply ? JSON.stringify(played.reply.value ?? null) : played.reply.text;
      return played;
    },
  };
  await runDebate({ pack, input, config, cast: () => player, seed, ...(signal ? { signal } : {}) });
  return taken;
}
