import * as z from "zod";
import { type Budget, BudgetSchema, type WorstCase } from "../../contract/budget.ts";
import { hasCode, ParleyError } from "../../contract/error.ts";
import type { DebateEvent } from "../../contract/event.ts";
import type { Manifest, Run } from "../../contract/run.ts";
import { sha256 } from "../../engine/hash.ts";
import { genesis, type Journal, type JournalWriter, openJournal } from "../../engine/journal.ts";
import type { AnyFinished, AnyPack, Finished, Pack } from "../../engine/pack.ts";
import type { Cast } from "../../engine/player.ts";
import type { AnyRole } from "../../engine/role.ts";
import { findPackOrigin } from "../../packs/registry.ts";
import { runDebate } from "../../engine/run-debate.ts";
import type { Lease } from "../../store/lease.ts";
import type { Store } from "../../store/store.ts";
import { checkValue } from "../settings/read-settings.ts";
import { requirePrompt } from "../record/read-run.ts";
import { requireChain } from "../record/check-chain.ts";
import { createRunId } from "../record/run-id.ts";
import { runKey, pickSealedFacts } from "../record/run-seal.ts";
import { suggestSetting } from "../settings/suggest-setting.ts";
import { version } from "../settings/version.ts";
import { nameVersions } from "../settings/name-versions.ts";

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
export type FinishedRun<I = any, C = any, D = any> = { runId: string; finished: Finished<I, C, D> };

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
  await Promise.all([store.create(run), ...firstEntries(run, writer)]);
  return run.id;
}

/** A run that is stored and held by this process, and not played yet. */
export type BegunRun = { id: string; play(setting: RunSetting): Promise<FinishedRun> };

/** Checks a request, makes its run and takes it; whoever begins a run plays it, be it with a signal that has ended. */
export async function beginRun(setting: RunSetting, request: RunRequest): Promise<BegunRun> {
  const run = await makeRun(setting, request);
  const { store } = setting;
  // Asked for together, since stores write together what they are asked at one moment.
  const [, lease] = await Promise.all([store.create(run), store.lock(run.id)]);
  const journal = await releaseOnFailure(store.journal(run.id, lease), lease);
  return { id: run.id, play: (playing) => holdRun(playing, request.pack, { run, journal }, lease) };
}

/** Runs a debate on a case and keeps it in the store. */
export async function startRun<I, C, D>(
  setting: RunSetting,
  request: Omit<RunRequest, "pack"> & { pack: Pack<I, C, D> },
): Promise<FinishedRun<I, C, D>> {
  if (setting.elsewhere) return setting.elsewhere.play(await prepareRun(setting, request), {});
  return (await beginRun(setting, request)).play(setting);
}

async function makeRun(setting: RunSetting, request: RunRequest): Promise<Run> {
  const manifest = makeManifest(request);
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

/** What can be said when a run goes on: new limits, and that it is to be taken from whoever has it. */
export type GoingOn = { budget?: Budget; takeOver?: boolean };

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
  return holdRun(setting, pack, opened, lease, budget);
}

async function releaseOnFailure<T>(work: Promise<T>, lease: Lease): Promise<T> {
  try {
    return await work;
  } catch (error) {
    await lease.release();
    throw error;
  }
}

/** Plays a run that this process has locked, and says how it ended. */
async function holdRun(
  setting: RunSetting,
  pack: AnyPack,
  opened: OpenRun,
  lease: Lease,
  budget?: Budget,
): Promise<FinishedRun> {
  const { store } = setting;
  const { run } = opened;
  const { id } = run;
  let end: RunEnd | null = null;
  try {
    if (run.status !== "running") await store.setStatus(id, "running", null, lease);
    return { runId: id, finished: await playRun(setting, pack, opened, budget) };
  } catch (error) {
    end = await decideEnd(error, store, run);
    throw withRun(nameVersions(error, run.manifest.parley), id);
  } finally {
    const told = end && store.setStatus(id, end.status, end.outcome, lease);
    await Promise.all([told, lease.release()]).catch(ignoreStoreTrouble);
  }
}

type OpenRun = { run: Run; journal: Journal };

