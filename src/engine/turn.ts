import * as z from "zod";
import { CallUsageSchema } from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import type { AttemptBody, Conclusion } from "../contract/journal.ts";
import { type Attempt, AttemptSchema, type Problem, type Turn, turnIdOf, type TurnKey } from "../contract/turn.ts";
import { cutText } from "../text/format.ts";
import { isRecord } from "../text/json.ts";
import { type Meter, openAttemptBudget, sumUsage } from "./budget.ts";
import { encodeCanonicalJson } from "./hash.ts";
import type { Journal, JournalWriter } from "./journal.ts";
import type { Played, Player } from "./player.ts";
import { badItem, type Read, readReply, refused } from "./read-reply.ts";
import type { Request } from "./prompt.ts";
import type { Role } from "./role.ts";

export type TurnEnvironment = {
  writer: JournalWriter;
  meter: Meter;
  signal: AbortSignal;
  seedOf(key: TurnKey): number;
  elapsedMs(): number;
  onText(key: TurnKey, text: string): void;
};

/** A turn to play, with the attempts an earlier process already made. */
type TurnToTake<I, O> = {
  key: TurnKey;
  place: number;
  role: Role<I, O>;
  input: I;
  player: Player;
  request: Request;
  recorded: AttemptBody[];
};

/** A recorded attempt with its parsed reply; `final` means that asking again would bring the same one. */
type Tried<O> = { read: Read<O>; final: boolean; isOverruled: boolean; body: AttemptBody; reply?: unknown };
type Reading<O> = Omit<Tried<O>, "body">;

/** Plays a turn: a reply, one repair if needed, and the conclusion. Each is durable before any call that cannot be repeated. */
export async function takeTurn<I, O>(environment: TurnEnvironment, turn: TurnToTake<I, O>): Promise<Turn> {
  const tries: Tried<O>[] = turn.recorded.map((body) => reread(turn, body));
  const conclusion = turn.recorded.at(-1)?.conclusion;
  if (conclusion) requireFollows(turn, tries, conclusion);
  for (;;) {
    const taken = assembleTurn(
      tries.map((tried) => tried.body),
      tries.at(-1)?.reply,
    );
    if (taken) return taken;
    tries.push(await tryOnce(environment, turn, tries));
  }
}

/** The conclusion after these attempts; null when a repair is due. */
function conclude<I, O>(turn: TurnToTake<I, O>, tries: Reading<O>[]): Conclusion | null {
  const last = tries.at(-1);
  if (!last) return null;
  if (last.read.value !== null && last.isOverruled)
    return { status: "answered", reply: last.read.value, problems: last.read.problems };
  if (last.read.value !== null && last.read.problems.length === 0) {
    const status = tries.length > 1 ? "repaired" : "answered";
    return { status, reply: last.read.value, problems: [] };
  }
  if (tries.length < 2 && !last.final) return null;
  const salvageable = tries.findLast((tried) => tried.read.value !== null && canSalvage(tried.read.problems));
  if (!salvageable) return { status: "abstained", reply: null, problems: last.read.problems };
  const { value, problems } = salvageable.read;
  const own = problems.filter(({ code }) => code !== badItem);
  if (own.length > 0 && !turn.role.salvage) return { status: "abstained", reply: null, problems: last.read.problems };
  const reply = turn.role.salvage && own.length > 0 ? turn.role.salvage(value as O, own, turn.input) : (value as O);
  return { status: "salvaged", reply, problems };
}

function canSalvage(problems: Problem[]): boolean {
  return problems.every((problem) => problem.severity === "salvage");
}

