import { hasCode, ParleyError } from "../../contract/error.ts";
import type { Run } from "../../contract/run.ts";
import { genesis, type JournalWriter, openJournal } from "../../engine/journal.ts";
import type { AnyPack, Pack } from "../../engine/pack.ts";
import type { Lease } from "../../store/lease.ts";
import type { Store } from "../../store/store.ts";
import { requireChain } from "../record/check-chain.ts";
import { readRun, requirePrompt } from "../record/read-run.ts";
import { createRunId } from "../record/run-id.ts";
import { runKey } from "../record/run-seal.ts";
import { suggestSetting } from "../settings/suggest-setting.ts";
import { holdRun, type OpenRun, withRun } from "./hold-run.ts";
import { makeManifest } from "./make-manifest.ts";
import type { FinishedRun, GoingOn, RunRequest, RunSetting } from "./run-setting.ts";

export { makeManifest, openManifests } from "./make-manifest.ts";
export type * from "./run-setting.ts";

/** Writes the first entries of a run that is not to begin with nothing. */
export type FirstEntries = (run: Run, writer: JournalWriter) => Promise<void>[];

/** Checks a request and makes its run, without starting it; bad input, or a store that fails, leaves nothing behind. */
export async function prepareRun(
  setting: RunSetting,
  request: RunRequest,
  firstEntries: FirstEntries = () => [],
): Promise<Run["id"]> {
  const run = await makeRun(setting, request);
  const { store } = setting;
  const writer = openJournal(await store.journal(run.id));
  // Asked for together, so that no run is stored without its first entries.
  await Promise.all([createRun(store, run, request), ...firstEntries(run, writer)]);
  return run.id;
}

/** A run that this process holds and has not played yet; `stored` says when it is durable, or why it never is. */
export type BegunRun = { id: string; stored: Promise<void>; play(setting: RunSetting): Promise<FinishedRun> };

/** Checks a request, makes its run and takes it; whoever begins a run plays it, be it with a signal that has ended. */
export async function beginRun(setting: RunSetting, request: RunRequest): Promise<BegunRun> {
  const run = await makeRun(setting, request);
  const { store } = setting;
  // Asked for together, since stores write together what they are asked at one moment, and the first entries with it.
  const stored = createRun(store, run, request).catch((error: unknown) => {
    throw request.once && hasCode(error, "unknown_run") ? createTakenError() : error;
  });
  stored.catch(() => undefined); // Whoever plays the run, or asks whether it is stored, hears of it.
  const lease = await preferError(stored, store.lock(run.id));
  const journal = await releaseOnFailure(store.journal(run.id, lease), lease);
  const opened = { run, journal, isMadeHere: true } as const;
  return { id: run.id, stored, play: (playing) => preferError(stored, holdRun(playing, request.pack, opened, lease)) };
}

/** What becomes of `work`; when that fails because the run was not stored, why it was not. */
async function preferError<T>(stored: Promise<void>, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    await stored;
    throw error;
  }
}

/** Runs a debate on a case and keeps it in the store. */
export async function startRun<I, C, D, M>(
  setting: RunSetting,
  request: Omit<RunRequest, "pack"> & { pack: Pack<I, C, D, M> },
): Promise<FinishedRun<I, C, D, M>> {
  if (setting.elsewhere) return setting.elsewhere.play(await prepareRun(setting, request), {});
  return (await beginRun(setting, request)).play(setting);
}

/** Stores a run; one that must be the only one of its key, and is not, is refused. */
async function createRun(store: Store, run: Run, { once }: Pick<RunRequest, "once">): Promise<void> {
  if (!once) return store.create(run);
  const id = await store.createOnce(run, once.batch === undefined ? undefined : { batch: once.batch });
  if (id === run.id) return;
  throw createTakenError();
}

function createTakenError(): ParleyError {
  return new ParleyError("run_locked", "a run of the same case was begun by another process at the same moment");
}

async function makeRun(setting: RunSetting, request: RunRequest): Promise<Run> {
  const manifest = request.manifest ?? makeManifest(request);
  const roles = request.pack.roles(manifest.config);
  await setting.castOf(manifest.cast, roles, manifest.budget).catch((error: unknown) => {
    // Only who plays a run needs the keys.
    if (setting.elsewhere && hasCode(error, "missing_key")) return;
    throw suggestSetting(error, request.pack, manifest.given);
  });
  const caseId = request.caseId?.toWellFormed() ?? null;
  return {
    id: createRunId(),
    manifest,
    caseId,
    key: runKey(manifest, caseId),
    batch: request.batch ?? null,
    status: "running",
    outcome: null,
    createdAt: new Date().toISOString(),
    headHash: genesis,
    entryCount: 0,
  };
}

/** Runs a stored run from where its journal stops. One process at a time; the others are told so. */
export async function continueRun(
  setting: RunSetting,
  pack: AnyPack,
  id: string,
  { budget, takeOver }: GoingOn = {},
): Promise<FinishedRun> {
  const { store } = setting;
  if (setting.elsewhere) return setting.elsewhere.play(id, { budget });
  await openRun(store, id);
  const lease = await store.lock(id, { takeOver }).catch((error: unknown) => {
    throw hasCode(error, "store_failed") ? withRun(error, id) : error;
  });
  const opened = await releaseOnFailure(openRun(store, id, lease), lease);
  if (!isOver(opened.run)) return holdRun(setting, pack, opened, lease, budget);
  const { run, material, turns, result } = await readRun(store, id).finally(() => lease.release());
  if (!result) throw new ParleyError("corrupt_store", `run ${id} is marked as finished, and its journal has no end`);
  return { runId: id, finished: { input: run.manifest.input, material, config: run.manifest.config, result, turns } };
}

/** True for a run that has come to its end and stays there: only one that failed or ran out of its budget goes on. */
function isOver({ status, outcome }: Run): boolean {
  return status === "finished" && outcome !== "failed" && outcome !== "budget_exhausted";
}

async function releaseOnFailure<T>(work: Promise<T>, lease: Lease): Promise<T> {
  try {
    return await work;
  } catch (error) {
    await lease.release();
    throw error;
  }
}

/** A run with its journal, to go on with; a journal that is not as it was written is refused before anything is changed. */
async function openRun(store: Store, id: string, lease?: Lease): Promise<OpenRun> {
  const run = await store.get(id);
  if (!run) throw new ParleyError("unknown_run", `no run ${id} in ${store.location}`);
  const journal = await store.journal(id, lease);
  const isMoving = (await store.get(id))?.headHash !== run.headHash;
  if (!isMoving) requireChain(run, journal.entries);
  for (const { body } of journal.entries)
    if (body.kind === "attempt") await requirePrompt(journal, run.id, { ...body, key: body.turn });
  return { run, journal };
}
