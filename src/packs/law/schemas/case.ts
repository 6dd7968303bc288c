import * as z from "zod";
import { RouteLabelSchema, SourceItemSchema } from "./material.ts";

/** A legal question, or its text alone; a caller's `domain_hint` wins over the router (law spec §1). */
export const LawInputSchema = z.preprocess(
  (value) => (typeof value === "string" ? { query: value } : value),
  z.strictObject({
    id: z.string().optional(),
    query: z
      .string()
      .trim()
      .min(1, "the question is empty")
      .max(4000, "the question is longer than 4000 characters")
      .meta({ title: "The question" }),
    domain_hint: RouteLabelSchema.optional().meta({ title: "What kind of question it is, if you know" }),
    /** Items of the user's own corpus that go with this question; part of the case, so that a run is the same anywhere. */
    corpus: z.array(SourceItemSchema).max(200).optional().meta({ title: "Sources of your own" }),
  }),
);
export type LawInput = z.infer<typeof LawInputSchema>;
