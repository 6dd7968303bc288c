import { hasCode, ParleyError } from "../contract/error.ts";
import type { DebateEvent } from "../contract/event.ts";
import type { AttemptBody } from "../contract/journal.ts";
import { type Challenge, nameFiled } from "../contract/run.ts";
import type { Note } from "../contract/result.ts";
import { type Turn, turnIdOf, type TurnKey, describeProblem } from "../contract/turn.ts";
import { deriveSeed } from "../text/random.ts";
import { countQuorum, sumUsage } from "./budget.ts";
import { Abstained, type Answer, type Debate } from "./debate.ts";
import { findReplyJson } from "./mend-reply.ts";
import type { Journal } from "./journal.ts";
import type { Cast } from "./player.ts";
import {
  buildRequest,
  createPromptTally,
  createRenderer,
  type Piece,
  type PromptTally,
  type PromptTokens,
  type Request,
} from "./prompt.ts";
import type { Role } from "./role.ts";
import { createDriftError, takeTurn, type TurnEnvironment } from "./turn.ts";

/** Everything a debate needs from its surroundings. */
export type DebateEnvironment = Omit<TurnEnvironment, "seedOf" | "onText"> & {
  cast: Cast;
  seed: number;
  journal: Journal;
  /** The attempts that an earlier process made, by turn. */
  recorded: Map<string, AttemptBody[]>;
  challenge: Challenge | null;
  emit(event: DebateEvent): void;
};

/** A debate for a protocol to talk to, and for its runner to close and report on. */
export type OpenDebate = {
  debate: Debate;
  /** Asks nothing more and waits for the turns in flight: what was paid for is kept, and nothing is written after the end. */
  close(): Promise<void>;
  /** The turns taken so far, in the order they were asked. */
  turns(): Turn[];
  notes: readonly Note[];
  promptTokens(): PromptTokens;
  /** The decision that would stand if the debate stopped now. */
  standing(): unknown;
};

/** How far a debate has come. */
type Progress = {
  round: number;
  isOver: boolean;
  standing(): unknown;
  notes: Note[];
  /** In the order they were asked; null until a turn has been taken. */
  turns: (Turn | null)[];
  asked: Set<string>;
  playing: Promise<Turn>[];
  prompts: PromptTally;
  render: ReturnType<typeof createRenderer>;
  /** The pieces of the last prompt; the next one may begin like it. */
  lastPieces: readonly Piece[];
};

/** Opens a debate in its surroundings. */
export function openDebate(environment: DebateEnvironment): OpenDebate {
  const progress = startProgress();
  const taken = (): Turn[] => progress.turns.filter((turn) => turn !== null);
  const play = createPlay(environment, progress);
  return {
    debate: {
      seed: environment.seed,
      ...askRoles((role, input, step) => notePlaying(progress, play(role, input, step))),
      ...keepRecord(environment, progress),
      isProgram: (role) => taken().findLast(({ key }) => key.role === role)?.player === "expert",
      quorum: () => countQuorum(taken()),
      usage: () => sumUsage(taken().map(({ usage }) => usage)),
    },
    async close() {
      progress.isOver = true;
      await Promise.allSettled(progress.playing);
    },
    turns: taken,
    notes: progress.notes,
    promptTokens: progress.prompts.tokens,
    standing: () => progress.standing(),
  };
}

function startProgress(): Progress {
  return {
    round: 0,
    isOver: false,
    standing: () => null,
    notes: [],
    turns: [],
    asked: new Set(),
    playing: [],
    prompts: createPromptTally(),
    render: createRenderer(),
    lastPieces: [],
  };
}

/** The part of a debate that says where it stands: rounds, notes, the standing decision. */
function keepRecord({ emit }: DebateEnvironment, progress: Progress): Pick<Debate, "round" | "note" | "standing"> {
  return {
    async round(n, body) {
      if (progress.round !== 0) throw new Error(`round ${n} was opened inside round ${progress.round}`);
      progress.round = n;
      emit({ type: "round_started", round: n });
      try {
        return await body();
      } finally {
        progress.round = 0;
      }
    },
    note(type, data) {
      const note: Note = { type, round: progress.round, data };
      progress.notes.push(note);
      emit({ type: "note", note });
    },
    standing(decide) {
      progress.standing = decide;
    },
  };
}

