import * as z from "zod";
import { RouteLabelSchema, SourceItemSchema } from "./material.ts";

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
    corpus: z.array(SourceItemSchema).max(200).optional().meta({ title: "Sources of your own" }),
  }),
);
export type LawInput = z.infer<typeof LawInputSchema>;
