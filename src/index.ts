import type { Budget } from "./contract/budget.ts";
import type { DebateEvent } from "./contract/event.ts";
import type { Finished, Pack } from "./engine/pack.ts";
import { castOfStrings } from "./runs/cast-of.ts";
import { startRun } from "./runs/start-run.ts";
import { memoryStore } from "./store/memory-store.ts";
import type { Store } from "./store/store.ts";

export type { Budget } from "./contract/budget.ts";
export { type ErrorCode, hasCode, ParleyError } from "./contract/error.ts";
export { type DebateEvent, eventVersion } from "./contract/event.ts";
export type { Block, Prompt } from "./contract/prompt.ts";
export type { DebateResult, Note, Outcome, Quorum } from "./contract/result.ts";
export type { Run } from "./contract/run.ts";
export type { Problem, Turn } from "./contract/turn.ts";
export type { Usage } from "./contract/usage.ts";
export type { Section } from "./contract/view.ts";
export { Abstained, type Answer, type Debate } from "./engine/debate.ts";
export { definePack } from "./engine/define-pack.ts";
export type { Finished, Pack, PackSpec, Protocol, Undecided, Verdict } from "./engine/pack.ts";
export type { Cast, Played, Player, TurnContext } from "./engine/player.ts";
export { createRandom, shuffle } from "./text/random.ts";
export { defineRole, type Role } from "./engine/role.ts";
export { packNames, loadPack } from "./packs/registry.ts";
export type { CastOptions } from "./players/cast/cast-options.ts";
export { type BatchResult, runBatch } from "./runs/batch.ts";
export { castOfStrings } from "./runs/cast-of.ts";
export { exportJson } from "./runs/export/export-json.ts";
export { makeProof, type Proof, writeProof } from "./runs/proof/make-proof.ts";
export { recomputeProof } from "./runs/proof/recompute-proof.ts";
export { readRun } from "./runs/read-run.ts";
export { continueRun, startRun } from "./runs/start-run.ts";
export { memoryStore } from "./store/memory-store.ts";
export { sqliteStore } from "./store/sqlite-store.ts";
export type { Store } from "./store/store.ts";

/** How `runDebate` runs; everything has a default. */
export type RunDebateOptions = {
  /** Who plays: a cast string such as `expert` (the default) or `openai/gpt-5-mini,judge=person`. */
  cast?: string;
  config?: unknown;
  seed?: number;
  budget?: Budget;
  /** Where the run is kept; in memory unless given. */
  store?: Store;
  signal?: AbortSignal;
  onEvent?(event: DebateEvent): void;
};

/** Runs one debate of a pack on a case. */
export async function runDebate<I, C, D>(
  pack: Pack<I, C, D>,
  input: unknown,
  options: RunDebateOptions = {},
): Promise<Finished<I, C, D> & { runId: string }> {
  const { cast = "expert", store = memoryStore(), signal, onEvent, ...request } = options;
  const setting = { store, castOf: castOfStrings(store), signal, onEvent };
  const { runId, finished } = await startRun(setting, { ...request, pack, input, cast });
  return { ...finished, runId };
}
