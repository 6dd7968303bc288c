import { ParleyError } from "../contract/error.ts";
import type { DebateResult } from "../contract/result.ts";
import type { Run } from "../contract/run.ts";
import { openJournal } from "../engine/journal.ts";
import type { OnDamaged, Store } from "../store/store.ts";
import { readRun } from "./read-run.ts";

/** A person's ruling on an escalated run. */
export type Ruling = { verdict: "upheld" | "replaced"; ruling: string; reviewer: string };

/** What waits for a person: turns cast to one, and runs that were escalated. */
export async function listWaiting(
  store: Store,
  onDamaged?: OnDamaged,
): Promise<{ run: Run; why: "turn" | "escalated" }[]> {
  const waiting = (await store.list({ status: "waiting" }, onDamaged)).map((run) => ({ run, why: "turn" as const }));
  const escalated = (await store.list({ status: "finished" }, onDamaged)).filter((run) => run.outcome === "escalated");
  return [...waiting, ...escalated.map((run) => ({ run, why: "escalated" as const }))];
}

/** Settles an escalated run: the ruling becomes part of its journal, and the run ends decided. */
export async function ruleOnRun(
  store: Store,
  id: string,
  { verdict, ruling, reviewer }: Ruling,
): Promise<DebateResult> {
  if (ruling.trim() === "") throw new ParleyError("bad_input", "a ruling needs words: say what was decided and why");
  await requireEscalated(store, id);
  const unlock = await store.lock(id);
  try {
    const { run, result } = await requireEscalated(store, id);
    const writer = openJournal(await store.journal(run.id));
    const at = new Date().toISOString();
    const settled = applyRuling(result, { verdict, ruling, reviewer });
    const lost = { calls: 0, tokens: 0, usd: 0 };
    // Asked for together, so that no ruling is stored without the end it leads to.
    await Promise.all([
      writer.write({ kind: "review", verdict, ruling, reviewer, at }),
      writer.write({ kind: "end", elapsedMs: 0, lost, result: settled }),
    ]);
    return settled;
  } finally {
    await unlock();
  }
}

/** The end that a ruling leads to: the decision stays as it was debated. */
export function applyRuling(result: DebateResult, { verdict, ruling, reviewer }: Ruling): DebateResult {
  return {
    ...result,
    outcome: "decided",
    reasons: [`settled by a person (${verdict}): ${ruling}`],
    notes: [...result.notes, { type: "review", round: 0, data: { verdict, ruling, reviewer } }],
  };
}

async function requireEscalated(store: Store, id: string): Promise<{ run: Run; result: DebateResult }> {
  const { run, result } = await readRun(store, id);
  if (result?.outcome === "escalated") return { run, result };
  throw new ParleyError("bad_input", `run ${run.id} is not escalated${result ? `: it is ${result.outcome}` : ""}`);
}
