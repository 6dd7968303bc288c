import type { Budget, WorstCase } from "../contract/budget.ts";
import { Abstained, hasCode, ParleyError } from "../contract/error.ts";
import type { DebateEvent, AttemptBody } from "../contract/journal.ts";
import { type Challenge, nameFiled } from "../contract/run.ts";
import type { DebateResult, Outcome, Note } from "../contract/result.ts";
import { countQuorum, createMeter, openAttemptBudget, sumUsage } from "./budget.ts";
import { hashValue } from "./hash.ts";
import { createMemoryJournal, type Journal, openJournal, type Past, recall } from "./journal.ts";
import type { Embed, Finished, Pack, Undecided, Verdict } from "./pack.ts";
import type { Cast, TurnContext } from "./player.ts";
import { type Turn, turnIdOf, type TurnKey, describeProblem } from "../contract/turn.ts";
import { deriveSeed } from "../text/random.ts";
import type { Answer, Debate } from "./debate.ts";
import { findReplyJson } from "./mend-reply.ts";
import { buildRequest, createPromptTally, createRenderer, type Piece } from "./prompt.ts";
import type { AnyRole, Role } from "./role.ts";
import { createDriftError, takeTurn, type TurnEnvironment } from "./turn.ts";

type DebateOptions<I, C, D, M = null> = {
  pack: Pack<I, C, D, M>;
  input: I;
  config: C;
  cast: Cast;
  seed?: number;
  budget?: Budget;
  signal?: AbortSignal;
  journal?: Journal;
  material?: { value: unknown };
  /** Opens the embedding model used to prepare the material; its calls count against the debate's budget. */
  openEmbed?(call: Pick<TurnContext, "reserve" | "signal">): Embed;
  manifest?: unknown;
  challenge?: Challenge;
  onEvent?(event: DebateEvent): void;
  nowMs?(): number;
};

type Surroundings = Omit<TurnEnvironment, "seedOf" | "onText"> & {
  cast: Cast;
  seed: number;
  journal: Journal;
  /** Attempts of an earlier process, by turn. */
  recorded: Map<string, AttemptBody[]>;
  challenge: Challenge | null;
  emit(event: DebateEvent): void;
  material: Past["material"];
  /** Possible cost of calls that died with an earlier process. */
  lost: WorstCase;
  isStopped(): boolean;
};

/** Runs a debate to its end, continuing its journal if there is one. Only operational failures become an outcome; bugs throw. */
export async function runDebate<I, C, D, M = null>(options: DebateOptions<I, C, D, M>): Promise<Finished<I, C, D, M>> {
  const { pack, input, config, journal = createMemoryJournal() } = options;
  const around = openSurroundings(options, journal);
  const material = await findMaterial(options, around);
  const opened = new OpenDebate(around);
  const ending = await runToEnd(around, opened, async () => {
    try {
      return await pack.protocol(opened.debate, { input, material }, config);
    } finally {
      await opened.close();
    }
  });
  const result = assembleResult<D>(around, opened, ending);
  await around.writer.write({ kind: "end", elapsedMs: around.elapsedMs(), lost: around.lost, result });
  around.emit({ type: "ended", result });
  return { input, material, config, result, turns: opened.turns() };
}

/** Returns the journaled material, or prepares and journals it. Either way it has passed the schema as JSON. */
async function findMaterial<I, C, D, M>(
  { pack, input, config, material: given, openEmbed }: DebateOptions<I, C, D, M>,
  { material: journaled, writer, meter, signal }: Surroundings,
): Promise<M> {
  if (journaled) return readMaterial(pack, journaled.value);
  const turn = { round: 0, step: "prepare", role: "embedder" };
  const { reserve } = openAttemptBudget({ meter, writer }, { turn, number: 1, isRepeatable: false });
  const tools = { embed: openEmbed?.({ reserve, signal }) ?? null };
  const prepared: unknown = given ? given.value : await pack.prepare(input, config, tools);
  if (prepared === null) return readMaterial(pack, null);
  const value: unknown = JSON.parse(JSON.stringify(prepared));
  const material = readMaterial(pack, value);
  writer.add({ kind: "material", hash: hashValue(value), value });
  return material;
}

