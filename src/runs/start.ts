import { randomInt } from "node:crypto";
import * as z from "zod";
import { type Budget, BudgetSchema, type WorstCase } from "../contract/budget.ts";
import { hasCode, ParleyError } from "../contract/error.ts";
import type { DebateEvent } from "../contract/journal.ts";
import type { Manifest, Run } from "../contract/run.ts";
import { hashValue } from "../engine/hash.ts";
import { genesis, type Journal, type JournalWriter, openJournal } from "../engine/journal.ts";
import type { AnyFinished, AnyPack, Finished, Pack } from "../engine/pack.ts";
import type { Cast } from "../engine/player.ts";
import type { AnyRole } from "../engine/role.ts";
import { runDebate } from "../engine/run-debate.ts";
import { findPackOrigin } from "../packs/registry.ts";
import { embedderName } from "../players/model-player.ts";
import { recordingPlayer, repeatRecorded } from "../players/offline-players.ts";
import type { Lease } from "../store/lease.ts";
import type { Once, StatusChange, Store } from "../store/store.ts";
import { listAttempts, readRun, requireChain, requirePrompt, requireRun, nameVersions, version } from "./read-run.ts";
import { checkValue } from "./settings.ts";
import { namesEmbedder, openEmbed } from "./cast.ts";

export type CastOf = (cast: string, roles: AnyRole[], budget: Budget) => Promise<Cast>;

/** A request for a run; `input` and `config` are not checked yet. */
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
  challenge?: Manifest["challenge"];
  once?: Once | undefined;
  manifest?: Manifest;
};

/** The environment of runs: store, casts, budgets, signal. */
export type RunSetting = {
  store: Store;
  castOf: CastOf;
  signal?: AbortSignal;
  onEvent?(event: DebateEvent, run: Run): void;
  /** Workers that play the runs; this process only stores them. */
  workers?: FleetPlay;
};

export type FleetPlay = {
  play(run: string, going: GoingOn): Promise<FinishedRun>;
  limitBatch(batch: string, budget: Budget, spent: WorstCase): Promise<void>;
};

/** A finished run with everything it was made of. */
// oxlint-disable-next-line typescript/no-explicit-any
export type FinishedRun<I = any, C = any, D = any, M = any> = { runId: string; finished: Finished<I, C, D, M> };

type GoingOn = { budget?: Budget; takeOver?: boolean };

/** Runs a debate on a case and stores it. */
export async function startRun<I, C, D, M>(
  setting: RunSetting,
  request: Omit<RunRequest, "pack"> & { pack: Pack<I, C, D, M> },
): Promise<FinishedRun<I, C, D, M>> {
  if (setting.workers) return setting.workers.play(await prepareRun(setting, request), {});
  return (await beginRun(setting, request)).play(setting);
}

/** A run held by this process but not played yet; `stored` settles when it is durable or failed. */
export type BegunRun = { id: string; stored: Promise<void>; play(setting: RunSetting): Promise<FinishedRun> };

/** Checks a request, creates the run and takes its lease. Whoever begins a run must play it, even with an aborted signal. */
export async function beginRun(setting: RunSetting, request: RunRequest): Promise<BegunRun> {
  const run = await makeRun(setting, request);
  const begun = setting.store.begin(run, request.once);
  const stored = refuseTaken(run, begun.stored);
  stored.catch(() => undefined); // Reported to whoever plays the run or awaits `stored`.
  const opened = { run, journal: begun.journal, isMadeHere: true } as const;
  return {
    id: run.id,
    stored,
    // If the run was never stored, that is the error to report.
    play: (playing) =>
      holdRun(playing, request.pack, opened, begun.lease).catch(async (error: unknown) => {
        await stored;
        throw error;
      }),
  };
}

export type FirstEntries = (run: Run, writer: JournalWriter) => Promise<void>[];

/** Stores a run without holding it, for others to play; `firstEntries` are stored with it. */
export async function prepareRun(
  setting: RunSetting,
  request: RunRequest,
  firstEntries: FirstEntries = () => [],
): Promise<Run["id"]> {
  const run = await makeRun(setting, request);
  const { store } = setting;
  const writer = openJournal(await store.journal(run.id));
  // In one step, so that no run is stored without its first entries.
  await Promise.all([refuseTaken(run, store.create(run, request.once)), ...firstEntries(run, writer)]);
  return run.id;
}

