import * as z from "zod";
import { EvidenceSchema, routeLabels } from "../../knowledge/law/index.ts";

/** A legal question; a caller's `domain_hint` wins over the router (law spec §1). */
export const LawInputSchema = z.strictObject({
  id: z.string().optional(),
  query: z.string().trim().min(1, "the question is empty").max(4000, "the question is longer than 4000 characters"),
  domain_hint: z.enum(routeLabels).optional(),
  /** Items of the user's own corpus that go with this question; part of the case, so that a run is the same anywhere. */
  corpus: z.array(EvidenceSchema).max(200).optional(),
});
export type LawInput = z.infer<typeof LawInputSchema>;