/** A run with its journal, to go on with; a journal that is not as it was written is refused before anything is changed. */
async function openRun(store: Store, id: string, lease?: Lease): Promise<OpenRun> {
  const run = await store.get(id);
  if (!run) throw new ParleyError("unknown_run", `no run ${id} in ${store.location}`);
  const journal = await store.journal(id, lease);
  const isMoving = (await store.get(id))?.headHash !== run.headHash;
  if (!isMoving) requireChain(run, journal.entries);
  for (const { body } of journal.entries)
    if (body.kind === "attempt") await requirePrompt(journal, run.id, body.turn, body.promptHash);
  return { run, journal };
}

/** A lease that cannot be given back runs out, and one that was lost needs no giving back; what went wrong before is what matters. */
function ignoreStoreTrouble(error: unknown): void {
  if (!hasCode(error, "store_failed") && !hasCode(error, "lost_lease")) throw error;
}

type RunEnd = Pick<Run, "status" | "outcome">;

/** How a run stands after an error; a store that failed cannot be told, a run that another process has is left to it, and a run that ended or was not touched stays as it is. */
async function decideEnd(error: unknown, store: Store, before: Run): Promise<RunEnd | null> {
  if (hasCode(error, "store_failed") || hasCode(error, "lost_lease")) return null;
  const stillAsks = hasCode(error, "interrupted") && before.status === "waiting";
  if (hasCode(error, "parked") || stillAsks) return { status: "waiting", outcome: null };
  const now = await store.get(before.id);
  if (now?.status === "finished") return null;
  const isTouched = hasCode(error, "interrupted") || now?.headHash !== before.headHash;
  if (isTouched || before.status === "running") return { status: "interrupted", outcome: null };
  return { status: before.status, outcome: before.outcome };
}

async function playRun(
  setting: RunSetting,
  pack: AnyPack,
  { run, journal }: OpenRun,
  budget?: Budget,
): Promise<AnyFinished> {
  const { manifest } = run;
  const limits = { ...manifest.budget, ...budget };
  const config: unknown = checkValue(pack.config, manifest.config, `the config of run ${run.id}`, "drifted");
  checkValue(pack.input, manifest.input, `the input of run ${run.id}`, "drifted");
  return runDebate({
    pack,
    input: manifest.input,
    config,
    cast: await setting.castOf(manifest.cast, pack.roles(config), limits),
    seed: manifest.seed,
    budget: limits,
    journal,
    manifest: pickSealedFacts(run),
    signal: setting.signal,
    onEvent: (event) => setting.onEvent?.(event, run),
  });
}

/** The manifest of a request, its input and config checked and completed by the pack. */
export function makeManifest(request: RunRequest): Manifest {
  const { pack } = request;
  const config: unknown = checkValue(
    pack.config,
    request.config ?? {},
    `config of the ${pack.name} pack`,
    "bad_config",
  );
  const budget = checkValue(BudgetSchema, request.budget ?? {}, "budget", "bad_config");
  const seed = checkValue(z.int(), request.seed ?? 0, "seed", "bad_config");
  const input: unknown = checkValue(pack.input, request.input, `input of the ${pack.name} pack`, "bad_input");
  const from = findPackOrigin(pack.name);
  return {
    version: 1,
    parley: version,
    pack: pack.name,
    ...(from === null ? {} : { packFrom: from }),
    input,
    given: request.config ?? {},
    config,
    cast: request.cast,
    seed,
    budget,
    promptHashes: hashPrompts(pack.prompts),
    parent: request.parent ?? null,
  };
}

const promptHashes = new WeakMap<AnyPack["prompts"], Manifest["promptHashes"]>();

function hashPrompts(prompts: AnyPack["prompts"]): Manifest["promptHashes"] {
  let hashes = promptHashes.get(prompts);
  if (!hashes) {
    hashes = Object.fromEntries(Object.entries(prompts).map(([name, text]) => [name, sha256(text)]));
    promptHashes.set(prompts, hashes);
  }
  return hashes;
}

/** Says which run an error belongs to, so that it can be resumed. */
function withRun(error: unknown, runId: string): unknown {
  if (error instanceof ParleyError) error.details.runId ??= runId;
  return error;
}
