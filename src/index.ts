import "./contract/require-node.ts";
import { join } from "node:path";
import type { Budget } from "./contract/budget.ts";
import type { DebateEvent } from "./contract/journal.ts";
import type { Finished, Pack } from "./engine/pack.ts";
import type { Player } from "./engine/player.ts";
import type { CastOptions } from "./players/endpoints.ts";
import { isSdkModel, modelPlayer, type SdkModel } from "./players/model-player.ts";
import { castOfStrings, withPlayers } from "./runs/cast.ts";
import { writeExport } from "./runs/export/export-run.ts";
import { readRun } from "./runs/read-run.ts";
import { startRun } from "./runs/start.ts";
import { memoryStore } from "./store/sqlite.ts";
import { sqliteStore as openSqliteStore } from "./store/sqlite.ts";
import type { SqliteOptions } from "./store/sqlite.ts";
import type { Store } from "./store/store.ts";

export type { Budget } from "./contract/budget.ts";
export { Abstained, type ErrorCode, hasCode, ParleyError } from "./contract/error.ts";
export { type DebateEvent, eventVersion } from "./contract/journal.ts";
export type { Block, Prompt } from "./contract/prompt.ts";
export type { DebateResult, Note, Outcome, Quorum } from "./contract/result.ts";
export type { Run } from "./contract/run.ts";
export type { Problem, Turn } from "./contract/turn.ts";
export type { Usage } from "./contract/budget.ts";
export type { Section } from "./contract/view.ts";
export type { Answer, Debate } from "./engine/debate.ts";
export { definePack } from "./engine/define-pack.ts";
export type {
  Embed,
  Finished,
  Given,
  Held,
  Measure,
  Pack,
  PackSpec,
  PrepareTools,
  Protocol,
  Undecided,
  Verdict,
} from "./engine/pack.ts";
export type { Cast, Played, Player, TurnContext } from "./engine/player.ts";
export { createRandom, shuffle } from "./text/random.ts";
export { defineRole, type Role } from "./engine/role.ts";
export { addPack, listPackNames, loadPack, packNames } from "./packs/registry.ts";
export type { Price } from "./players/providers.ts";
export type { CastOptions, EndpointConfig } from "./players/endpoints.ts";
export { modelPlayer, type SdkModel, type SdkPlayerOptions } from "./players/model-player.ts";
export type { PersonForm, PersonPort } from "./players/person.ts";
export { type BatchOptions, type BatchResult, runBatch } from "./runs/batch.ts";
export { type BranchRequest, branchRun } from "./runs/branch.ts";
export { castOfStrings } from "./runs/cast.ts";
export { diffRuns, type RunDiff } from "./runs/compare-runs.ts";
export { exportJson } from "./runs/export/export-run.ts";
export { makeProof, type Proof, writeProof } from "./runs/proof.ts";
export { recomputeProof } from "./runs/proof.ts";
export { readRun, type StoredRun } from "./runs/read-run.ts";
export { type Redecided, redecide } from "./runs/redecide.ts";
export { continueRun, startRun } from "./runs/start.ts";
export type { FinishedRun, RunRequest, RunSetting } from "./runs/start.ts";
export { verifyRun } from "./runs/verify.ts";
export { memoryStore } from "./store/sqlite.ts";
export type { Store } from "./store/store.ts";

/** Options of `runDebate`; everything has a default. */
export type RunDebateOptions = Pick<CastOptions, "endpoints" | "prices" | "person"> & {
  /**
   * Who plays: a cast string such as `expert` (the default) or `openai/gpt-5-mini,judge=person`; an AI SDK model for
   * every role; or strings, models and your own players by role (`*` for the roles not named).
   */
  cast?: string | SdkModel | Record<string, string | SdkModel | Player>;
  config?: unknown;
  seed?: number;
  budget?: Budget;
  /** In memory by default. */
  store?: Store;
  signal?: AbortSignal;
  onEvent?(event: DebateEvent): void;
};

/**
 * Runs one debate of a pack on a case. A turn that waits for a person throws a `ParleyError` with code `parked`; once
 * it is answered, `continueRun` continues the run in `details.runId`.
 */
export async function runDebate<I, C, D, M = null>(
  pack: Pack<I, C, D, M>,
  input: unknown,
  options: RunDebateOptions = {},
): Promise<Finished<I, C, D, M> & { runId: string }> {
  const { cast = "expert", store = memoryStore(), signal, onEvent, ...rest } = options;
  const { endpoints, prices, person, ...request } = rest;
  const { text, players, others } = splitCast(cast);
  const castOf = withPlayers(castOfStrings(store, { env: process.env, endpoints, prices, person }), players, others);
  const { runId, finished } = await startRun(
    { store, castOf, signal, onEvent },
    { ...request, pack, input, cast: text },
  );
  return { ...finished, runId };
}

/** Splits a cast into its text and the players given as objects. */
function splitCast(cast: NonNullable<RunDebateOptions["cast"]>) {
  if (typeof cast === "string") return { text: cast, players: {}, others: null };
  if (isSdkModel(cast)) return { text: "expert", players: {}, others: modelPlayer(cast) };
  const { "*": rest = "expert", ...named } = cast;
  const texts = Object.entries(named).flatMap(([role, who]) => (typeof who === "string" ? [`${role}=${who}`] : []));
  const players = Object.fromEntries(
    Object.entries(named).flatMap(([role, who]) => (typeof who === "string" ? [] : [[role, toPlayer(who)] as const])),
  );
  const text = [typeof rest === "string" ? rest : "expert", ...texts].join(",");
  return { text, players, others: typeof rest === "string" ? null : toPlayer(rest) };
}

function toPlayer(who: SdkModel | Player): Player {
  return isSdkModel(who) ? modelPlayer(who) : who;
}

/** A store in the folder the command line uses (`.parley`), or in its own database file. */
export function sqliteStore(place: string, options?: SqliteOptions): Store {
  return openSqliteStore(place.endsWith(".db") ? place : join(place, "parley.db"), options);
}

/** A run as one HTML file that opens from disk and loads nothing else. Pass a pack that is not registered. */
export async function exportHtml<I, C, D, M>(store: Store, runId: string, pack?: Pack<I, C, D, M>): Promise<string> {
  return writeExport(store, await readRun(store, runId), "html", pack);
}

/** A run as Markdown. Pass a pack that is not registered. */
export async function exportMarkdown<I, C, D, M>(
  store: Store,
  runId: string,
  pack?: Pack<I, C, D, M>,
): Promise<string> {
  return writeExport(store, await readRun(store, runId), "md", pack);
}
