import type { Budget, WorstCase } from "../../contract/budget.ts";
import type { DebateEvent } from "../../contract/event.ts";
import type { Manifest, Run } from "../../contract/run.ts";
import type { AnyPack, Finished } from "../../engine/pack.ts";
import type { Cast } from "../../engine/player.ts";
import type { AnyRole } from "../../engine/role.ts";
import type { Store } from "../../store/store.ts";

/** Makes the players of a cast for the roles of a pack; what is missing (a key, a price, an expert) is an error here. */
export type CastOf = (cast: string, roles: AnyRole[], budget: Budget) => Promise<Cast>;

/** What a run is started with; `input` and `config` are as they came from outside. */
export type RunRequest = {
  pack: AnyPack;
  input: unknown;
  config?: unknown;
  cast: string;
  seed?: number;
  budget?: Budget;
  caseId?: string | null;
  batch?: string | null;
  parent?: Manifest["parent"];
  /** Starts no second run of the same key, of one batch if it is named: who comes second is told `run_locked`. */
  once?: { batch?: string };
  /** What was made of all this before, where many requests share their config. */
  manifest?: Manifest;
};

/** What runs need of their surroundings. */
export type RunSetting = {
  store: Store;
  castOf: CastOf;
  signal?: AbortSignal;
  onEvent?(event: DebateEvent, run: Run): void;
  /** Plays runs in this process's place; they are only stored here. */
  elsewhere?: Elsewhere;
};

/** Has runs played by other processes. */
export type Elsewhere = {
  /** Resolves with the end of a stored run. */
  play(run: string, going: GoingOn): Promise<FinishedRun>;
  /** Limits what all runs of a batch cost together; `spent` is what they cost before anyone counted. */
  limitBatch(batch: string, budget: Budget, spent: WorstCase): Promise<void>;
};

/** A run that ended, with everything it was made of. */
// oxlint-disable-next-line typescript/no-explicit-any
export type FinishedRun<I = any, C = any, D = any, M = any> = { runId: string; finished: Finished<I, C, D, M> };

/** What can be said when a run goes on: new limits, and that it is to be taken from whoever has it. */
export type GoingOn = { budget?: Budget; takeOver?: boolean };
