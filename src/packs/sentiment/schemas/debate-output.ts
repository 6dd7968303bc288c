/** A finished debate on the wire (sentiment spec §3). */
import * as z from "zod";
import {
  type PatchSummary,
  PatchSummarySchema,
  PatchTurnSchema,
  PersonaSchema,
  StanceSummarySchema,
  StanceTurnSchema,
  TupleSchema,
} from "./debate.ts";
import { conditions, EpisodeSchema } from "./memory.ts";

/** Something of a turn that was struck because it was unknown or not in the text. */
export const TurnStrikeSchema = z.strictObject({
  speaker: z.string(),
  round: z.int(),
  code: z.string(),
  what: z.string(),
});
export type TurnStrike = z.infer<typeof TurnStrikeSchema>;

/** What memory did in this debate. `injected` are the episodes a speaker was shown. */
export const MemoryTraceSchema = z.strictObject({
  condition: z.enum(conditions),
  retrieved_ids: z.array(z.string()),
  injected: z.array(EpisodeSchema),
  injected_before: z.array(z.string()),
  observations: z.array(z.strictObject({ before: z.string(), observed: z.array(z.string()) })),
});
export type MemoryTrace = z.infer<typeof MemoryTraceSchema>;

const shared = {
  topic: z.string(),
  personas: z.record(z.string(), PersonaSchema),
  strikes: z.array(TurnStrikeSchema),
  memory: MemoryTraceSchema,
};

export const PatchDebateSchema = z.strictObject({
  ...shared,
  style: z.literal("patch"),
  rounds: z.array(z.strictObject({ round: z.int(), turns: z.array(PatchTurnSchema) })),
  summary: PatchSummarySchema.nullable(),
});
export type PatchDebate = z.infer<typeof PatchDebateSchema>;

export const StanceDebateSchema = z.strictObject({
  ...shared,
  style: z.literal("stance"),
  rounds: z.array(z.strictObject({ round: z.int(), turns: z.array(StanceTurnSchema) })),
  summary: StanceSummarySchema.nullable(),
});
export type StanceDebate = z.infer<typeof StanceDebateSchema>;

/** A debate of either style. */
export const DebateOutputSchema = z.discriminatedUnion("style", [PatchDebateSchema, StanceDebateSchema]);
export type DebateOutput = z.infer<typeof DebateOutputSchema>;

/** A turn of either style as it is kept. */
export const DebateTurnSchema = z.union([PatchTurnSchema, StanceTurnSchema]);
export type DebateTurn = z.infer<typeof DebateTurnSchema>;

/** A judge's summary of either style as it is kept. */
export const DebateSummarySchema = z.union([PatchSummarySchema, StanceSummarySchema]);
export type DebateSummary = z.infer<typeof DebateSummarySchema>;

/** A patch debate with what the rules accepted of its judge's tuples. */
export const SettledPatchDebateSchema = PatchDebateSchema.extend({
  summary: PatchSummarySchema.extend({ settled_tuples: z.array(TupleSchema) }),
});
export const SettledDebateSchema = z.discriminatedUnion("style", [SettledPatchDebateSchema, StanceDebateSchema]);
export type SettledDebate = z.infer<typeof SettledDebateSchema>;

/** The summary of a judge who said nothing. */
export const silentJudge: PatchSummary = {
  final_patch: [],
  final_tuples: [],
  unresolved_conflicts: [],
  sentence_polarity: null,
  sentence_evidence_spans: [],
  aspect_evidence: {},
  rationale: null,
};

/** No memory was in play. */
export const noMemory: MemoryTrace = {
  condition: "C1",
  retrieved_ids: [],
  injected: [],
  injected_before: [],
  observations: [],
};
