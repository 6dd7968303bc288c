import * as z from "zod";
import { ActAboveSchema } from "../../../engine/define-pack.ts";

/** Who a speaker is. */
const PersonaSchema = z.strictObject({
  name: z.string().min(1),
  role: z.string().min(1),
  goal: z.string().min(1),
  stance: z.enum(["for", "against"]).optional(),
  style: z.string().optional(),
});
export type Persona = z.infer<typeof PersonaSchema>;

/** How a question can be debated. */
export const protocolNames = [
  "single",
  "vote",
  "self_consistency",
  "adaptive-vote",
  "on-disagreement",
  "critic",
  "quotes-only",
  "round-table",
  "courtroom",
  "self-moa",
] as const;

const ProtocolNameSchema = z.union([
  z.enum(protocolNames),
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
  stop: z
    .strictObject({
      agreement: z.number().min(0.5).max(1).default(1),
      /** How certain the lead must be before an adaptive vote stops. */
      certainty: z.number().min(0.5).max(0.999).default(0.95),
    })
    .prefault({}),
  /** Ask whether two answers say the same where rules cannot tell. */
  same_answer: z.boolean().default(true),
  /** Show others' answers without names. */
  anonymous: z.boolean().default(true),
  /** Tell speakers not to follow the majority. */
  anti_conformity: z.boolean().default(false),
  /** Answer from the documents alone; when it is left out, wherever there are documents. */
  only_documents: z.boolean().optional(),
  /** Documents of up to this many characters together are shown whole. */
  document_characters: z.int().min(500).max(2_000_000).default(24_000),
  /** The passages shown of documents that are larger. */
  passages: z.int().min(1).max(50).default(12),
  act_above: ActAboveSchema,
});
export type QuestionConfig = z.infer<typeof QuestionSettingsSchema>;