/** Plays roles as turns of the debate, taken from the journal as far as it goes. */
function createPlay(environment: DebateEnvironment, progress: Progress) {
  const { cast, emit, journal, seed } = environment;
  const turnEnvironment: TurnEnvironment = {
    ...environment,
    seedOf: (key) => deriveSeed(`${seed}\n${turnIdOf(key)}`),
    onText: (key, text) => emit({ type: "text", key, text }),
  };
  return async <I, O>(role: Role<I, O>, input: I, step: string): Promise<Turn> => {
    const key: TurnKey = { round: progress.round, step, role: role.name };
    const id = turnIdOf(key);
    const place = openTurn(progress, id);
    const isContested = environment.challenge?.turns.includes(id) === true;
    const request = buildNextRequest(progress, isContested ? addChallenge(role, environment.challenge) : role, input);
    environment.signal.throwIfAborted();
    const player = cast(role.name);
    const recorded = environment.recorded.get(id) ?? [];
    const [first] = recorded;
    if (first && first.requestHash !== request.requestHash) throw await createDriftError(journal, key, first, request);
    emit({ type: "turn_started", key, player: player.id });
    const turn = await takeTurn(turnEnvironment, { key, place, role, input, player, request, recorded });
    progress.turns[place] = turn;
    emit({ type: "turn", turn, replayed: recorded.at(-1)?.conclusion != null });
    return turn;
  };
}

/** Gives a turn its place among those asked; one that is asked twice, or too late, is refused. */
function openTurn(progress: Progress, id: string): number {
  if (progress.isOver) throw new ParleyError("interrupted", `${id} was asked after the debate had stopped`);
  if (progress.asked.has(id))
    throw new ParleyError("duplicate_turn", `${id} was asked twice; give the second one another step name`);
  progress.asked.add(id);
  return progress.turns.push(null) - 1;
}

/** A role that is told of a challenge to what it said, as one more fenced block. */
function addChallenge<I, O>(role: Role<I, O>, challenge: Challenge | null): Role<I, O> {
  const label =
    "a challenge to what was said here: weigh its evidence, cite it by its id, then keep, change or withdraw";
  const evidence = challenge?.evidence.map((text, at) => ({ id: nameFiled(at + 1), text }));
  const json = challenge && { filed_by: challenge.by, statement: challenge.statement, evidence };
  return {
    ...role,
    prompt(input) {
      const prompt = role.prompt(input);
      return { ...prompt, own: [...prompt.own, { label, json }] };
    },
  };
}

function buildNextRequest<I, O>(progress: Progress, role: Role<I, O>, input: I): Request {
  const request = buildRequest(role, input, { render: progress.render, earlier: progress.lastPieces });
  progress.lastPieces = request.pieces;
  progress.prompts.add(request.pieces);
  return request;
}

/** Notes a turn for the end to wait for; whoever asked for it hears of its failure. */
function notePlaying({ playing }: Progress, turn: Promise<Turn>): Promise<Turn> {
  playing.push(turn);
  return turn;
}

/** Plays a role once, under a step name. */
export type Play = <I, O>(role: Role<I, O>, input: I, step: string) => Promise<Turn>;

/** The ways in which a protocol can ask, built on a function that plays one role. */
export function askRoles(play: Play): Pick<Debate, "ask" | "tryAsk" | "askAll"> {
  return {
    async ask<I, O>(role: Role<I, O>, input: I, step = role.name): Promise<O> {
      const turn = await play(role, input, step);
      if (turn.status === "abstained") throw new Abstained(role.name, turn.problems.map(describeProblem).join("; "));
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
        onAnswers?.(answersOf(roles, played));
      });
      throwFailure(await Promise.allSettled(playing));
      return answersOf(roles, played);
    },
  };
}

/** The answers among the turns, in their order. */
function answersOf<I, O>(roles: readonly Role<I, O>[], turns: readonly (Turn | null)[]): Answer<O>[] {
  return turns.flatMap((turn, index) => {
    if (turn === null || turn.status === "abstained") return [];
    const first = turn.attempts.length > 1 ? readFirst(roles[index], turn.attempts[0]?.raw ?? "") : null;
    return [{ role: turn.key.role, reply: turn.reply as O, player: turn.player, first }];
  });
}

/** What a first reply said, when it fits the schema as it stands. */
function readFirst<I, O>(role: Role<I, O> | undefined, raw: string): O | null {
  const parsed = role?.reply.safeParse(findReplyJson(raw)[0]?.value);
  return parsed?.success ? parsed.data : null;
}

/** Throws the first failure, if there is one; a turn that waits for a person gives way to a real failure. */
function throwFailure(settled: PromiseSettledResult<void>[]): void {
  const failures = settled.filter((one) => one.status === "rejected").map((one) => one.reason as unknown);
  const failure = failures.find((reason) => !hasCode(reason, "parked")) ?? failures[0];
  if (failure !== undefined) throw failure;
}
