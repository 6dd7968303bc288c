import type { WorstCase } from "../contract/budget.ts";
import { hasCode, ParleyError } from "../contract/error.ts";
import type { DebateEvent } from "../contract/event.ts";
import type { AttemptBody } from "../contract/journal.ts";
import type { Note } from "../contract/result.ts";
import { type Turn, type TurnKey, turnId } from "../contract/turn.ts";
import { addUsage, noUsage } from "../contract/usage.ts";
import { Abstained, type Answer, type Debate } from "./debate.ts";
import { drift } from "./drift.ts";
import type { Journal } from "./journal.ts";
import type { Cast } from "./player.ts";
import { type Piece, roughTokens } from "./prompt-pieces.ts";
import { type Request, requestOf } from "./request.ts";
import type { AnyRole, Role } from "./role.ts";
import { quorumOf } from "./quorum.ts";
import { seedFrom } from "../text/random.ts";
import { type Table, takeTurn } from "./take-turn.ts";

/** Everything a debate needs of its surroundings. */
export type Bench = Omit<Table, "seedOf" | "onText"> & {
  cast: Cast;
  seed: number;
  journal: Journal;
  recorded: Map<string, AttemptBody[]>;
  /** What calls that died with an earlier process may have cost. */
  lost: WorstCase;
  stopped(): boolean;
  emit(event: DebateEvent): void;
  notes: Note[];
  prefix: { total: number; prefix: number };
};

/** The debate that a protocol talks to, with its turns in the order they were asked. */
export function createDebate(bench: Bench) {
  const turns: (Turn | null)[] = [];
  const asked = new Set<string>();
  const tokensOfPiece = new Map<string, number>();
  let lastPieces: readonly Piece[] = [];
  const playing = new Set<Promise<Turn>>();
  let isOver = false;
  let round = 0;
  let standing = (): unknown => null;
  const done = (): Turn[] => turns.filter((turn) => turn !== null);
  const table: Table = {
    ...bench,
    seedOf: (key) => seedFrom(`${bench.seed}\n${turnId(key)}`),
    onText: (key, text) => bench.emit({ type: "text", key, text }),
  };

  const open = (role: AnyRole, step: string): { key: TurnKey; place: number } => {
    const key = { round, step, role: role.name };
    if (isOver) throw new ParleyError("interrupted", `${turnId(key)} was asked after the debate had stopped`);
    if (asked.has(turnId(key)))
      throw new ParleyError("duplicate_turn", `${turnId(key)} was asked twice; give the second one another step name`);
    asked.add(turnId(key));
    return { key, place: turns.push(null) - 1 };
  };

  function play<I, O>(role: Role<I, O>, input: I, step: string): Promise<Turn> {
    const turn = takeUp(role, input, step);
    playing.add(turn);
    turn.catch(() => undefined).finally(() => playing.delete(turn));
    return turn;
  }

  async function takeUp<I, O>(role: Role<I, O>, input: I, step: string): Promise<Turn> {
    const { key, place } = open(role, step);
    const request = requestOf(role, input, lastPieces);
    lastPieces = request.pieces;
    countPrefix(bench.prefix, tokensOfPiece, request);
    bench.signal.throwIfAborted();
    const player = bench.cast(role.name);
    const recorded = bench.recorded.get(turnId(key)) ?? [];
    const [first] = recorded;
    if (first && first.requestHash !== request.requestHash) throw await drift(bench.journal, key, first, request);
    bench.emit({ type: "turn_started", key, player: player.id });
    const turn = await takeTurn(table, { key, place, role, input, player, request, recorded });
    turns[place] = turn;
    bench.emit({ type: "turn", turn, replayed: recorded.at(-1)?.conclusion != null });
    return turn;
  }

  const debate: Debate = {
    seed: bench.seed,
    async ask<I, O>(role: Role<I, O>, input: I, step = role.name): Promise<O> {
      const turn = await play(role, input, step);
      if (turn.status === "abstained")
        throw new Abstained(role.name, turn.problems.map((one) => one.message).join("; "));
      return turn.reply as O;
    },
    async tryAsk<I, O>(role: Role<I, O>, input: I, step = role.name): Promise<O | null> {
      const turn = await play(role, input, step);
      return turn.status === "abstained" ? null : (turn.reply as O);
    },
    async askAll<I, O>(
      step: string,
      roles: Role<I, O>[],
      inputOf: (role: Role<I, O>, index: number) => I,
      onAnswers?: (answers: Answer<O>[]) => void,
    ) {
      const played: (Turn | null)[] = roles.map(() => null);
      const playing = roles.map(async (role, index) => {
        played[index] = await play(role, inputOf(role, index), step);
        onAnswers?.(answersOf<O>(played));
      });
      allOrThrow(await Promise.allSettled(playing));
      return answersOf<O>(played);
    },
    async round(n, body) {
      if (round !== 0) throw new Error(`round ${n} was opened inside round ${round}`);
      round = n;
      bench.emit({ type: "round_started", round: n });
      try {
        return await body();
      } finally {
        round = 0;
      }
    },
    note(type, data) {
      const note: Note = { type, round, data };
      bench.notes.push(note);
      bench.emit({ type: "note", note });
    },
    standing: (decide) => {
      standing = decide;
    },
    quorum: () => quorumOf(done()),
    usage: () =>
      done()
        .map(({ usage }) => usage)
        .reduce(addUsage, noUsage),
  };
  /** Asks nothing more and waits for the turns in flight: what was paid for is kept, and nothing is written after the end. */
  const close = async (): Promise<void> => {
    isOver = true;
    await Promise.allSettled(playing);
  };
  return { debate, turns: done, standing: () => standing(), close };
}

/** The answers among the turns, in their order. */
function answersOf<O>(turns: readonly (Turn | null)[]): Answer<O>[] {
  return turns
    .filter((turn) => turn !== null && turn.status !== "abstained")
    .map((turn) => ({ role: turn?.key.role ?? "", reply: turn?.reply as O }));
}

/** All values, or the first failure once every turn has settled; a waiting person yields to a real failure. */
function allOrThrow<T>(settled: PromiseSettledResult<T>[]): T[] {
  const failures = settled.filter((one) => one.status === "rejected").map((one) => one.reason as unknown);
  const failure = failures.find((reason) => !hasCode(reason, "parked")) ?? failures[0];
  if (failure !== undefined) throw failure;
  return settled.filter((one) => one.status === "fulfilled").map((one) => one.value);
}

/** Counts a prompt's tokens, and those that an earlier prompt began with: `known` are the pieces of earlier prompts. */
function countPrefix(count: Bench["prefix"], known: Map<string, number>, request: Request): void {
  for (const piece of request.pieces) {
    const before = known.get(piece.hash);
    const tokens = before ?? roughTokens(piece.text);
    count.total += tokens;
    if (before === undefined) known.set(piece.hash, tokens);
    else count.prefix += tokens;
  }
}
