import { hasCode, ParleyError } from "../../contract/error.ts";
import type { DebateResult } from "../../contract/result.ts";
import { RunSchema } from "../../contract/run.ts";
import { turnIdOf } from "../../contract/turn.ts";
import type { Journal } from "../../engine/journal.ts";
import type { AnyPack, Finding } from "../../engine/pack.ts";
import { loadPackOf } from "../../packs/registry.ts";
import type { Store } from "../../store/store.ts";
import { checkChain, findErased } from "../record/check-chain.ts";
import { bad, good } from "../record/finding.ts";
import { checkOrder } from "./check-order.ts";
import { findPromptTrouble, readEntries, type StoredRun, assembleStoredRun } from "../record/read-run.ts";
import { finishedOf, listFindings } from "../record/show-run.ts";
import { checkReplay } from "./check-replay.ts";
import { runKey } from "../record/run-seal.ts";

/** Checks a run: its row, its hash chain, its prompts, that its decision follows from its turns, and the pack's own checks. A pack that is not registered is given as `own`. */
export async function verifyRun(store: Store, id: string, own?: AnyPack): Promise<Finding[]> {
  try {
    const { run, entries } = await readEntries(store, id);
    const chain = checkChain(run, entries);
    if (chain.some((finding) => !finding.ok)) return chain;
    const erased = findErased(entries);
    if (erased) return [...chain, good("erased", id, `erased on ${erased.at}: hashes and order of its entries hold`)];
    const stored = assembleStoredRun(run, entries);
    const basic = [
      ...checkRecord(stored),
      ...chain,
      ...checkOrder(run.id, entries),
      ...(await checkPrompts(stored, await store.journal(run.id))),
    ];
    if (basic.some((finding) => !finding.ok) || !stored.result) return basic;
    const pack = own ?? (await loadPackOf(run.manifest));
    return [...basic, ...(await checkReplay(pack, stored)), ...checkByPack(pack, stored)];
  } catch (error) {
    if (hasCode(error, "corrupt_store")) return [bad("stored_json", id, error.message)];
    if (hasCode(error, "unknown_run")) return [bad("run_record", id, "is listed, but cannot be found by its id")];
    if (hasCode(error, "bad_input")) return [bad("pack", id, error.message)];
    throw error;
  }
}

function checkRecord({ run, entries, result }: StoredRun): Finding[] {
  const findings: Finding[] = [];
  const parsed = RunSchema.safeParse(run);
  if (!parsed.success)
    findings.push(
      bad(
        "run_record",
        run.id,
        parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; "),
      ),
    );
  else if (run.key !== runKey(run.manifest, run.caseId))
    findings.push(bad("run_record", run.id, "its key is not the key of its manifest"));
  const ended = entries.at(-1)?.body.kind === "end";
  if ((run.status === "finished") !== ended && !(ended && canGoOn(result)))
    findings.push(bad("run_record", run.id, `marked ${run.status}, but its journal ${ended ? "ends" : "has no end"}`));
  if (ended && run.status === "finished" && run.outcome !== result?.outcome)
    findings.push(bad("run_record", run.id, `marked ${run.outcome}, but its journal says ${result?.outcome}`));
  return findings.length > 0 ? findings : [good("run_record", run.id, "the run's record agrees with its journal")];
}

/** A run that stopped early can be taken up again, and may have been stopped once more since. */
function canGoOn(result: DebateResult | null): boolean {
  return result?.outcome === "failed" || result?.outcome === "budget_exhausted";
}

async function checkPrompts({ run, entries }: StoredRun, journal: Journal): Promise<Finding[]> {
  const attempts = entries.map(({ body }) => body).filter((body) => body.kind === "attempt");
  for (const { turn, promptHash } of attempts) {
    const trouble = await findPromptTrouble(journal, promptHash);
    if (typeof trouble === "string") return [bad("prompts", turnIdOf(turn), trouble)];
  }
  return [good("prompts", run.id, `${attempts.length} prompts as they were sent`)];
}

function checkByPack(pack: AnyPack, stored: StoredRun): Finding[] {
  if (!stored.result?.decision) return [];
  try {
    return listFindings(pack, finishedOf(stored));
  } catch (error) {
    if (error instanceof ParleyError) throw error;
    return [bad("decision", stored.run.id, `cannot be read by the ${pack.name} pack: ${(error as Error).message}`)];
  }
}
