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
import { formatCount } from "../text/format.ts";
import type { Io } from "./io.ts";
import type { RunOptions } from "./options.ts";
import { loadUserConfig, makeRequest, pickCastOptions } from "./settings.ts";

type Row = Pick<CaseRow, "input" | "problem">;

/** `noun` names the cases of a file, where lines that cannot be read are counted and left out. */
type Cases = { rows: Iterable<Row> | AsyncIterable<Row>; noun?: string };

const mostPlayed = 25;

export async function printDryRun(io: Io, options: RunOptions, pack: AnyPack, { rows, noun }: Cases): Promise<void> {
  const config = loadUserConfig(io, options);
  const { budget = {}, ...request } = makeRequest(io, options, config, pack);
  const played: RoleEstimate[][] = [];
  let [count, wrong] = [0, 0];
  for await (const { input, problem } of rows) {
    const isReadable = noun === undefined || (problem === null && pack.input.safeParse(input).success);
    if (isReadable) count += 1;
    else wrong += 1;
    if (isReadable && played.length < mostPlayed)
      played.push(await estimateRun({ ...request, input }, pickCastOptions(io, config), io.signal));
  }
  const byRole = Map.groupBy(played.flat(), ({ role }) => role);
  const roles = [...byRole].map(([name, each]) => {
    const scaled = scaleEstimate(sumEstimates(each), count / Math.max(1, played.length));
    return { ...scaled, name, player: each[0]?.player ?? "" };
  });
  const first = count > played.length ? `, estimated from the first ${played.length}` : "";
  const notes = [
    ...(noun === undefined ? [] : [`${formatCount(count, noun)}${first}.`]),
    ...(wrong > 0 ? [`${formatCount(wrong, "line")} cannot be read as a case.`] : []),
  ];
  if (options.json) io.json({ dry_run: true, roles, all: sumEstimates(roles), notes });
  else io.out(formatEstimate(roles, budget, notes));
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
