import type { CaseFile } from "./case-file.ts";
import { shippedKnowledge } from "../items/knowledge.ts";
import type { RetrievedEvidence } from "../retrieval/retrieval.ts";

/** Provisions by which national law itself says when adat applies, and the topics that call for them. */
const bridges: { id: string; topics: string[] | null }[] = [
  { id: "NAT-UU48-5", topics: null },
  { id: "NAT-IS-131", topics: ["inheritance", "wills", "legitimacy"] },
  { id: "NAT-UUPA-5", topics: ["land", "property_class", "transfer_restriction", "transfer_exception"] },
  { id: "NAT-UUD-18B2", topics: ["land", "governance"] },
];

/** Where both laws are claimed, the provisions that bridge them belong to the evidence (law spec §2). */
export function withBridges(file: CaseFile): CaseFile {
  const { route, retrieval } = file;
  if (route.out_of_scope || (route.label !== "conflict" && route.label !== "consensus")) return file;
  const known = new Set(retrieval.evidence.map(({ id }) => id));
  const topics = new Set(retrieval.evidence.slice(0, 6).flatMap((item) => item.topics));
  const added = bridges
    .filter(
      (bridge) => !known.has(bridge.id) && (bridge.topics === null || bridge.topics.some((topic) => topics.has(topic))),
    )
    .flatMap(({ id }): RetrievedEvidence[] => {
      const item = shippedKnowledge().find(id);
      return item ? [{ ...item, score: 0, found_by: ["graph"] }] : [];
    });
  return { ...file, retrieval: { ...retrieval, evidence: [...retrieval.evidence, ...added] } };
}
