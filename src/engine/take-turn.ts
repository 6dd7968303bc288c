import type { WorstCase } from "../contract/budget.ts";
import type { AttemptBody, Conclusion } from "../contract/journal.ts";
import { ParleyError } from "../contract/error.ts";
import { type Attempt, type Problem, type Turn, type TurnKey, turnId } from "../contract/turn.ts";
import { addUsage, noUsage } from "../contract/usage.ts";
import { canonicalJson } from "./hash.ts";
import type { JournalWriter } from "./journal.ts";
import type { Meter } from "./meter.ts";
import type { Played, Player, Repair, TurnContext } from "./player.ts";
import { type Read, readReply } from "./read-reply.ts";
import { recordedReply } from "./recorded-reply.ts";
import type { Request } from "./request.ts";
import type { Role } from "./role.ts";

/** What a turn needs of the debate it belongs to. */
export type Table = {
  writer: JournalWriter;
  meter: Meter;
  signal: AbortSignal;
  seedOf(key: TurnKey): number;
  elapsedMs(): number;
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

type Tried<O> = { attempt: Attempt; read: Read<O>; final: boolean; conclusion: Conclusion | null };

/** Plays a role: a reply, one repair if something is wrong with it, and the conclusion, each durable before another call is made. */
export async function takeTurn<I, O>(table: Table, turn: TurnToTake<I, O>): Promise<Turn> {
  const tries: Tried<O>[] = turn.recorded.map((body) => reread(turn, body));
  let conclusion: Conclusion | null = turn.recorded.at(-1)?.conclusion ?? null;
  if (conclusion) requireFollows(turn, tries, conclusion);
  while (conclusion === null) {
    const tried = await tryOnce(table, turn, tries);
    tries.push(tried);
    conclusion = tried.conclusion;
  }
  return recordOf(turn, tries, conclusion);
}

/** How a turn stands after its attempts; null when a repair is to be asked for. */
function conclude<I, O>(turn: TurnToTake<I, O>, tries: Omit<Tried<O>, "conclusion">[]): Conclusion | null {
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

async function tryOnce<I, O>(table: Table, turn: TurnToTake<I, O>, tries: Tried<O>[]): Promise<Tried<O>> {
  const number = tries.length + 1;
  const before = tries.at(-1);
  const startedMs = table.elapsedMs();
  const purse = openPurse(table, turn.key, number);
  const repair = before ? { raw: before.attempt.raw, problems: before.read.problems } : null;
  const played = await turn.player.play(turn.role, turn.input, contextOf(table, turn, repair, purse.reserve));
  const read = readReply(turn.role, turn.input, turn.request.prompt, played);
  const { usage, finish } = played;
  const durationMs = table.elapsedMs() - startedMs;
  const attempt: Attempt = { raw: rawOf(played), problems: read.problems, usage, finish, startedMs, durationMs };
  const conclusion = conclude(turn, [...tries, { attempt, read, final: played.final === true }]);
  addAttempt(table, turn, { number, attempt, spent: purse.spent(), conclusion });
  return { attempt, read, final: played.final === true, conclusion };
}

/** Adds an attempt to the journal. It becomes durable before the next call of anyone, and with the entry of that call if it has one. */
function addAttempt<I, O>(
  table: Table,
  turn: TurnToTake<I, O>,
  body: Pick<AttemptBody, "number" | "attempt" | "spent" | "conclusion">,
): void {
  const { promptHash, requestHash, pieces } = turn.request;
  table.writer.add(
    { kind: "attempt", turn: turn.key, place: turn.place, player: turn.player.id, promptHash, requestHash, ...body },
    pieces,
  );
}

function contextOf<I, O>(
  table: Table,
  turn: TurnToTake<I, O>,
  repair: Repair | null,
  reserve: TurnContext["reserve"],
): TurnContext {
  const { key, request } = turn;
  const { prompt, requestHash } = request;
  return {
    key,
    prompt,
    requestHash,
    repair,
    reserve,
    seed: table.seedOf(key),
    signal: table.signal,
    onText: (text) => table.onText(key, text),
  };
}

/** The reservations of one attempt; a paid one is written down before its call is made, and before any call all before is durable. */
function openPurse(table: Table, key: TurnKey, number: number) {
  const held: WorstCase[] = [];
  return {
    reserve: async (worst: WorstCase) => {
      const settle = table.meter.reserve(turnId(key), worst);
      const index = held.push(worst) - 1;
      if (worst.tokens > 0) await table.writer.write({ kind: "call", turn: key, attempt: number, worst });
      else await table.writer.done();
      return {
        settle: (spent: WorstCase) => {
          held[index] = spent;
          settle(spent);
        },
      };
    },
    spent: (): WorstCase =>
      held.reduce<WorstCase>(
        (sum, part) => ({
          calls: sum.calls + part.calls,
          tokens: sum.tokens + part.tokens,
          usd: sum.usd === null || part.usd === null ? null : sum.usd + part.usd,
        }),
        { calls: 0, tokens: 0, usd: 0 },
      ),
  };
}

/** Reads a recorded attempt again, so that a crash between reply and repair costs nothing; a concluded one was the last. */
function reread<I, O>(turn: TurnToTake<I, O>, body: AttemptBody): Tried<O> {
  const { attempt, conclusion } = body;
  const played = { reply: recordedReply(attempt, turn.key), finish: attempt.finish };
  return {
    attempt,
    read: readReply(turn.role, turn.input, turn.request.prompt, played),
    final: conclusion !== null,
    conclusion,
  };
}

/** A recorded conclusion must be what its replies lead to; else code changed since, or the journal was written by someone else. */
function requireFollows<I, O>(turn: TurnToTake<I, O>, tries: Tried<O>[], conclusion: Conclusion): void {
  if (canonicalJson(conclude(turn, tries)) === canonicalJson(conclusion)) return;
  throw new ParleyError(
    "drifted",
    `${turnId(turn.key)} has drifted: its recorded reply no longer leads to what was recorded of it. Code changed since, or the journal was edited; restore it, or start a new run.`,
    { details: { turn: turnId(turn.key) } },
  );
}

function rawOf(played: Played): string {
  return "text" in played.reply ? played.reply.text : JSON.stringify(played.reply.value ?? null);
}

function recordOf<I, O>(turn: TurnToTake<I, O>, tries: Tried<O>[], conclusion: Conclusion): Turn {
  const attempts = tries.map((tried) => tried.attempt);
  return {
    key: turn.key,
    player: turn.player.id,
    promptHash: turn.request.promptHash,
    requestHash: turn.request.requestHash,
    attempts,
    status: conclusion.status,
    reply: conclusion.reply,
    problems: conclusion.problems,
    usage: attempts.map((attempt) => attempt.usage).reduce(addUsage, noUsage),
  };
}
