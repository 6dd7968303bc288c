import { ParleyError } from "../contract/error.ts";
import type { DebateEvent } from "../contract/event.ts";
import type { AttemptBody } from "../contract/journal.ts";
import type { Note } from "../contract/result.ts";
import { type Turn, type TurnKey, turnIdOf } from "../contract/turn.ts";
import { deriveSeed } from "../text/random.ts";
import { sumUsage } from "./add-usage.ts";
import { askRoles } from "./ask-roles.ts";
import type { Debate } from "./debate.ts";
import { createDriftError } from "./drift.ts";
import type { Journal } from "./journal.ts";
import type { Cast } from "./player.ts";
import type { Piece } from "./prompt-pieces.ts";
import { createPromptTally, type PromptTally, type PromptTokens } from "./prompt-tally.ts";
import { countQuorum } from "./quorum.ts";
import { createRenderer } from "./render-prompt.ts";
import { type Request, buildRequest } from "./request.ts";
import type { Role } from "./role.ts";
import { takeTurn, type TurnEnvironment } from "./take-turn.ts";

/** Everything a debate needs from its surroundings. */
export type DebateEnvironment = Omit<TurnEnvironment, "seedOf" | "onText"> & {
  cast: Cast;
  seed: number;
  journal: Journal;
  /** The attempts that an earlier process made, by turn. */
  recorded: Map<string, AttemptBody[]>;
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
type Course = {
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
export function createDebate(environment: DebateEnvironment): OpenDebate {
  const course = startCourse();
  const taken = (): Turn[] => course.turns.filter((turn) => turn !== null);
  const play = createPlay(environment, course);
  return {
    debate: {
      seed: environment.seed,
      ...askRoles((role, input, step) => notePlaying(course, play(role, input, step))),
      ...keepRecord(environment, course),
      isProgram: (role) => taken().findLast(({ key }) => key.role === role)?.player === "expert",
      quorum: () => countQuorum(taken()),
      usage: () => sumUsage(taken().map(({ usage }) => usage)),
    },
    async close() {
      course.isOver = true;
      await Promise.allSettled(course.playing);
    },
    turns: taken,
    notes: course.notes,
    promptTokens: course.prompts.tokens,
    standing: () => course.standing(),
  };
}

function startCourse(): Course {
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
function keepRecord({ emit }: DebateEnvironment, course: Course): Pick<Debate, "round" | "note" | "standing"> {
  return {
    async round(n, body) {
      if (course.round !== 0) throw new Error(`round ${n} was opened inside round ${course.round}`);
      course.round = n;
      emit({ type: "round_started", round: n });
      try {
        return await body();
      } finally {
        course.round = 0;
      }
    },
    note(type, data) {
      const note: Note = { type, round: course.round, data };
      course.notes.push(note);
      emit({ type: "note", note });
    },
    standing(decide) {
      course.standing = decide;
    },
  };
}

/** Plays roles as turns of the debate, taken from the journal as far as it goes. */
function createPlay(environment: DebateEnvironment, course: Course) {
  const { cast, emit, journal, seed } = environment;
  const turnEnvironment: TurnEnvironment = {
    ...environment,
    seedOf: (key) => deriveSeed(`${seed}\n${turnIdOf(key)}`),
    onText: (key, text) => emit({ type: "text", key, text }),
  };
  return async <I, O>(role: Role<I, O>, input: I, step: string): Promise<Turn> => {
    const key: TurnKey = { round: course.round, step, role: role.name };
    const id = turnIdOf(key);
    const place = openTurn(course, id);
    const request = buildNextRequest(course, role, input);
    environment.signal.throwIfAborted();
    const player = cast(role.name);
    const recorded = environment.recorded.get(id) ?? [];
    const [first] = recorded;
    if (first && first.requestHash !== request.requestHash) throw await createDriftError(journal, key, first, request);
    emit({ type: "turn_started", key, player: player.id });
    const turn = await takeTurn(turnEnvironment, { key, place, role, input, player, request, recorded });
    course.turns[place] = turn;
    emit({ type: "turn", turn, replayed: recorded.at(-1)?.conclusion != null });
    return turn;
  };
}

/** Gives a turn its place among those asked; one that is asked twice, or too late, is refused. */
function openTurn(course: Course, id: string): number {
  if (course.isOver) throw new ParleyError("interrupted", `${id} was asked after the debate had stopped`);
  if (course.asked.has(id))
    throw new ParleyError("duplicate_turn", `${id} was asked twice; give the second one another step name`);
  course.asked.add(id);
  return course.turns.push(null) - 1;
}

function buildNextRequest<I, O>(course: Course, role: Role<I, O>, input: I): Request {
  const request = buildRequest(role, input, { render: course.render, earlier: course.lastPieces });
  course.lastPieces = request.pieces;
  course.prompts.add(request.pieces);
  return request;
}

/** Notes a turn for the end to wait for; whoever asked for it hears of its failure. */
function notePlaying({ playing }: Course, turn: Promise<Turn>): Promise<Turn> {
  playing.push(turn);
  return turn;
}
