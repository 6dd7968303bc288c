import type { EntryBody, JournalEntry } from "../../contract/journal.ts";
import type { Run } from "../../contract/run.ts";
import type { Finding } from "../../engine/pack.ts";
import { loadPack } from "../../packs/registry.ts";
import { checkChain } from "../check-chain.ts";
import { checkOrder } from "../check-order.ts";
import { checkReplay } from "../check-replay.ts";
import { bad } from "../finding.ts";
import { assembleStoredRun } from "../read-run.ts";
import type { Proof } from "./make-proof.ts";

/** Makes the decision of a proof once more from its turns, with the pack's rules as they are installed here. */
export async function recomputeProof(proof: Proof): Promise<Finding[]> {
  const entries = proof.entries.map((entry): JournalEntry => ({ ...entry, body: JSON.parse(entry.body) as EntryBody }));
  const last = entries.at(-1);
  const end = entries.findLast(({ body }) => body.kind === "end")?.body;
  if (!last || end?.kind !== "end") return [bad("replay", proof.run.id, "the run has no end")];
  const run: Run = {
    ...proof.run,
    status: "finished",
    outcome: end.result.outcome,
    headHash: last.hash,
    entryCount: entries.length,
  };
  const basic = [...checkChain(run, entries), ...checkOrder(run.id, entries)].filter(({ ok }) => !ok);
  if (basic.length > 0) return basic;
  return checkReplay(await loadPack(run.manifest.pack), assembleStoredRun(run, entries));
}
