import type { Budget } from "../contract/budget.ts";
import { turnIdOf } from "../contract/turn.ts";
import type { AnyPack } from "../engine/pack.ts";
import { parseCast } from "../players/cast.ts";
import { resolvePlace } from "../players/endpoints.ts";
import { planCall } from "../players/model-player.ts";
import { buildReplySchema } from "../players/call-model.ts";
import type { CaseRow } from "../runs/batch.ts";
import {
  estimateRun,
  formatEstimate,
  playExpertTurns,
  type RoleEstimate,
  scaleEstimate,
  sumEstimates,
} from "../runs/estimate.ts";
import type { UserConfig } from "../runs/settings.ts";
import type { RunRequest } from "../runs/start.ts";
import { formatCount } from "../text/format.ts";
import type { Io } from "./io.ts";
import type { RunOptions } from "./options.ts";
import { loadUserConfig, makeRequest, pickCastOptions } from "./settings.ts";

export async function printDryRun(io: Io, options: RunOptions, pack: AnyPack, input: unknown): Promise<void> {
  const config = loadUserConfig(io, options);
  const request = { ...makeRequest(io, options, config, pack), input };
  const roles = await estimateRun(request, pickCastOptions(io, config), io.signal);
  printEstimate(io, options.json, request.budget ?? {}, roles, []);
}

const mostPlayed = 25;

type BatchPlan = { request: Omit<RunRequest, "input">; budget: Budget | undefined };
type Cases = { rows: AsyncIterable<CaseRow>; noun: string; config: UserConfig };

export async function printBatchDryRun(
  io: Io,
  options: RunOptions,
  { request, budget = {} }: BatchPlan,
  { rows, noun, config }: Cases,
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
  const roles = [...byRole.values()].map((each) => ({
    ...(each[0] as RoleEstimate),
    ...scaleEstimate(sumEstimates(each), count / Math.max(1, played.length)),
  }));
  const notes = [
    `${formatCount(count, noun)}${count > played.length ? `, estimated from the first ${played.length}` : ""}.`,
    ...(wrong > 0 ? [`${formatCount(wrong, "line")} cannot be read as a case.`] : []),
  ];
  printEstimate(io, options.json, budget, roles, notes);
}

function printEstimate(
  io: Io,
  json: boolean | undefined,
  budget: Budget,
  roles: RoleEstimate[],
  notes: string[],
): void {
  const rows = roles.map(({ role, ...rest }) => ({ ...rest, name: role }));
  if (json) io.json({ dry_run: true, roles: rows, all: sumEstimates(rows), notes });
  else io.out(formatEstimate(rows, budget, notes));
}

export async function printPrompts(io: Io, pack: AnyPack, input: unknown, options: RunOptions): Promise<void> {
  const config = loadUserConfig(io, options);
  const turns = await playExpertTurns({ ...makeRequest(io, options, config, pack), input }, io.signal);
  const firsts = new Map(turns.toReversed().map((turn) => [turn.role.name, turn]));
  const castOptions = pickCastOptions(io, config);
  const plan = parseCast(options.cast ?? "openai/MODEL", [...firsts.keys()], castOptions);
  for (const turn of turns.filter((one) => firsts.get(one.role.name) === one)) {
    const player = plan.roles[turn.role.name];
    // Prompts of roles played by programs are shown as most models would get them.
    const isModel = player?.kind === "model";
    const place = resolvePlace(isModel ? player : { kind: "model", provider: "openai", model: "MODEL" }, castOptions);
    const { options: call, bytes } = planCall(place, turn.role, { ...turn, repair: null });
    const messages = call.prompt.map(({ role, content }) => ({
      role,
      text: typeof content === "string" ? content : content.map((part) => ("text" in part ? part.text : "")).join("\n"),
    }));
    const to = isModel ? `${player.provider}/${player.model}` : "a model";
    const schema = buildReplySchema(turn.role.reply).strict;
    if (options.json) io.jsonLines([{ turn: turnIdOf(turn.key), player: to, messages, schema, bytes }]);
    else {
      const parts = messages.map(({ role, text }) => `--- ${role}\n${text.trimEnd()}\n`).join("\n");
      io.out(
        `=== ${turnIdOf(turn.key)}, to ${to}, about ${Math.ceil(bytes / 4).toLocaleString("en")} tokens\n${parts}`,
      );
      io.out(`\n--- schema of the reply\n${JSON.stringify(schema, null, 2)}\n\n`);
    }
  }
}
