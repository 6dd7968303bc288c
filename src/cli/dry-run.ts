import type { Budget } from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import { turnIdOf } from "../contract/turn.ts";
import type { AnyPack } from "../engine/pack.ts";
import { parseCast } from "../players/cast.ts";
import { resolvePlace } from "../players/seat.ts";
import { planCall } from "../players/model-player.ts";
import { buildReplySchema } from "../players/call-model.ts";
import type { CaseRow } from "../runs/case-rows.ts";
import {
  type EstimateRow,
  estimateRun,
  type ExpertTurn,
  formatEstimate,
  noEstimate,
  playExpertTurns,
  type RoleEstimate,
  scaleEstimate,
  sumEstimates,
} from "../runs/estimate.ts";
import type { UserConfig } from "../runs/user-config.ts";
import type { RunRequest } from "../runs/start.ts";
import { suggestName } from "../text/similar.ts";
import { formatCount } from "../text/format.ts";
import type { Io } from "./io.ts";
import type { RunOptions } from "./options.ts";
import { loadUserConfig, makeRequest, pickCastOptions } from "./settings.ts";

/** Prints what one run would cost; makes no store and no call. */
export async function printDryRun(io: Io, options: RunOptions, pack: AnyPack, input: unknown): Promise<void> {
  const config = loadUserConfig(io, options);
  const request = { ...makeRequest(io, options, config, pack), input };
  const rows = listRows(await estimateRun(request, pickCastOptions(io, config), io.signal));
  printEstimate(io, options.json, request.budget ?? {}, rows, []);
}

/** How many cases of a file are played; the rest is reckoned from them. */
const mostPlayed = 25;

/** Prints what a file of cases would cost, from its first ones. */
export async function printBatchDryRun(
  io: Io,
  options: RunOptions,
  request: Omit<RunRequest, "input">,
  { rows, noun, config }: { rows: AsyncIterable<CaseRow>; noun: string; config: UserConfig },
): Promise<void> {
  const played: RoleEstimate[][] = [];
  let count = 0;
  let wrong = 0;
  for await (const row of rows) {
    const isReadable = row.problem === null && request.pack.input.safeParse(row.input).success;
    if (isReadable) count += 1;
    else wrong += 1;
    if (isReadable && played.length < mostPlayed)
      played.push(await estimateRun({ ...request, input: row.input }, pickCastOptions(io, config), io.signal));
  }
  const byRole = Map.groupBy(played.flat(), ({ role }) => role);
  const scaled = [...byRole.values()].map(([first, ...rest]) => ({
    ...(first as RoleEstimate),
    ...scaleEstimate(sumEstimates([first ?? noEstimate, ...rest]), count / Math.max(1, played.length)),
  }));
  const notes = [
    `${formatCount(count, "case")} (${noun})${count > played.length ? `, reckoned from the first ${played.length}` : ""}.`,
    ...(wrong > 0 ? [`${formatCount(wrong, "line")} cannot be read as a case.`] : []),
  ];
  printEstimate(io, options.json, request.budget ?? {}, listRows(scaled), notes);
}

function listRows(estimates: readonly RoleEstimate[]): EstimateRow[] {
  return estimates.map(({ role, ...rest }) => ({ ...rest, name: role }));
}

function printEstimate(io: Io, json: boolean | undefined, budget: Budget, rows: EstimateRow[], notes: string[]): void {
  if (json) io.json({ dry_run: true, roles: rows, all: sumEstimates(rows), notes });
  else io.out(formatEstimate(rows, budget, notes));
}

export type PromptOptions = RunOptions & { role?: string; all?: boolean };

/** Prints the prompts of a case: the first turn of each role, or all of them. */
export async function printPrompts(io: Io, pack: AnyPack, input: unknown, options: PromptOptions): Promise<void> {
  const config = loadUserConfig(io, options);
  const turns = await playExpertTurns({ ...makeRequest(io, options, config, pack), input }, io.signal);
  const names = [...new Set(turns.map(({ role }) => role.name))];
  const asked = turns.filter(({ role }) => options.role === undefined || matches(role.name, options.role));
  if (asked.length === 0)
    throw new ParleyError(
      "bad_input",
      `no "${options.role}" is asked in this debate${suggestName(options.role ?? "", names)}`,
    );
  const isFirst = (turn: ExpertTurn): boolean => asked.find(({ role }) => role.name === turn.role.name) === turn;
  const castOptions = pickCastOptions(io, config);
  const plan = parseCast(options.cast ?? "openai/MODEL", names, castOptions);
  for (const turn of options.all ? asked : asked.filter(isFirst)) {
    const player = plan.roles[turn.role.name];
    // Roles that no model plays are shown as most models would be asked.
    const isModel = player?.kind === "model";
    const place = resolvePlace(isModel ? player : { kind: "model", provider: "openai", model: "MODEL" }, castOptions);
    const request = describeRequest(turn, place, isModel ? `${player.provider}/${player.model}` : "a model");
    if (options.json) io.jsonLines([request]);
    else io.out(formatRequest(request));
  }
}

/** One request as a model would get it. */
function describeRequest(turn: ExpertTurn, place: ReturnType<typeof resolvePlace>, player: string) {
  const { role, key } = turn;
  const { options, bytes } = planCall(place, role, { ...turn, repair: null });
  const messages = options.prompt.map(({ role: from, content }) => ({
    role: from,
    text: typeof content === "string" ? content : content.map((part) => ("text" in part ? part.text : "")).join("\n"),
  }));
  return { turn: turnIdOf(key), player, messages, schema: buildReplySchema(role.reply).strict, bytes };
}

function formatRequest({ turn, player, messages, schema, bytes }: ReturnType<typeof describeRequest>): string {
  const parts = messages.map(({ role, text }) => `--- ${role}\n${text.trimEnd()}\n`);
  const size = `about ${Math.ceil(bytes / 4).toLocaleString("en")} tokens`;
  return `=== ${turn}, to ${player}, ${size}\n${parts.join("\n")}\n--- schema of the reply\n${JSON.stringify(schema, null, 2)}\n\n`;
}

function matches(role: string, pattern: string): boolean {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[^\w-]/g, ""));
  return new RegExp(`^${parts.join(".*")}$`).test(role);
}
