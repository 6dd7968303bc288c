import type { Budget } from "../contract/budget.ts";
import { hasCode, ParleyError } from "../contract/error.ts";
import type { DebateEvent } from "../contract/event.ts";
import type { DebateResult, Outcome } from "../contract/result.ts";
import type { Turn } from "../contract/turn.ts";
import { addUsage, noUsage } from "../contract/usage.ts";
import { Abstained } from "./debate.ts";
import { hashOf } from "./hash.ts";
import { type Journal, memoryJournal, openJournal } from "./journal.ts";
import { createMeter } from "./meter.ts";
import type { Finished, Pack, Verdict } from "./pack.ts";
import type { Cast } from "./player.ts";
import { quorumOf } from "./quorum.ts";
import { type Bench, createDebate } from "./create-debate.ts";
import { recall } from "./recall.ts";

/** What a debate is run with. */
export type DebateOptions<I, C, D> = {
  pack: Pack<I, C, D>;
  input: I;
  config: C;
  cast: Cast;
  seed?: number;
  budget?: Budget;
  signal?: AbortSignal;
  journal?: Journal;
  /** What the journal's first entry vouches for. */
  manifest?: unknown;
  onEvent?(event: DebateEvent): void;
  nowMs?(): number;
};

/** Runs a debate to its end, or on from where its journal stops. Only operational failures become an outcome; bugs throw. */
export async function runDebate<I, C, D>(options: DebateOptions<I, C, D>): Promise<Finished<I, C, D>> {
  const { pack, input, config, journal = memoryJournal() } = options;
  const bench = openBench(options, journal);
  const { debate, turns, standing, close } = createDebate(bench);
  const ending = await endOf(bench, standing, async () => {
    try {
      return await pack.protocol(debate, input, config);
    } finally {
      await close();
    }
  });
  const result = resultOf<D>(bench, turns(), ending);
  await bench.writer.write({ kind: "end", elapsedMs: bench.elapsedMs(), lost: bench.lost, result });
  bench.emit({ type: "ended", result });
  return { input, config, result, turns: turns() };
}

function openBench<I, C, D>(options: DebateOptions<I, C, D>, journal: Journal): Bench {
  const now = options.nowMs ?? (() => performance.now());
  const past = recall(journal.entries);
  const startedMs = now() - past.elapsedMs;
  const elapsedMs = (): number => now() - startedMs;
  const meter = createMeter(options.budget ?? {}, elapsedMs);
  meter.carry(past.spent, past.lost);
  const writer = openJournal(journal);
  if (journal.entries.length === 0)
    writer.add({ kind: "begin", version: 1, manifestHash: hashOf(options.manifest ?? null) });
  const wallLeftMs = options.budget?.wallMs === undefined ? null : options.budget.wallMs - elapsedMs();
  return {
    cast: options.cast,
    seed: options.seed ?? 0,
    journal,
    recorded: past.attempts,
    lost: past.lost,
    writer,
    meter,
    elapsedMs,
    signal: signalOf(options.signal, wallLeftMs),
    stopped: () => options.signal?.aborted ?? false,
    emit: (event) => options.onEvent?.(event),
    notes: [],
    prefix: { total: 0, prefix: 0 },
  };
}

/** A longer timer would fire at once; the meter keeps such a limit by itself. */
const longestTimerMs = 2 ** 31 - 1;

function signalOf(signal: AbortSignal | undefined, wallLeftMs: number | null): AbortSignal {
  const own = signal ?? new AbortController().signal;
  if (wallLeftMs === null || wallLeftMs > longestTimerMs) return own;
  return AbortSignal.any([own, AbortSignal.timeout(Math.max(0, Math.ceil(wallLeftMs)))]);
}

type Ending = { outcome: Outcome; reasons: string[]; decision: unknown };

async function endOf<D>(bench: Bench, standing: () => unknown, run: () => Promise<Verdict<D>>): Promise<Ending> {
  try {
    return await run();
  } catch (error) {
    const cause = await bench.writer.done().then(
      () => error,
      (failure: unknown) => failure,
    );
    if (bench.stopped()) throw new ParleyError("interrupted", "the run was interrupted", { cause });
    const outcome = outcomeOf(bench, cause);
    if (outcome === null) throw cause;
    return { outcome, reasons: [(cause as Error).message], decision: standing() };
  }
}

/** The outcome that an error means; null when it is not one the engine knows how to end with. */
function outcomeOf(bench: Bench, error: unknown): Outcome | null {
  if (error instanceof Abstained) return "undecided";
  if (hasCode(error, "budget_exhausted") || bench.signal.aborted) return "budget_exhausted";
  if (!(error instanceof ParleyError)) return null;
  return resumable.has(error.code) || error.code === "bad_cast" ? null : "failed";
}

/** Trouble that ends the process's work but not the run. */
const resumable = new Set([
  "parked",
  "interrupted",
  "drifted",
  "not_recorded",
  "store_failed",
  "corrupt_store",
  "run_locked",
]);

function resultOf<D>(bench: Bench, turns: Turn[], ending: Ending): DebateResult<D> {
  const spend = bench.meter.spend();
  return {
    version: 1,
    outcome: ending.outcome,
    reasons: ending.reasons,
    decision: ending.decision as D | null,
    quorum: quorumOf(turns),
    usage: turns.map((turn) => turn.usage).reduce(addUsage, noUsage),
    spend,
    promptTokens: bench.prefix,
    notes: bench.notes,
  };
}
