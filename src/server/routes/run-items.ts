import type { RunItem } from "../../contract/api/index.ts";
import { ParleyError } from "../../contract/error.ts";
import type { Run } from "../../contract/run.ts";
import { loadPack, listPackNames } from "../../packs/registry.ts";
import { subjectOf } from "../../runs/record/show-run.ts";
import { cutText } from "../../text/short-text.ts";
import type { Server } from "../setting/server.ts";

const longestSubject = 300;

/** A run as lists show it. */
export async function makeRunItem({ live }: Pick<Server, "live">, run: Run): Promise<RunItem> {
  const { id, caseId, batch, status, outcome, createdAt, manifest } = run;
  const { pack, cast, seed, parent } = manifest;
  const subject = listPackNames().includes(pack) ? subjectOf(await loadPack(pack), run) : (caseId ?? "");
  const isLive = live.has(id);
  return {
    id,
    pack,
    subject: cutText(subject, longestSubject),
    caseId,
    batch,
    cast,
    seed,
    status,
    outcome,
    createdAt,
    live: isLive,
    parent,
  };
}

/** A stored run by its id; nothing is guessed from a part of one. */
export async function requireRun({ store }: Pick<Server, "store">, id: string): Promise<Run> {
  const run = await store.get(id);
  if (run) return run;
  throw new ParleyError("unknown_run", `there is no run ${id} here`);
}

/** True while the verdict of a run is kept back: it is escalated, reviews are blind, and nobody has settled it. */
export function isWithheld({ rules }: Pick<Server, "rules">, run: Pick<Run, "outcome">): boolean {
  return rules.blind && run.outcome === "escalated";
}

/** Refuses what would show a verdict that is kept back. */
export function refuseWithheld(server: Pick<Server, "rules">, run: Run): void {
  if (!isWithheld(server, run)) return;
  throw new ParleyError("bad_input", `the verdict of run ${run.id} is kept back until a reviewer has answered`);
}
