import { loadKnowledge } from "../items/knowledge.ts";
import { findLimits } from "./limits.ts";
import type { RetrievedEvidence } from "../retrieval/retrieval.ts";
import type { CaseFile } from "./case-file.ts";

/** Adds what limits the norms that were found; nobody holds it but the critic of whoever claims those norms (law spec §2.11). */
export function addLimits(opened: CaseFile): CaseFile {
  const { retrieval, read } = opened;
  const found = retrieval.evidence.map(({ id }) => id);
  const missing = findLimits(read, found)
    .flatMap(({ by }) => by)
    .filter((id) => !found.includes(id));
  const added = [...new Set(missing)].flatMap((id): RetrievedEvidence[] => {
    const item = loadKnowledge().find(id);
    return item ? [{ ...item, score: 0, found_by: ["limits"] }] : [];
  });
  return added.length === 0
    ? opened
    : { ...opened, retrieval: { ...retrieval, evidence: [...retrieval.evidence, ...added] } };
}