async function refuseTaken(run: Run, stored: Promise<string>): Promise<void> {
  // The entries hit another run's lease, so nothing was stored.
  const id = await stored.catch((error: unknown) => (hasCode(error, "lost_lease") ? null : Promise.reject(error)));
  if (id !== run.id)
    throw new ParleyError("run_locked", "another process started a run of the same case at the same moment");
}

async function makeRun(setting: RunSetting, request: RunRequest): Promise<Run> {
  const manifest = request.manifest ?? makeManifest(request);
  const roles = request.pack.roles(manifest.config);
  await setting.castOf(manifest.cast, roles, manifest.budget).catch((error: unknown) => {
    // Only the player of a run needs the keys.
    if (setting.workers && hasCode(error, "missing_key")) return;
    throw error;
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

/** Continues a stored run from the end of its journal, in one process at a time. */
export async function continueRun(
  setting: RunSetting,
  pack: AnyPack,
  id: string,
  { budget, takeOver }: GoingOn = {},
): Promise<FinishedRun> {
  const { store } = setting;
  if (setting.workers) return setting.workers.play(id, { budget });
  await openRun(store, id);
  const lease = await store.lock(id, { takeOver }).catch((error: unknown) => {
    throw hasCode(error, "store_failed") ? withRun(error, id) : error;
  });
  const opened = await openRun(store, id, lease).catch(async (error: unknown) => {
    await lease.release();
    throw error;
  });
  if (!isOver(opened.run)) return holdRun(setting, pack, opened, lease, budget);
  const { run, material, turns, result } = await readRun(store, id).finally(() => lease.release());
  if (!result) throw new ParleyError("corrupt_store", `run ${id} is marked as finished, and its journal has no end`);
  return { runId: id, finished: { input: run.manifest.input, material, config: run.manifest.config, result, turns } };
}

export function isOver({ status, outcome }: Pick<Run, "status" | "outcome">): boolean {
  return status === "finished" && outcome !== "failed" && outcome !== "budget_exhausted";
}

/** Opens a run to continue it; a damaged journal is refused before anything changes. */
async function openRun(store: Store, id: string, lease?: Lease): Promise<OpenRun> {
  const run = await requireRun(store, id);
  const journal = await store.journal(id, lease);
  const isMoving = (await store.get(id))?.headHash !== run.headHash;
  if (!isMoving) requireChain(run, journal.entries);
  for (const body of listAttempts(journal.entries)) await requirePrompt(journal, run.id, { ...body, key: body.turn });
  return { run, journal };
}

const SeedSchema = z.int();

export function makeManifest(request: RunRequest): Manifest {
  const { pack, config: given = {} } = request;
  const config: unknown = checkValue(pack.config, given, `config of the ${pack.name} pack`, "bad_config");
  const from = findPackOrigin(pack.name);
  return {
    version: 1,
    parley: version,
    pack: pack.name,
    ...(from === null ? {} : { packFrom: from }),
    input: checkValue<unknown>(pack.input, request.input, `input of the ${pack.name} pack`, "bad_input"),
    given,
    config,
    cast: request.cast,
    seed: checkValue(SeedSchema, request.seed ?? 0, "seed", "bad_config"),
    budget: checkValue(BudgetSchema, request.budget ?? {}, "budget", "bad_config"),
    parent: request.parent ?? null,
    ...(request.challenge ? { challenge: request.challenge } : {}),
  };
}

type OpenRun = { run: Run; journal: Journal; isMadeHere?: true };

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
  let end: StatusChange | null = null;
  try {
    const go = () => store.setStatus(id, { from: run.status, to: "running", outcome: null }, lease);
    if (run.status === "waiting") opened = { ...opened, journal: beforeFirstEntry(opened.journal, go) };
    else if (run.status !== "running") await go();
    return { runId: id, finished: await playRun(setting, pack, opened, budget) };
  } catch (error) {
    end = await decideEnd(error, store, run);
    throw withRun(nameVersions(error, run.manifest.parley), id);
  } finally {
    const changed = end && store.setStatus(id, end, lease);
    await Promise.all([changed, lease.release()]).catch(ignoreStoreTrouble);
  }
}

/** The inbox entry stays until an answer is written, so a question asked in a terminal that dies is not lost. */
function beforeFirstEntry(journal: Journal, go: () => Promise<void>): Journal {
  let going: Promise<void> | null = null;
  return { ...journal, append: async (...entry) => (going ??= go()).then(() => journal.append(...entry)) };
}

/** A lease that cannot be released expires by itself; the earlier error is the one that matters. */
function ignoreStoreTrouble(error: unknown): void {
  if (!hasCode(error, "store_failed") && !hasCode(error, "lost_lease")) throw error;
}

/** The status of a run after an error; null when it stays as it is: the store failed, another process has the run, or it ended or was not touched. */
async function decideEnd(error: unknown, store: Store, before: Run): Promise<StatusChange | null> {
  if (hasCode(error, "store_failed") || hasCode(error, "lost_lease")) return null;
  const stillAsks = hasCode(error, "interrupted") && before.status === "waiting";
  const now = await store.get(before.id);
  const from = now?.status ?? before.status;
  if (from === "finished") return null;
  if (hasCode(error, "parked") || stillAsks) return { from, to: "waiting", outcome: null };
  const isTouched = hasCode(error, "interrupted") || now?.headHash !== before.headHash;
  if (isTouched || before.status === "running") return { from, to: "interrupted", outcome: null };
  return { from, to: before.status, outcome: before.outcome };
}

async function playRun(
  setting: RunSetting,
  pack: AnyPack,
  { run, journal, isMadeHere }: OpenRun,
  budget?: Budget,
): Promise<AnyFinished> {
  const { manifest } = run;
  const limits = { ...manifest.budget, ...budget };
  const config = isMadeHere ? manifest.config : checkStored(pack, run);
  const roles = pack.roles(config);
  const live = await setting.castOf(manifest.cast, roles, limits);
  const cast = manifest.challenge ? await repeatParent(setting.store, run, live) : live;
  return runDebate({
    pack,
    input: manifest.input,
    config,
    cast,
    seed: manifest.seed,
    challenge: manifest.challenge,
    budget: limits,
    journal,
    manifest: pickSealedFacts(run),
    signal: setting.signal,
    openEmbed: namesEmbedder(manifest.cast) ? (call) => openEmbed(cast(embedderName), setting.store, call) : undefined,
    onEvent: (event) => setting.onEvent?.(event, run),
  });
}

async function repeatParent(store: Store, { manifest }: Run, live: Cast): Promise<Cast> {
  const parent = manifest.parent && (await store.get(manifest.parent.run));
  if (!parent) return live;
  const { turns } = await readRun(store, parent.id);
  const recorded = recordingPlayer(turns);
  return (role) => repeatRecorded(recorded, live(role));
}

function checkStored(pack: AnyPack, { id, manifest }: Run): unknown {
  checkValue(pack.input, manifest.input, `the input of run ${id}`, "drifted");
  return checkValue(pack.config, manifest.config, `the config of run ${id}`, "drifted");
}

function withRun(error: unknown, runId: string): unknown {
  if (error instanceof ParleyError) error.details.runId ??= runId;
  return error;
}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** Ten of the 30 bits after the second are the millisecond, the rest is random. */
const chances = 2 ** 20;

const drawn = { second: "", rest: -1 };

/** A run id: short, sorted by time, easy to read aloud (no i, l, o, u). */
export function createRunId(nowMs = Date.now()): string {
  const atMs = Math.max(0, Math.floor(nowMs));
  const second = writeDigits(Math.floor(atMs / 1000), 7);
  const rest = (atMs % 1000) * chances + randomInt(chances / 2);
  drawn.rest = second === drawn.second ? Math.max(rest, drawn.rest + 1) : rest;
  drawn.second = second;
  return `${second}-${writeDigits(drawn.rest, 6)}`;
}

function writeDigits(value: number, places: number): string {
  let left = value;
  let digits = "";
  for (let place = 0; place < places; place += 1) {
    digits = alphabet.charAt(left % 32) + digits;
    left = Math.floor(left / 32);
  }
  return digits;
}

export function pickSealedFacts({ id, manifest, caseId, key, batch, createdAt }: Run) {
  return { id, manifest, caseId, key, batch, createdAt };
}

export function runKey(manifest: Manifest, caseId: string | null): string {
  const { pack, input, config, cast, seed, budget, parley, challenge } = manifest;
  const facts = { caseId, pack, input, config, cast, seed, budget, parley };
  return hashValue(challenge ? { ...facts, challenge } : facts);
}
