import * as z from "zod";
import { withBridges } from "./bridges.ts";
import type { CaseFile } from "./case-file.ts";
import type { LawConfig } from "./config.ts";
import { EvidenceSchema } from "./knowledge/evidence.ts";
import { shippedKnowledge, withItems } from "./knowledge/knowledge.ts";
import { retrieve } from "./retrieval/retrieve.ts";
import { route } from "./router/route.ts";

/** A legal question; a caller's `domain_hint` wins over the router (law spec §1). */
export const LawInputSchema = z.strictObject({
  id: z.string().optional(),
  query: z.string().trim().min(1, "the question is empty").max(4000, "the question is longer than 4000 characters"),
  domain_hint: z.enum(["pure_national", "pure_adat", "conflict", "consensus"]).optional(),
  /** Items of the user's own corpus that go with this question; part of the case, so that a run is the same anywhere. */
  corpus: z.array(EvidenceSchema).max(200).optional(),
});
export type LawInput = z.infer<typeof LawInputSchema>;

/** Routes the question and gathers what the knowledge base has for it. */
export function openCase({ query, domain_hint, corpus = [] }: LawInput, config: LawConfig): CaseFile {
  const knowledge = withItems(shippedKnowledge(), corpus);
  return withBridges({
    query,
    domain_hint: domain_hint ?? null,
    route: route(query, domain_hint, knowledge),
    retrieval: retrieve(query, { limit: config.retrieval.limit }, knowledge),
  });
}