async function tryOnce<I, O>(
  environment: TurnEnvironment,
  turn: TurnToTake<I, O>,
  tries: Tried<O>[],
): Promise<Tried<O>> {
  const { key, place, role, input, player, request } = turn;
  const number = tries.length + 1;
  const startedMs = environment.elapsedMs();
  const isRepeatable = player.deterministic === true;
  const { reserve, spent } = openAttemptBudget(environment, { turn: key, number, isRepeatable });
  const { prompt, rendered, pieces, promptHash, requestHash } = request;
  const before = tries.at(-1);
  const given = await player.play(role, input, {
    key,
    prompt,
    rendered,
    requestHash,
    reserve,
    repair: before ? { raw: before.body.attempt.raw, problems: before.read.problems } : null,
    seed: environment.seedOf(key),
    signal: environment.signal,
    onText: (text) => environment.onText(key, text),
  });
  requirePlayed(player, given);
  // Only a recorded text has a finish reason; recorded data has none.
  const played: Played = { ...given, finish: "text" in given.reply ? (given.finish ?? "unknown") : null };
  const read = readReply(role, input, request, played);
  const overruled = read.problems.length > 0 && read.value !== null ? played.overrule : undefined;
  const final = played.final === true || read.problems.some(({ code }) => code === refused);
  const reading: Reading<O> = { read, final, isOverruled: overruled !== undefined };
  const mends = [...(played.notes ?? []), ...read.mends];
  const attempt: Attempt = {
    raw: "text" in played.reply ? played.reply.text : JSON.stringify(played.reply.value ?? null),
    problems: read.problems,
    ...(mends.length > 0 && { mends }),
    ...(overruled && { overruled }),
    usage: played.usage,
    finish: played.finish,
    ...(played.outputLimit !== undefined && { outputLimit: played.outputLimit }),
    startedMs,
    durationMs: environment.elapsedMs() - startedMs,
  };
  const conclusion = conclude(turn, [...tries, reading]);
  const body: AttemptBody = {
    kind: "attempt",
    turn: key,
    place,
    player: played.saidBy ?? player.id,
    promptHash,
    requestHash,
    number,
    attempt,
    spent: spent(),
    conclusion: conclusion && shorten(conclusion, attempt.raw, read.isAsSent && conclusion.reply === read.value),
  };
  // Becomes durable before the next call that cannot be repeated, together with its entry if it has one.
  environment.writer.add(
    body,
    pieces.map(({ text }) => text),
  );
  return { ...reading, body, reply: conclusion?.reply };
}

const { finish, outputLimit, overruled, mends } = AttemptSchema.shape;
const PlayedSchema = z.object({
  reply: z.custom(
    (given) => isRecord(given) && (typeof given.text === "string" || "value" in given),
    "expected { text } or { value }",
  ),
  usage: CallUsageSchema,
  finish,
  outputLimit,
  notes: mends,
  overrule: overruled,
  saidBy: z.string().optional(),
});

/** Checks a player's return value, so that nothing unreadable is stored. */
function requirePlayed({ id }: Player, played: Played): void {
  const issues = PlayedSchema.safeParse(played).error?.issues;
  if (issues === undefined) return;
  const what = issues.map(({ path, message }) => `${path.join(" ") || "it"}: ${message}`).join("; ");
  throw new ParleyError("bad_cast", `the player ${id} returned a reply that cannot be stored: ${what}`);
}

/** Parses a recorded attempt again, so that a crash between reply and repair costs nothing. */
function reread<I, O>(turn: TurnToTake<I, O>, body: AttemptBody): Tried<O> {
  const { attempt } = body;
  const { finish, usage, outputLimit } = attempt;
  const played = { reply: readRecordedReply(attempt, turn.key), finish, usage, outputLimit };
  const read = readReply(turn.role, turn.input, turn.request, played);
  return { body, read, final: true, isOverruled: attempt.overruled !== undefined };
}

/** A recorded conclusion must follow from its replies; otherwise the code has changed or the journal was forged. */
function requireFollows<I, O>(turn: TurnToTake<I, O>, tries: Tried<O>[], conclusion: Conclusion): void {
  const raw = turn.recorded.at(-1)?.attempt.raw ?? "";
  const follows = conclude(turn, tries);
  if (follows && encodeCanonicalJson(shorten(follows, raw)) === encodeCanonicalJson(conclusion)) return;
  throw new ParleyError(
    "drifted",
    `${turnIdOf(turn.key)} has drifted: its recorded reply no longer gives the recorded result. The code changed since, or the journal was edited; restore it, or start a new run.`,
    { details: { turn: turnIdOf(turn.key) } },
  );
}

