import * as z from "zod";
import { CategorySchema } from "../../../contract/incident.ts";

export const reasonerNames = ["log_focused", "kg_focused", "hybrid"] as const;
export const ReasonerNameSchema = z.enum(reasonerNames);
export type ReasonerName = z.infer<typeof ReasonerNameSchema>;

/** Prefixes that make hypothesis ids unique in a debate. */
export const idPrefixes: Record<ReasonerName, string> = { log_focused: "log", kg_focused: "kg", hybrid: "hybrid" };

const text = z.string().refine((words) => words.trim() !== "", "must not be empty");

/** A log line (`12`, or `"app.log:12"` with several files), a past incident, or a number or pattern (`N1`, `P1`), with a quote. */
export const EvidenceSchema = z.strictObject({
  kind: z.enum(["log", "kg", "pattern"]),
  ref: z.union([z.int().positive(), text]),
  quote: text,
});
export type Evidence = z.infer<typeof EvidenceSchema>;

/** Evidence and reasoning come before conclusions, because a model writes keys in this order (root-cause spec §4.2). */
const hypothesisFields = {
  id: text,
  evidence: z.array(EvidenceSchema),
  reasoning: text,
  causal_path: z.array(text),
  category: CategorySchema,
  affected_components: z.array(text),
  hypothesis: text,
  confidence: z.number().min(0).max(1),
  suggested_resolution: z.array(text),
};

/** A hypothesis in the artifacts (root-cause spec §4.2); `struck` is evidence removed by the check. */
export const HypothesisSchema = z.strictObject({
  ...hypothesisFields,
  changes_made: text.optional(),
  from: z.array(text).optional(),
  struck: z.array(EvidenceSchema).optional(),
  mended: z.array(z.string()).optional(),
});
export type Hypothesis = z.infer<typeof HypothesisSchema>;

export const StatedHypothesisSchema = z.strictObject({
  ...hypothesisFields,
  changes_made: z.string().nullable(),
  from: z.array(text).nullable(),
});
export type StatedHypothesis = z.infer<typeof StatedHypothesisSchema>;

/** A reasoner may give fewer only with a reason. */
export const leastHypotheses = 3;
export const mostHypotheses = 5;

export const ReasonerReplySchema = z.strictObject({
  hypotheses: z.array(StatedHypothesisSchema),
  fewer_reason: z.string().nullable(),
});
export type ReasonerReply = z.infer<typeof ReasonerReplySchema>;

export type SalvagedReply = Omit<ReasonerReply, "hypotheses"> & {
  hypotheses: (StatedHypothesis & { struck?: Evidence[]; mended?: string[] })[];
};
