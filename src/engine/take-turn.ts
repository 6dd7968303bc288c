import type { AttemptBody, Conclusion } from "../contract/journal.ts";
import { ParleyError } from "../contract/error.ts";
import { type Attempt, type Problem, type Turn, type TurnKey, turnIdOf } from "../contract/turn.ts";
import { assembleTurn } from "./assemble-turn.ts";
import { encodeCanonicalJson } from "./hash.ts";
import type { JournalWriter } from "./journal.ts";
import type { Meter } from "./meter.ts";
import { openPurse } from "./open-purse.ts";
import type { Played, Player, Repair, TurnContext } from "./player.ts";
import { type Read, readReply } from "./read-reply.ts";
import { isRefused } from "./refusal.ts";
import { readRecordedReply } from "./recorded-reply.ts";
import type { Request } from "./request.ts";
import type { Role } from "./role.ts";

/** What a turn needs from the debate it belongs to. */
export type TurnEnvironment = {
  writer: JournalWriter;
  meter: Meter;
  signal: AbortSignal;
  seedOf(key: TurnKey): number;
  elapsedMs(): number;
  /** Keeps no prompts of players that say the same again. */
  lean?: boolean;
  onText(key: TurnKey, text: string): void;
};

/** A turn to be taken: who plays what, and the attempts an earlier process already made. */
export type TurnToTake<I, O> = {
  key: TurnKey;
  place: number;
  role: Role<I, O>;
  input: I;
  player: Player;
  request: Request;
  recorded: AttemptBody[];
};

/** A reply as it was read; `final` says that asking again would bring the same one. */
type Reading<O> = { read: Read<O>; final: boolean };

/** An attempt as the journal has it, with its reply as it was read. */
type Tried<O> = Reading<O> & { body: AttemptBody };

/** Plays a role: a reply, one repair if something is wrong with it, and the conclusion, each durable before a call is made that cannot be repeated. */
export async function takeTurn<I, O>(environment: TurnEnvironment, turn: TurnToTake<I, O>): Promise<Turn> {
  const tries: Tried<O>[] = turn.recorded.map((body) => reread(turn, body));
  const conclusion = turn.recorded.at(-1)?.conclusion;
  if (conclusion) requireFollows(turn, tries, conclusion);
  for (;;) {
    const taken = assembleTurn(tries.map((tried) => tried.body));
    if (taken) return taken;
    tries.push(await tryOnce(environment, turn, tries));
  }
}

/** How a turn stands after its attempts; null when a repair is to be asked for. */
function conclude<I, O>(turn: TurnToTake<I, O>, tries: Reading<O>[]): Conclusion | null {
  const last = tries.at(-1);
  if (!last) return null;
  if (last.read.value !== null && last.read.problems.length === 0) {
    const status = tries.length > 1 ? "repaired" : "answered";
    return { status, reply: last.read.value, problems: [] };
  }
  if (tries.length < 2 && !last.final) return null;
  const salvageable = tries.findLast((tried) => tried.read.value !== null && canSalvage(tried.read.problems));
  if (!salvageable || !turn.role.salvage) return { status: "abstained", reply: null, problems: last.read.problems };
  const { value, problems } = salvageable.read;
  return { status: "salvaged", reply: turn.role.salvage(value as O, problems, turn.input), problems };
}

function canSalvage(problems: Problem[]): boolean {
  return problems.every((problem) => problem.severity === "salvage");
}

async function tryOnce<I, O>(
  environment: TurnEnvironment,
  turn: TurnToTake<I, O>,
  tries: Tried<O>[],
): Promise<Tried<O>> {
  const number = tries.length + 1;
  const startedMs = environment.elapsedMs();
  const isRepeatable = turn.player.deterministic === true;
  const purse = openPurse(environment, { turn: turn.key, number, isRepeatable });
  const context = contextOf(environment, turn, repairOf(tries.at(-1)), purse.reserve);
  const played = await turn.player.play(turn.role, turn.input, context);
  const read = readReply(turn.role, turn.input, turn.request, played);
  const reading = { read, final: played.final === true || isRefused(read.problems) };
  const { usage, finish, outputLimit } = played;
  const durationMs = environment.elapsedMs() - startedMs;
  const said = { raw: rawOf(played), problems: read.problems, usage, finish };
  const attempt: Attempt = { ...said, ...(outputLimit === undefined ? {} : { outputLimit }), startedMs, durationMs };
  const conclusion = conclude(turn, [...tries, reading]);
  const isLean = environment.lean === true && isRepeatable;
  const made = { number, ...(isLean && { lean: true as const }), attempt, spent: purse.spent(), conclusion };
  const body = buildAttemptBody(turn, made);
  // It becomes durable before the next call that cannot be repeated, and together with its entry if it has one.
  environment.writer.add(body, isLean ? [] : turn.request.pieces);
  return { ...reading, body };
}

function repairOf<O>(before: Tried<O> | undefined): Repair | null {
  return before ? { raw: before.body.attempt.raw, problems: before.read.problems } : null;
}

function buildAttemptBody<I, O>(
  { key, place, player, request }: TurnToTake<I, O>,
  made: Pick<AttemptBody, "number" | "lean" | "attempt" | "spent" | "conclusion">,
): AttemptBody {
  const { promptHash, requestHash } = request;
  return { kind: "attempt", turn: key, place, player: player.id, promptHash, requestHash, ...made };
}

function contextOf<I, O>(
  environment: TurnEnvironment,
  turn: TurnToTake<I, O>,
  repair: Repair | null,
  reserve: TurnContext["reserve"],
): TurnContext {
  const { key, request } = turn;
  const { prompt, rendered, requestHash } = request;
  return {
    key,
    prompt,
    rendered,
    requestHash,
    repair,
    reserve,
    seed: environment.seedOf(key),
    signal: environment.signal,
    onText: (text) => environment.onText(key, text),
  };
}

/** Reads a recorded attempt again, so that a crash between reply and repair costs nothing; a concluded one was the last. */
function reread<I, O>(turn: TurnToTake<I, O>, body: AttemptBody): Tried<O> {
  const { attempt, conclusion } = body;
  const { finish, usage, outputLimit } = attempt;
  const played = { reply: readRecordedReply(attempt, turn.key), finish, usage, outputLimit };
  return { body, read: readReply(turn.role, turn.input, turn.request, played), final: conclusion !== null };
}

/** A recorded conclusion must follow from its replies; otherwise code has changed since, or someone else wrote the journal. */
function requireFollows<I, O>(turn: TurnToTake<I, O>, tries: Tried<O>[], conclusion: Conclusion): void {
  if (encodeCanonicalJson(conclude(turn, tries)) === encodeCanonicalJson(conclusion)) return;
  throw new ParleyError(
    "drifted",
    `${turnIdOf(turn.key)} has drifted: its recorded reply no longer leads to what was recorded of it. Code changed since, or the journal was edited; restore it, or start a new run.`,
    { details: { turn: turnIdOf(turn.key) } },
  );
}

function rawOf(played: Played): string {
  return "text" in played.reply ? played.reply.text : JSON.stringify(played.reply.value ?? null);
}
