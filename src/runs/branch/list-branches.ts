import { hasCode } from "../../contract/error.ts";
import type { Run } from "../../contract/run.ts";
import { loadPack } from "../../packs/registry.ts";
import type { Store } from "../../store/store.ts";
import { isStep, takeAttemptsBefore } from "./branch-run.ts";
import { headlineOf, present } from "../record/show-run.ts";
import { readRun, type StoredRun } from "../record/read-run.ts";

/** A run of a tree of branches, with what it shares with its parent and what it cost on its own. */
export type BranchNode = {
  run: string;
  parent: Run["manifest"]["parent"];
  status: Run["status"];
  outcome: Run["outcome"];
  createdAt: string;
  headline: string;
  shared: number;
  own: number;
  usd: number | null;
};

/** As many runs as are looked through for branches. */
const mostLooked = 2_000;
const perPage = 200;
const mostNodes = 100;

/** The tree that a run belongs to: its oldest parent and everything that branched from it, oldest first. */
export async function listBranches(store: Store, run: Run): Promise<{ nodes: BranchNode[]; complete: boolean }> {
  const root = await findRoot(store, run);
  const { runs, complete } = await listLater(store, root);
  const family = new Map([[root.id, root]]);
  for (const one of runs.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id)))
    if (one.manifest.parent && family.has(one.manifest.parent.run)) family.set(one.id, one);
  family.set(run.id, run);
  const shown = [...family.values()].slice(0, mostNodes);
  const nodes: BranchNode[] = [];
  for (const one of shown) nodes.push(await makeNode(store, one));
  return { nodes, complete: complete && shown.length === family.size };
}

/** Climbs to the oldest parent that is still here. */
async function findRoot(store: Store, run: Run): Promise<Run> {
  const seen = new Set([run.id]);
  let at = run;
  for (;;) {
    const above =
      at.manifest.parent && !seen.has(at.manifest.parent.run) ? await store.get(at.manifest.parent.run) : null;
    if (!above) return at;
    seen.add(above.id);
    at = above;
  }
}

async function listLater(store: Store, root: Run): Promise<{ runs: Run[]; complete: boolean }> {
  const runs: Run[] = [];
  let after: string | undefined;
  while (runs.length < mostLooked) {
    const filter = { pack: root.manifest.pack, from: root.createdAt, limit: perPage, ...(after && { after }) };
    const page = await store.page(filter);
    runs.push(...page.runs);
    if (page.next === null) return { runs, complete: true };
    after = page.next;
  }
  return { runs, complete: false };
}

async function makeNode(store: Store, run: Run): Promise<BranchNode> {
  const { parent } = run.manifest;
  const node = { run: run.id, parent, status: run.status, outcome: run.outcome, createdAt: run.createdAt };
  try {
    const stored = await readRun(store, run.id);
    const shared = parent === null ? 0 : countShared(stored, parent.from);
    const pack = await loadPack(run.manifest.pack);
    const headline = Object.values(present(pack, stored, (finished) => headlineOf(pack, finished))).join(" · ");
    const usd = stored.result ? stored.result.spend.usd : 0;
    return { ...node, headline, shared, own: stored.turns.length - shared, usd };
  } catch (error) {
    if (!hasCode(error, "corrupt_store")) throw error;
    return { ...node, headline: "can no longer be read", shared: 0, own: 0, usd: null };
  }
}

/** The turns that were asked before the step from which a branch goes its own way; all of them while it has not come there. */
function countShared(stored: StoredRun, from: string): number {
  if (!stored.turns.some(({ key }) => isStep(key, from))) return stored.turns.length;
  return new Set(takeAttemptsBefore(stored, from).map(({ place }) => place)).size;
}
