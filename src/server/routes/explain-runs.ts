import type { WhyReply } from "../../contract/api/index.ts";
import { loadPackOf } from "../../packs/registry.ts";
import { explainRun, isDecisive, limitRuns } from "../../runs/influence/explain-run.ts";
import { makeWhySections } from "../../runs/influence/why-sections.ts";
import { findLanguage, finishedOf } from "../../runs/record/show-run.ts";
import type { StoredRun } from "../../runs/record/read-run.ts";

/** How many answers are kept. */
const mostKept = 100;

/** Says what decisions hang on; an answer is worked out once for as long as its run's journal stays as it is. */
export function createExplainer(): (stored: StoredRun) => Promise<WhyReply> {
  const kept = new Map<string, Promise<WhyReply>>();
  return (stored) => {
    const key = `${stored.run.id}/${stored.entries.at(-1)?.hash ?? ""}`;
    const found = kept.get(key) ?? explain(stored);
    kept.delete(key);
    kept.set(key, found);
    for (const [oldest] of kept) if (kept.size > mostKept) kept.delete(oldest);
    found.catch(() => kept.delete(key));
    return found;
  };
}

async function explain(stored: StoredRun): Promise<WhyReply> {
  const pack = await loadPackOf(stored.run.manifest);
  const why = await explainRun(pack, stored, limitRuns(stored));
  const flips = Object.fromEntries(
    why.turns.filter(isDecisive).map(({ change, flips: own }) => [(change as { turn: string }).turn, own ?? []]),
  );
  const sections = makeWhySections(why, findLanguage(pack, finishedOf(stored)));
  return { run: stored.run.id, decisive: Object.keys(flips), flips, levers: why.change, sections };
}
