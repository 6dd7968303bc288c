import { readFileSync } from "node:fs";
import * as z from "zod";
import { loadKnowledge } from "../items/knowledge.ts";
import type { RetrievedEvidence } from "../retrieval/retrieval.ts";
import type { CaseFile } from "./case-file.ts";

/** A provision by which national law itself says when adat applies, and the topics that call for it (null: any). */
export const BridgeSchema = z.strictObject({
  id: z.string(),
  topics: z.array(z.string()).min(1).nullable(),
  /** A question to whose evidence the provision belongs. */
  example: z.string(),
});
export type Bridge = z.infer<typeof BridgeSchema>;

const file = new URL("../../../../data/law/bridges.json", import.meta.url);
let shipped: Bridge[] | null = null;

/** The bridges that ship with the product; loaded once. */
export function loadBridges(): Bridge[] {
  shipped ??= z.array(BridgeSchema).parse(JSON.parse(readFileSync(file, "utf8")));
  return shipped;
}

/** How many of the best items say what a question is about. */
const tellingItems = 6;

/** Where both laws are claimed, the provisions that bridge them belong to the evidence (law spec §2.6). */
export function addBridges(opened: CaseFile, bridges: Bridge[] = loadBridges()): CaseFile {
  const { route, retrieval } = opened;
  if (route.out_of_scope || (route.label !== "conflict" && route.label !== "consensus")) return opened;
  const known = new Set(retrieval.evidence.map(({ id }) => id));
  const asked = new Set(retrieval.evidence.slice(0, tellingItems).flatMap((item) => item.topics));
  const added = bridges
    .filter(({ id, topics }) => !known.has(id) && (topics === null || topics.some((topic) => asked.has(topic))))
    .flatMap(({ id }): RetrievedEvidence[] => {
      const item = loadKnowledge().find(id);
      return item ? [{ ...item, score: 0, found_by: ["graph"] }] : [];
    });
  return { ...opened, retrieval: { ...retrieval, evidence: [...retrieval.evidence, ...added] } };
}