/** Does not store a reply twice when it was accepted unchanged. */
function shorten({ reply, ...rest }: Conclusion, raw: string, isAsSent = false): Conclusion {
  if (isAsSent && raw.startsWith("{")) return rest;
  const text = JSON.stringify(reply);
  return raw.startsWith("{") && (text === raw || text === compact(raw)) ? rest : { ...rest, reply };
}

function compact(raw: string): string | null {
  try {
    return JSON.stringify(JSON.parse(raw));
  } catch {
    return null;
  }
}

export function readConcludedReply({ attempt, conclusion }: AttemptBody): unknown {
  if (conclusion === null) return null;
  return "reply" in conclusion ? conclusion.reply : (JSON.parse(attempt.raw) as unknown);
}

/** Builds a turn from its attempts, new or recorded; null without a conclusion. */
export function assembleTurn(bodies: readonly AttemptBody[], known?: unknown): Turn | null {
  const last = bodies.at(-1);
  if (!last?.conclusion) return null;
  const { turn: key, player, promptHash, requestHash, conclusion } = last;
  const { status, problems } = conclusion;
  const reply = known ?? readConcludedReply(last);
  const attempts = bodies.map((body) => body.attempt);
  const usage = sumUsage(attempts.map((attempt) => attempt.usage));
  return { key, player, promptHash, requestHash, attempts, status, reply, problems, usage };
}

/** A recorded reply in its original form: programs and people gave a value without a finish reason, models gave text. */
export function readRecordedReply({ finish, raw }: Attempt, key: TurnKey): Played["reply"] {
  if (finish !== null) return { text: raw };
  try {
    return { value: JSON.parse(raw) as unknown };
  } catch (cause) {
    throw new ParleyError("drifted", `the record of ${turnIdOf(key)} is not valid JSON; the journal was edited`, {
      cause,
      details: { turn: turnIdOf(key) },
    });
  }
}

/** The error for a request that differs from the recorded one, with the first difference. */
export async function createDriftError(
  journal: Journal,
  key: TurnKey,
  recorded: AttemptBody,
  { pieces }: Request,
): Promise<ParleyError> {
  const before = await journal.prompt(recorded.promptHash);
  const now = pieces.map(({ text }) => text);
  const diff = before ? findFirstDifference(before, now) : "the recorded prompt is missing";
  return new ParleyError(
    "drifted",
    `${turnIdOf(key)} has drifted: code, prompt or config changed since it was recorded.\n${diff}\nRestore what changed, or start a new run.`,
    { details: { turn: turnIdOf(key), diff } },
  );
}

/** The first line in which two prompts differ, as a two-line diff. */
export function findFirstDifference(before: readonly string[], after: readonly string[]): string {
  const old = before.join("\n").split("\n");
  const now = after.join("\n").split("\n");
  const at = old.findIndex((text, index) => text !== now[index]);
  const line = at < 0 ? old.length : at;
  if (line >= old.length && line >= now.length) return "the prompt is the same; the schema of the reply changed";
  const [was = "", is = ""] = [old[line], now[line]];
  let same = 0;
  while (same < was.length && was[same] === is[same]) same += 1;
  const from = Math.max(0, same - shownBefore);
  return `line ${line + 1}:\n- ${cut(old[line], from)}\n+ ${cut(now[line], from)}`;
}

/** Lengths of the excerpt: before the difference, and in all. */
const shownBefore = 60;
const shownInAll = 300;

function cut(line: string | undefined, from: number): string {
  if (line === undefined) return "(end of the prompt)";
  return line.length <= shownInAll ? line : `${from > 0 ? "…" : ""}${cutText(line.slice(from), shownInAll)}`;
}
