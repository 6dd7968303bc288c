import type { Budget } from "../../contract/budget.ts";
import { hasCode, ParleyError } from "../../contract/error.ts";
import type { Run } from "../../contract/run.ts";
import type { Journal } from "../../engine/journal.ts";
import type { AnyFinished, AnyPack } from "../../engine/pack.ts";
import { runDebate } from "../../engine/run-debate.ts";
import type { Lease } from "../../store/lease.ts";
import type { StatusChange, Store } from "../../store/store.ts";
import { embedderName } from "../../players/model/embedding-player.ts";
import { pickSealedFacts } from "../record/run-seal.ts";
import { nameVersions } from "../settings/name-versions.ts";
import { checkValue } from "../settings/read-settings.ts";
import { namesEmbedder, openEmbed } from "./open-embed.ts";
import type { FinishedRun, RunSetting } from "./run-setting.ts";

/** A run with its journal; one that was made here has been checked. */
export type OpenRun = { run: Run; journal: Journal; isMadeHere?: true };

/** Plays a run that this process has locked, and says how it ended. */
export async function holdRun(
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
    if (run.status !== "running") await store.setStatus(id, { from: run.status, to: "running", outcome: null }, lease);
    return { runId: id, finished: await playRun(setting, pack, opened, budget) };
  } catch (error) {
    end = await decideEnd(error, store, run);
    throw withRun(nameVersions(error, run.manifest.parley), id);
  } finally {
    const told = end && store.setStatus(id, end, lease);
    await Promise.all([told, lease.release()]).catch(ignoreStoreTrouble);
  }
}

/** A lease that cannot be given back runs out, and one that was lost needs no giving back; what went wrong before is what matters. */
function ignoreStoreTrouble(error: unknown): void {
  if (!hasCode(error, "store_failed") && !hasCode(error, "lost_lease")) throw error;
}

type RunEnd = StatusChange;

/** How a run stands after an error; a store that failed cannot be told, a run that another process has is left to it, and a run that ended or was not touched stays as it is. */
async function decideEnd(error: unknown, store: Store, before: Run): Promise<RunEnd | null> {
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
  const cast = await setting.castOf(manifest.cast, roles, limits);
  return runDebate({
    pack,
    input: manifest.input,
    config,
    cast,
    seed: manifest.seed,
    budget: limits,
    journal,
    manifest: pickSealedFacts(run),
    signal: setting.signal,
    openEmbed: namesEmbedder(manifest.cast) ? (call) => openEmbed(cast(embedderName), setting.store, call) : undefined,
    onEvent: (event) => setting.onEvent?.(event, run),
  });
}

/** The config of a stored run, if it and the input still are what the pack takes. */
function checkStored(pack: AnyPack, { id, manifest }: Run): unknown {
  checkValue(pack.input, manifest.input, `the input of run ${id}`, "drifted");
  return checkValue(pack.config, manifest.config, `the config of run ${id}`, "drifted");
}

/** Says which run an error belongs to, so that it can be resumed. */
export function withRun(error: unknown, runId: string): unknown {
  if (error instanceof ParleyError) error.details.runId ??= runId;
  return error;
}
