/** Schemas of the debate (sentiment spec §3): personas, turns and judges of both styles. */
import * as z from "zod";
import { LanguageCodeSchema, PolaritySchema, polarities } from "./stage1.ts";
import { wireObject, wordOf } from "./wire.ts";

export const styles = ["patch", "stance"] as const;
export type Style = (typeof styles)[number];

export const PersonaSchema = z.strictObject({
  name: z.string().min(1),
  role: z.string(),
  goal: z.string(),
  stance: z.string().optional(),
  style: z.string().optional(),
});
export type Persona = z.infer<typeof PersonaSchema>;

export const operations = ["set_polarity", "set_aspect_ref", "merge_tuples", "drop_tuple", "confirm_tuple"] as const;

export const EditTargetSchema = wireObject(
  { aspect_ref: z.string(), polarity: wordOf(polarities).nullable() },
  { aspect_term: "aspect_ref" },
);

export const EditSchema = wireObject({
  target: EditTargetSchema,
  evidence: z.string().nullable(),
  op: wordOf(operations),
  value: z.string().nullable(),
  confidence: z.number().min(0).max(1).nullable(),
});
export type Edit = z.infer<typeof EditSchema>;

export const PatchTurnReplySchema = wireObject({ agent: z.string().nullable(), proposed_edits: z.array(EditSchema) });
export type PatchTurnReply = z.infer<typeof PatchTurnReplySchema>;

const spoken = { speaker: z.string(), agent: z.string(), round: z.int(), by_program: z.boolean() };

const PatchTurnSchema = z.strictObject({ ...spoken, proposed_edits: z.array(EditSchema) });
export type PatchTurn = z.infer<typeof PatchTurnSchema>;

export const PatchSchema = wireObject({
  op: wordOf(operations),
  target: EditTargetSchema,
  value: z.string().nullable(),
});
export type Patch = z.infer<typeof PatchSchema>;

const sentencePolarities = [...polarities, "mixed"] as const;
export const LabelSchema = z.enum(sentencePolarities);
export type Label = z.infer<typeof LabelSchema>;

/** Evidence and reasons come first, because a model writes keys in this order. */
export const PatchJudgeReplySchema = wireObject({
  /** At least one, each an exact substring of the text. */
  sentence_evidence_spans: z.array(z.string()),
  aspect_evidence: z.array(wireObject({ aspect: z.string(), span: z.string() })).nullable(),
  unresolved_conflicts: z.array(z.string()),
  rationale: z.string().nullable(),
  final_patch: z.array(PatchSchema),
  final_tuples: z.array(EditTargetSchema),
  sentence_polarity: wordOf(sentencePolarities).nullable(),
});
export type PatchJudgeReply = z.infer<typeof PatchJudgeReplySchema>;

export const TupleSchema = z.strictObject({
  aspect_ref: z.string(),
  aspect_term: z.string(),
  polarity: PolaritySchema,
});
export type Tuple = z.infer<typeof TupleSchema>;

export const PatchSummarySchema = z.strictObject({
  final_patch: z.array(PatchSchema),
  final_tuples: z.array(TupleSchema),
  unresolved_conflicts: z.array(z.string()),
  sentence_polarity: LabelSchema.nullable(),
  sentence_evidence_spans: z.array(z.string()),
  aspect_evidence: z.record(z.string(), z.string()),
  rationale: z.string().nullable(),
});
export type PatchSummary = z.infer<typeof PatchSummarySchema>;

const speech = {
  planning: z.string(),
  reflection: z.string(),
  message: z.string(),
  /** Words of the text are quoted exactly, so that the gate can use them as evidence. */
  key_points: z.array(z.string()),
};
export const StanceTurnReplySchema = wireObject({
  speaker: z.string().nullable(),
  stance: z.string().nullable(),
  ...speech,
});
export type StanceTurnReply = z.infer<typeof StanceTurnReplySchema>;

const StanceTurnSchema = z.strictObject({ ...spoken, stance: z.string(), ...speech });
export type StanceTurn = z.infer<typeof StanceTurnSchema>;

export const StanceSummarySchema = wireObject({
  key_agreements: z.array(z.string()),
  key_disagreements: z.array(z.string()),
  rationale: z.string(),
  winner: z.string().nullable(),
  consensus: z.string().nullable(),
});
export type StanceSummary = z.infer<typeof StanceSummarySchema>;

/** A part of a reply that was struck: unknown, not in the text, or not evidence for its purpose. */
export const StrikeSchema = z.strictObject({ speaker: z.string(), round: z.int(), code: z.string(), what: z.string() });
export type TurnStrike = z.infer<typeof StrikeSchema>;

export const structures = ["negation", "contrast", "irony", "none"] as const;

/** A principle learned from earlier debates (sentiment spec §3): never raw text or gold. */
export const EpisodeSchema = z.strictObject({
  id: z.string().min(1),
  language: LanguageCodeSchema,
  structure: z.enum(structures),
  /** A synonym group of the language, or "other". */
  aspect_group: z.string(),
  principle: z.string().min(1),
  advice: z.enum(["positive", "negative", "abstain"]).nullable(),
});
export type Episode = z.infer<typeof EpisodeSchema>;

export const conditions = ["C1", "C2", "C2_silent"] as const;

const MemoryTraceSchema = z.strictObject({
  condition: z.enum(conditions),
  retrieved_ids: z.array(z.string()),
  injected: z.array(EpisodeSchema),
  injected_before: z.array(z.string()),
});
export type MemoryTrace = z.infer<typeof MemoryTraceSchema>;

export const noMemory: MemoryTrace = { condition: "C1", retrieved_ids: [], injected: [], injected_before: [] };

const shared = {
  topic: z.string(),
  personas: z.record(z.string(), PersonaSchema),
  memory: MemoryTraceSchema,
};

const PatchDebateSchema = z.strictObject({
  ...shared,
  style: z.literal("patch"),
  rounds: z.array(z.strictObject({ round: z.int(), turns: z.array(PatchTurnSchema) })),
  summary: PatchSummarySchema.nullable(),
});
export type PatchDebate = z.infer<typeof PatchDebateSchema>;

const StanceDebateSchema = z.strictObject({
  ...shared,
  style: z.literal("stance"),
  rounds: z.array(z.strictObject({ round: z.int(), turns: z.array(StanceTurnSchema) })),
  summary: StanceSummarySchema.nullable(),
});
export type StanceDebate = z.infer<typeof StanceDebateSchema>;

export type DebateOutput = PatchDebate | StanceDebate;

export const SettledDebateSchema = z.discriminatedUnion("style", [
  PatchDebateSchema.extend({ summary: PatchSummarySchema.extend({ settled_tuples: z.array(TupleSchema) }) }),
  StanceDebateSchema,
]);
export type SettledDebate = z.infer<typeof SettledDebateSchema>;

export const silentJudge: PatchSummary = {
  final_patch: [],
  final_tuples: [],
  unresolved_conflicts: [],
  sentence_polarity: null,
  sentence_evidence_spans: [],
  aspect_evidence: {},
  rationale: null,
};
