import type { Finding } from "../../engine/pack.ts";
import { hasCode } from "../../contract/error.ts";
import { loadPack } from "../../packs/registry.ts";
import { checkOrder } from "../verify/check-order.ts";
import { checkReplay } from "../verify/check-replay.ts";
import { bad } from "../record/finding.ts";
import type { Proof } from "./make-proof.ts";
import { readProof } from "./read-proof.ts";

/** Makes the decision of a proof once more from its turns, with the pack's rules as they are installed here. */
export async function recomputeProof(proof: Proof): Promise<Finding[]> {
  try {
    const stored = readProof(proof);
    const wrong = checkOrder(stored.run.id, stored.entries).filter(({ ok }) => !ok);
    if (wrong.length > 0) return wrong;
    return await checkReplay(await loadPack(stored.run.manifest.pack), stored);
  } catch (error) {
    if (!hasCode(error, "corrupt_store") && !hasCode(error, "bad_input")) throw error;
    return [bad("replay", proof.run.id, error.message)];
  }
}