function readMaterial<I, C, D, M>(pack: Pack<I, C, D, M>, value: unknown): M {
  const read = pack.material.safeParse(value);
  if (read.success) return read.data;
  throw new ParleyError("drifted", `the material cannot be read by the ${pack.name} pack: ${read.error.message}`);
}

function openSurroundings<I, C, D, M>(options: DebateOptions<I, C, D, M>, journal: Journal): Surroundings {
  const { cast, seed = 0, budget = {}, signal, manifest = null, onEvent, nowMs = () => performance.now() } = options;
  const past = recall(journal.entries);
  const startedMs = nowMs() - past.elapsedMs;
  const elapsedMs = (): number => nowMs() - startedMs;
  const meter = createMeter(budget, elapsedMs);
  meter.carry(past.spent, past.lost);
  const writer = openJournal(journal);
  if (journal.entries.length === 0) writer.add({ kind: "begin", version: 1, manifestHash: hashValue(manifest) });
  return {
    cast,
    seed,
    journal,
    material: past.material,
    recorded: past.attempts,
    challenge: options.challenge ?? null,
    lost: past.lost,
    writer,
    meter,
    elapsedMs,
    signal: withTimeLimit(signal, budget.wallMs === undefined ? null : budget.wallMs - elapsedMs()),
    isStopped: () => signal?.aborted ?? false,
    emit: (event) => onEvent?.(event),
  };
}

/** Node fires longer timers at once, so only the meter enforces such limits. */
const longestTimerMs = 2 ** 31 - 1;

function withTimeLimit(signal: AbortSignal | undefined, wallLeftMs: number | null): AbortSignal {
  const own = signal ?? new AbortController().signal;
  if (wallLeftMs === null || wallLeftMs > longestTimerMs) return own;
  return AbortSignal.any([own, AbortSignal.timeout(Math.max(0, Math.ceil(wallLeftMs)))]);
}

type Ending = { outcome: Outcome; reasons: string[]; decision: unknown };

/** Runs a protocol; an operational failure ends it with the standing decision. */
async function runToEnd<D>(
  around: Surroundings,
  opened: OpenDebate,
  run: () => Promise<Verdict<D> | Undecided>,
): Promise<Ending> {
  try {
    const { outcome, reasons, decision } = await run();
    return { outcome, reasons, decision: decision ?? null };
  } catch (error) {
    const cause = await around.writer.done().then(
      () => error,
      (failure: unknown) => failure,
    );
    if (around.isStopped()) throw new ParleyError("interrupted", "the run was interrupted", { cause });
    const outcome = classifyError(around, cause);
    if (outcome === null) throw cause;
    return { outcome, reasons: [(cause as Error).message], decision: opened.standing() };
  }
}

function classifyError(around: Surroundings, error: unknown): Outcome | null {
  if (error instanceof Abstained) return "undecided";
  if (hasCode(error, "budget_exhausted") || around.signal.aborted) return "budget_exhausted";
  if (!(error instanceof ParleyError)) return null;
  return resumable.has(error.code) || error.code === "bad_cast" ? null : "failed";
}

/** Errors that stop this process but leave the run resumable. */
const resumable = new Set(
  "parked interrupted drifted not_recorded store_failed corrupt_store run_locked lost_lease".split(" "),
);

function assembleResult<D>({ meter }: Surroundings, opened: OpenDebate, ending: Ending): DebateResult<D> {
  const turns = opened.turns();
  return {
    version: 1,
    outcome: ending.outcome,
    reasons: ending.reasons,
    decision: ending.decision as D | null,
    quorum: countQuorum(turns),
    usage: sumUsage(turns.map((turn) => turn.usage)),
    spend: meter.spend(),
    promptTokens: opened.prompts.tokens(),
    notes: [...opened.notes],
  };
}

