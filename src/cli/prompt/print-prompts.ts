import { caseOfText, takesText } from "../../runs/record/show-run.ts";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { ParleyError } from "../../contract/error.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { parseCast } from "../../players/cast/parse-cast.ts";
import { resolvePlace } from "../../players/cast/resolve-seat.ts";
import { planCall } from "../../players/model/plan-call.ts";
import { buildReplySchema } from "../../players/model/reply-schema.ts";
import { type ExpertTurn, playExpertTurns } from "../../runs/estimate/expert-turns.ts";
import { suggestName } from "../../text/nearest-name.ts";
import { pickCastOptions } from "../run/dry-run.ts";
import { loadUserConfig, makeRequest } from "../setting/setting.ts";
import type { Io } from "../terminal/io.ts";

export type PromptOptions = {
  case?: string;
  all?: boolean;
  cast: string;
  config?: string;
  set: string[];
  seed?: number;
  json?: boolean;
};

/** One request as a model would get it. */
type Request = {
  turn: string;
  player: string;
  messages: { role: string; text: string }[];
  schema: unknown;
  bytes: number;
};

/** Prints the prompts of a case: the first turn of each role, or all of them. */
export async function printPrompts(
  io: Io,
  pack: AnyPack,
  pattern: string | undefined,
  options: PromptOptions,
): Promise<void> {
  const config = loadUserConfig(io, options);
  const request = { ...makeRequest(io, options, config, pack), input: await readCase(io, pack, options.case) };
  const turns = await playExpertTurns(request, io.signal);
  const asked = turns.filter((turn) => turn.role.embeds === undefined && matches(turn.role.name, pattern));
  if (asked.length === 0) throw createUnaskedError(pattern ?? "", turns);
  const isFirst = (turn: ExpertTurn): boolean => asked.find(({ role }) => role.name === turn.role.name) === turn;
  const castOptions = pickCastOptions(io, config);
  const names = [...new Set(turns.map(({ role }) => role.name))];
  const plan = parseCast(options.cast, names, castOptions);
  for (const turn of options.all ? asked : asked.filter(isFirst)) {
    const player = plan.roles[turn.role.name];
    const place = resolvePlace(player?.kind === "model" ? player : usualModel, castOptions);
    const made = makeRequestOf(
      turn,
      place,
      player?.kind === "model" ? `${player.provider}/${player.model}` : "a model",
    );
    io.out(options.json ? `${JSON.stringify(made)}\n` : writeRequest(made));
  }
}

/** Roles that no model plays are shown as most models would be asked. */
const usualModel = { kind: "model", provider: "openai", model: "MODEL" } as const;

function makeRequestOf(turn: ExpertTurn, place: ReturnType<typeof resolvePlace>, player: string): Request {
  const { role, key } = turn;
  const { options, bytes } = planCall(place, role, { ...turn, repair: null });
  const messages = options.prompt.map(({ role: from, content }) => ({
    role: from,
    text: typeof content === "string" ? content : content.map((part) => ("text" in part ? part.text : "")).join("\n"),
  }));
  const schema = buildReplySchema(role.reply).strict;
  return { turn: `${key.round}/${key.step}/${key.role}`, player, messages, schema, bytes };
}

function writeRequest({ turn, player, messages, schema, bytes }: Request): string {
  const parts = messages.map(({ role, text }) => `--- ${role}\n${text.trimEnd()}\n`);
  const size = `about ${Math.ceil(bytes / 4).toLocaleString("en")} tokens`;
  return `=== ${turn}, to ${player}, ${size}\n${parts.join("\n")}\n--- schema of the reply\n${JSON.stringify(schema, null, 2)}\n\n`;
}

async function readCase(io: Io, pack: AnyPack, given: string | undefined): Promise<unknown> {
  if (given === undefined) return pack.examples[0]?.input;
  const file = resolve(io.cwd, given);
  const isFile = given.endsWith(".json") && existsSync(file);
  if (isFile || /^\s*[{["]/.test(given)) return parseJson(isFile ? readFileSync(file, "utf8") : given, given);
  if (!takesText(pack) || given.endsWith(".json"))
    throw new ParleyError("bad_input", `--case ${given}: neither JSON nor a file`);
  return caseOfText(pack, given);
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ParleyError("bad_input", `--case ${name.slice(0, 80)}: not valid JSON: ${(cause as Error).message}`, {
      cause,
    });
  }
}

function matches(role: string, pattern: string | undefined): boolean {
  if (pattern === undefined) return true;
  const parts = pattern.split("*").map((part) => part.replaceAll(/[^\w-]/g, ""));
  return new RegExp(`^${parts.join(".*")}$`).test(role);
}

function createUnaskedError(pattern: string, turns: ExpertTurn[]): ParleyError {
  const names = [...new Set(turns.map(({ role }) => role.name))];
  return new ParleyError("bad_input", `no "${pattern}" is asked in this debate${suggestName(pattern, names)}`);
}
