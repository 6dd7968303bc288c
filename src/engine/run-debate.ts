import type { Budget, WorstCase } from "../contract/budget.ts";
import { Abstained, hasCode, ParleyError } from "../contract/error.ts";
import type { DebateEvent } from "../contract/journal.ts";
import type { Challenge } from "../contract/run.ts";
import type { DebateResult, Outcome } from "../contract/result.ts";
import { countQuorum, createMeter, openAttemptBudget, sumUsage } from "./budget.ts";
import { type DebateEnvironment, type OpenDebate, openDebate } from "./open-debate.ts";
import { hashValue } from "./hash.ts";
import { createMemoryJournal, type Journal, openJournal, type Past, recall } from "./journal.ts";
import type { Embed, Finished, Pack, Undecided, Verdict } from "./pack.ts";
import type { Cast, TurnContext } from "./player.ts";

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
  /** Makes the embedding model that the material is prepared with; its calls draw on the debate's budget. */
  openEmbed?(call: Pick<TurnContext, "reserve" | "signal">): Embed;
  manifest?: unknown;
  challenge?: Challenge;
  onEvent?(event: DebateEvent): void;
  nowMs?(): number;
};

/** The surroundings of a debate, with what only its runner needs. */
type Surroundings = DebateEnvironment & {
  material: Past["material"];
  /** What calls that died with an earlier process may have cost. */
  lost: WorstCase;
  /** True when whoever runs the debate wants it stopped. */
  isStopped(): boolean;
};

/** Runs a debate to its end, or on from where its journal stops. Only operational failures become an outcome; bugs throw. */
export async function runDebate<I, C, D, M = null>(options: DebateOptions<I, C, D, M>): Promise<Finished<I, C, D, M>> {
  const { pack, input, config, journal = createMemoryJournal() } = options;
  const around = openSurroundings(options, journal);
  const material = await findMaterial(options, around);
  const opened = openDebate(around);
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

/** The journaled material; prepared and journaled when there is none yet. Both ways it has passed the schema as JSON. */
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

/** A longer timer would fire at once; the meter alone keeps such a limit. */
const longestTimerMs = 2 ** 31 - 1;

function withTimeLimit(signal: AbortSignal | undefined, wallLeftMs: number | null): AbortSignal {
  const own = signal ?? new AbortController().signal;
  if (wallLeftMs === null || wallLeftMs > longestTimerMs) return own;
  return AbortSignal.any([own, AbortSignal.timeout(Math.max(0, Math.ceil(wallLeftMs)))]);
}

type Ending = { outcome: Outcome; reasons: string[]; decision: unknown };

/** Runs a protocol; an operational failure ends it with the decision that stands. */
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

/** Trouble that stops this process but leaves the run to be resumed. */
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
    promptTokens: opened.promptTokens(),
    notes: [...opened.notes],
  };
}