/** A debate with the controls its runner needs. */
class OpenDebate {
  readonly #environment: Surroundings;
  readonly #turnEnvironment: TurnEnvironment;
  /** In the order they were asked; null while a turn is in progress. */
  readonly #taken: (Turn | null)[] = [];
  readonly #asked = new Set<string>();
  readonly #render = createRenderer();
  /** The next prompt may share its beginning with this one. */
  #lastPieces: readonly Piece[] = [];
  readonly #playing: Promise<Turn>[] = [];
  #round = 0;
  #isOver = false;
  readonly notes: Note[] = [];
  readonly prompts = createPromptTally();
  /** The decision if the debate stopped now. */
  standing: () => unknown = () => null;
  readonly debate: Debate;

  constructor(environment: Surroundings) {
    const { seed, emit } = environment;
    this.#environment = environment;
    this.debate = {
      seed,
      ...askRoles((role, input, step) => {
        const turn = this.#play(role, input, step);
        this.#playing.push(turn);
        return turn;
      }),
      round: (n, body) => this.#holdRound(n, body),
      note: (type, data) => this.#note({ type, round: this.#round, data }),
      standing: (decide) => {
        this.standing = decide;
      },
      isProgram: (role) => this.turns().findLast(({ key }) => key.role === role)?.player === "expert",
      quorum: () => countQuorum(this.turns()),
      usage: () => sumUsage(this.turns().map(({ usage }) => usage)),
    };
    this.#turnEnvironment = {
      ...environment,
      seedOf: (key) => deriveSeed(`${seed}\n${turnIdOf(key)}`),
      onText: (key, text) => emit({ type: "text", key, text }),
    };
  }

  /** Stops asking and waits for turns in flight: paid replies are kept, and nothing is written afterwards. */
  async close(): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled(this.#playing);
  }

  /** In the order they were asked. */
  turns(): Turn[] {
    return this.#taken.filter((turn) => turn !== null);
  }

  async #holdRound<T>(n: number, body: () => Promise<T>): Promise<T> {
    if (this.#round !== 0) throw new Error(`round ${n} was opened inside round ${this.#round}`);
    this.#round = n;
    this.#environment.emit({ type: "round_started", round: n });
    try {
      return await body();
    } finally {
      this.#round = 0;
    }
  }

  #note(note: Note): void {
    this.notes.push(note);
    this.#environment.emit({ type: "note", note });
  }

  /** Plays a role, using recorded attempts first. */
  async #play<I, O>(role: Role<I, O>, input: I, step: string): Promise<Turn> {
    const { cast, emit, journal, challenge, signal } = this.#environment;
    const key: TurnKey = { round: this.#round, step, role: role.name };
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

  /** Registers a turn; one asked twice, or after the end, is refused. */
  #open(id: string): number {
    if (this.#isOver) throw new ParleyError("interrupted", `${id} was asked after the debate had stopped`);
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

/** Adds a challenge to a role's prompt as one more fenced block. */
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

/** Builds `ask`, `tryAsk` and `askAll` on a function that plays one role. */
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

/** Answers in the order of the roles; `first` is set when the first reply fits the schema. */
function answersOf<I, O>(roles: readonly Role<I, O>[], turns: readonly (Turn | null)[]): Answer<O>[] {
  return turns.flatMap((turn, index) => {
    if (turn === null || turn.status === "abstained") return [];
    const { key, reply, player, attempts } = turn;
    const [before, repaired] = attempts;
    const first = before && repaired && roles[index]?.reply.safeParse(findReplyJson(before.raw)[0]?.value).data;
    return [{ role: key.role, reply: reply as O, player, first: first ?? null }];
  });
}

/** Throws the first failure; real failures go before turns that wait for a person. */
function throwFailure(settled: PromiseSettledResult<void>[]): void {
  const failures = settled.filter((one) => one.status === "rejected").map((one) => one.reason as unknown);
  const failure = failures.find((reason) => !hasCode(reason, "parked")) ?? failures[0];
  if (failure !== undefined) throw failure;
}
