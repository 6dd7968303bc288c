import * as z from "zod";
import { ReasonerNameSchema } from "./hypothesis.ts";

/** The rubric: points per criterion, 100 in all (root-cause spec §4.3). */
export const rubric = {
  evidence_quality: 30,
  reasoning_strength: 25,
  confidence_calibration: 20,
  completeness: 15,
  consistency: 10,
} as const;
export type Criterion = keyof typeof rubric;
export const criteria = Object.keys(rubric) as Criterion[];

const points = (most: number) => z.number().min(0).max(most);

export const SubscoresSchema = z.strictObject({
  evidence_quality: points(rubric.evidence_quality),
  reasoning_strength: points(rubric.reasoning_strength),
  confidence_calibration: points(rubric.confidence_calibration),
  completeness: points(rubric.completeness),
  consistency: points(rubric.consistency),
});
export type Subscores = z.infer<typeof SubscoresSchema>;

const LabelSchema = z.string().overwrite((label) => label.trim().toUpperCase());

const remarks = {
  strengths: z.array(z.string()),
  weaknesses: z.array(z.string()),
  feedback: z.string(),
};

/**
 * A judge's scores for one anonymous hypothesis: reasons before points, and no total, because the program computes
 * it. Points out of range cost this score, not the reply.
 */
export const LabelScoreSchema = z.strictObject({
  label: LabelSchema.min(1),
  ...remarks,
  evidence_quality: z.number(),
  reasoning_strength: z.number(),
  confidence_calibration: z.number(),
  completeness: z.number(),
  consistency: z.number(),
});
export type LabelScore = z.infer<typeof LabelScoreSchema>;

export const JudgeReplySchema = z.strictObject({
  scores: z.array(LabelScoreSchema),
  same_cause: z.array(z.array(LabelSchema)),
});
export type JudgeReply = z.infer<typeof JudgeReplySchema>;

export const EvaluationSchema = z.strictObject({
  id: z.string(),
  source: ReasonerNameSchema,
  label: z.string(),
  rank: z.int().positive(),
  judge_score: z.number().min(0).max(100),
  ...SubscoresSchema.shape,
  ...remarks,
});
export type Evaluation = z.infer<typeof EvaluationSchema>;

/** Differences between two judgements in opposite order (`judge.swap`). */
export const DisagreementSchema = z.strictObject({
  mean_points: z.number().nonnegative(),
  largest_points: z.number().nonnegative(),
  top_changed: z.boolean(),
});
export type Disagreement = z.infer<typeof DisagreementSchema>;

export const JudgeEvaluationSchema = z.strictObject({
  evaluated: z.array(EvaluationSchema),
  same_cause: z.array(z.array(z.string())),
  unscored: z.array(z.string()),
  disagreement: DisagreementSchema.nullable(),
});
export type JudgeEvaluation = z.infer<typeof JudgeEvaluationSchema>;
