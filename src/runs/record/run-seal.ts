import type { Manifest, Run } from "../../contract/run.ts";
import { hashValue } from "../../engine/hash.ts";

/** What the first link of a run's journal vouches for. */
export function pickSealedFacts({ id, manifest, caseId, key, batch, createdAt }: Run) {
  return { id, manifest, caseId, key, batch, createdAt };
}

/** Equal for requests that would run the same debate. */
export function runKey(manifest: Manifest, caseId: string | null): string {
  const { pack, input, config, cast, seed, budget, promptHashes } = manifest;
  return hashValue({ caseId, pack, input, config, cast, seed, budget, promptHashes });
}
