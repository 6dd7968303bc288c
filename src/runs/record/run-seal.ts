import type { Manifest, Run } from "../../contract/run.ts";
import { hashValue } from "../../engine/hash.ts";

/** What the first link of a run's journal vouches for. */
export function pickSealedFacts({ id, manifest, caseId, key, batch, createdAt }: Run) {
  return { id, manifest, caseId, key, batch, createdAt };
}

const keys = new WeakMap<Manifest, { caseId: string | null; key: string }>();

/** Equal for requests that would run the same debate. A batch asks for it before it makes the run, and then again. */
export function runKey(manifest: Manifest, caseId: string | null): string {
  const known = keys.get(manifest);
  if (known?.caseId === caseId) return known.key;
  const { pack, input, config, cast, seed, budget, parley } = manifest;
  const key = hashValue({ caseId, pack, input, config, cast, seed, budget, parley });
  keys.set(manifest, { caseId, key });
  return key;
}
