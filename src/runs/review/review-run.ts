import { ParleyError } from "../../contract/error.ts";
import type { DebateResult } from "../../contract/result.ts";
import type { Run } from "../../contract/run.ts";
import { openJournal } from "../../engine/journal.ts";
import type { Store } from "../../store/store.ts";
import { readRun } from "../record/read-run.ts";

/** A person's ruling on an escalated run. */
export type Ruling = {
  verdict: "upheld" | "replaced";
  ruling: string;
  reviewer: string;
  /** The right answer, as a dataset writes it: the run becomes a labelled case. */
  gold?: unknown;
  /** For a reviewer who had not seen the verdict: whether they came to the same. */
  agreed?: boolean;
};

/** Settles an escalated run: the ruling becomes part of its journal, and the run ends decided. */
export async function ruleOnRun(store: Store, id: string, given: Ruling): Promise<DebateResult> {
  const { ruling } = given;
  if (ruling.trim() === "") throw new ParleyError("bad_input", "a ruling needs words: say what was decided and why");
  await requireEscalated(store, id);
  const lease = await store.lock(id);
  try {
    const { run, result } = await requireEscalated(store, id);
    const writer = openJournal(await store.journal(run.id, lease));
    const at = new Date().toISOString();
    const said = dropMissing(given);
    const settled = applyRuling(result, said);
    const lost = { calls: 0, tokens: 0, usd: 0 };
    // Asked for together, so that no ruling is stored without the end it leads to.
    await Promise.all([
      writer.write({ kind: "review", ...said, at }),
      writer.write({ kind: "end", elapsedMs: 0, lost, result: settled }),
    ]);
    return settled;
  } finally {
    await lease.release();
  }
}

/** The end that a ruling leads to: the decision stays as it was debated. */
export function applyRuling(result: DebateResult, given: Ruling): DebateResult {
  const { verdict, ruling } = given;
  return {
    ...result,
    outcome: "decided",
    reasons: [`settled by a person (${verdict}): ${ruling}`],
    notes: [...result.notes, { type: "review", round: 0, data: dropMissing(given) }],
  };
}

/** The ruling as it is written down: what was not said has no key. */
function dropMissing({ verdict, ruling, reviewer, gold, agreed }: Ruling): Ruling {
  const label = gold === undefined || gold === null ? {} : { gold };
  return { verdict, ruling, reviewer, ...label, ...(agreed === undefined ? {} : { agreed }) };
}

async function requireEscalated(store: Store, id: string): Promise<{ run: Run; result: DebateResult }> {
  const { run, result } = await readRun(store, id);
  if (result?.outcome === "escalated") return { run, result };
  throw new ParleyError("bad_input", `run ${run.id} is not escalated${result ? `: it is ${result.outcome}` : ""}`);
}
