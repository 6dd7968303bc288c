import { Abstained, hasCode, ParleyError } from "../contract/error.ts";
import type { DebateEvent, AttemptBody } from "../contract/journal.ts";
import { type Challenge, nameFiled } from "../contract/run.ts";
import type { Note } from "../contract/result.ts";
import { type Turn, turnIdOf, type TurnKey, describeProblem } from "../contract/turn.ts";
import { deriveSeed } from "../text/random.ts";
import { countQuorum, sumUsage } from "./budget.ts";
import type { Answer, Debate } from "./debate.ts";
import { findReplyJson } from "./mend-reply.ts";
import type { Journal } from "./journal.ts";
import type { Cast } from "./player.ts";
import { buildRequest, createPromptTally, createRenderer, type Piece, type PromptTokens } from "./prompt.ts";
import type { AnyRole, Role } from "./role.ts";
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

/** Opens a debate in its surroundings. */
export function openDebate(environment: DebateEnvironment): OpenDebate {
  const table = new RoundTable(environment);
  const play: Play = (role, input, step) => {
    const turn = table.play(role, input, step);
    table.playing.push(turn);
    return turn;
  };
  return {
    debate: {
      seed: environment.seed,
      ...askRoles(play),
      round: (n, body) => table.holdRound(n, body),
      note: (type, data) => table.note({ type, round: table.round, data }),
      standing: (decide) => {
        table.standing = decide;
      },
      isProgram: (role) => table.turns().findLast(({ key }) => key.role === role)?.player === "expert",
      quorum: () => countQuorum(table.turns()),
      usage: () => sumUsage(table.turns().map(({ usage }) => usage)),
    },
    async close() {
      table.isOver = true;
      await Promise.allSettled(table.playing);
    },
    turns: () => table.turns(),
    notes: table.notes,
    promptTokens: () => table.prompts.tokens(),
    standing: () => table.standing(),
  };
}

/** How far a debate has come. */
class RoundTable {
  readonly #environment: DebateEnvironment;
  readonly #turnEnvironment: TurnEnvironment;
  /** In the order they were asked; null until a turn has been taken. */
  readonly #taken: (Turn | null)[] = [];
  readonly #asked = new Set<string>();
  readonly #render = createRenderer();
  /** The next prompt may begin like the last one. */
  #lastPieces: readonly Piece[] = [];
  readonly notes: Note[] = [];
  readonly playing: Promise<Turn>[] = [];
  readonly prompts = createPromptTally();
  round = 0;
  isOver = false;
  standing: () => unknown = () => null;

  constructor(environment: DebateEnvironment) {
    const { seed, emit } = environment;
    this.#environment = environment;
    this.#turnEnvironment = {
      ...environment,
      seedOf: (key) => deriveSeed(`${seed}\n${turnIdOf(key)}`),
      onText: (key, text) => emit({ type: "text", key, text }),
    };
  }

  turns(): Turn[] {
    return this.#taken.filter((turn) => turn !== null);
  }

  async holdRound<T>(n: number, body: () => Promise<T>): Promise<T> {
    if (this.round !== 0) throw new Error(`round ${n} was opened inside round ${this.round}`);
    this.round = n;
    this.#environment.emit({ type: "round_started", round: n });
    try {
      return await body();
    } finally {
      this.round = 0;
    }
  }

  note(note: Note): void {
    this.notes.push(note);
    this.#environment.emit({ type: "note", note });
  }

  /** Plays a role as a turn, taken from the journal as far as it goes. */
  async play<I, O>(role: Role<I, O>, input: I, step: string): Promise<Turn> {
    const { cast, emit, journal, challenge, signal } = this.#environment;
    const key: TurnKey = { round: this.round, step, role: role.name };
    const id = turnIdOf(key);
    const place = this.#open(id);
    const request = this.#buildRequest(challenge?.turns.includes(id) ? addChallenge(role, challenge) : role, input);
    signal.throwIfAborted();
    const player = cast(role.name);
    const recorded = this.#environment.recorded.get(id) ?? [];
    const [first] = recorded;
    if (first && first.requestHash !== request.requestHash) throw await createDriftError(journal, key, first, request);
    emit({ type: "turn_started", key, player: player.id });
    const turn = await takeTurn(this.#turnEnvironment, { key, place, role, input, player, request, recorded });
    this.#taken[place] = turn;
    emit({ type: "turn", turn, replayed: recorded.at(-1)?.conclusion != null });
    return turn;
  }

  /** Gives a turn its place among those asked; one that is asked twice, or too late, is refused. */
  #open(id: string): number {
    if (this.isOver) throw new ParleyError("interrupted", `${id} was asked after the debate had stopped`);
    if (this.#asked.has(id))
      throw new ParleyError("duplicate_turn", `${id} was asked twice; give the second one another step name`);
    this.#asked.add(id);
    return this.#taken.push(null) - 1;
  }

  #buildRequest(role: AnyRole, input: unknown) {
    const request = buildRequest(role, input, { render: this.#render, earlier: this.#lastPieces });
    this.#lastPieces = request.pieces;
    this.prompts.add(request.pieces);
    return request;
  }
}

/** A role that is told of a challenge to what it said, as one more fenced block. */
function addChallenge<I, O>(role: Role<I, O>, { by, statement, evidence }: Challenge): Role<I, O> {
  const label =
    "a challenge to what was said here: weigh its evidence, cite it by its id, then keep, change or withdraw";
  const filed = evidence.map((text, at) => ({ id: nameFiled(at + 1), text }));
  return {
    ...role,
    prompt(input) {
      const prompt = role.prompt(input);
      return { ...prompt, own: [...prompt.own, { label, json: { filed_by: by, statement, evidence: filed } }] };
    },
  };
}

type Play = <I, O>(role: Role<I, O>, input: I, step: string) => Promise<Turn>;

/** The ways in which a protocol can ask, built on a function that plays one role. */
function askRoles(play: Play): Pick<Debate, "ask" | "tryAsk" | "askAll"> {
  return {
    async ask(role, input, step = role.name) {
      const { status, reply, problems } = await play(role, input, step);
      if (status === "abstained") throw new Abstained(role.name, problems.map(describeProblem).join("; "));
      return reply as never;
    },
    async tryAsk(role, input, step = role.name) {
      const { status, reply } = await play(role, input, step);
      return status === "abstained" ? null : (reply as never);
    },
    async askAll(step, roles, inputOf, onAnswers) {
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

/** The answers among the turns, in their order; `first` is a first reply that fits the schema as it stands. */
function answersOf<I, O>(roles: readonly Role<I, O>[], turns: readonly (Turn | null)[]): Answer<O>[] {
  return turns.flatMap((turn, index) => {
    if (turn === null || turn.status === "abstained") return [];
    const { key, reply, player, attempts } = turn;
    const [before, repaired] = attempts;
    const first = before && repaired && roles[index]?.reply.safeParse(findReplyJson(before.raw)[0]?.value).data;
    return [{ role: key.role, reply: reply as O, player, first: first ?? null }];
  });
}

/** Throws the first failure, if there is one; a turn that waits for a person gives way to a real failure. */
function throwFailure(settled: PromiseSettledResult<void>[]): void {
  const failures = settled.filter((one) => one.status === "rejected").map((one) => one.reason as unknown);
  const failure = failures.find((reason) => !hasCode(reason, "parked")) ?? failures[0];
  if (failure !== undefined) throw failure;
}
