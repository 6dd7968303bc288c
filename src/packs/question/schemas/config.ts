import * as z from "zod";

/** Who a speaker is. */
const PersonaSchema = z.strictObject({
  name: z.string().min(1),
  role: z.string().min(1),
  goal: z.string().min(1),
  stance: z.enum(["for", "against"]).optional(),
  style: z.string().optional(),
});
export type Persona = z.infer<typeof PersonaSchema>;

const ProtocolNameSchema = z.union([
  z.enum(["single", "vote", "self_consistency", "round-table", "courtroom"]),
  /** The spelling of earlier versions; it means the same. */
  z
    .literal("self-consistency")
    .meta({ deprecated: true })
    .transform((): "self_consistency" => "self_consistency"),
]);

/** The settings, each for itself; what must hold between them is checked in config.ts. */
export const QuestionSettingsSchema = z.strictObject({
  protocol: ProtocolNameSchema.default("round-table"),
  personas: z.record(z.string().regex(/^[a-z][a-z0-9_-]*$/, "keys are lower-case words"), PersonaSchema).default({}),
  order: z.array(z.string()).min(1).optional(),
  /** The most rounds that a round table holds; a courtroom holds exactly two. */
  max_rounds: z.int().min(1).max(128).default(3),
  samples: z.int().min(1).max(64).default(5),
  judge: z.boolean().optional(),
  stop: z.strictObject({ agreement: z.number().min(0.5).max(1).default(1) }).prefault({}),
  passages: z.int().min(1).max(50).default(6),
});
export type QuestionConfig = z.infer<typeof QuestionSettingsSchema>;
