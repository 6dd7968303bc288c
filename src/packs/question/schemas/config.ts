import * as z from "zod";
import { JurySchema } from "../../../contract/jury.ts";
import { ActAboveSchema } from "../../../engine/define-pack.ts";
import { personas } from "../prompts/read-prompts.ts";

const PersonaSchema = z.strictObject({
  name: z.string().min(1),
  role: z.string().min(1),
  goal: z.string().min(1),
  stance: z.enum(["for", "against"]).optional(),
  style: z.string().optional(),
});
export type Persona = z.infer<typeof PersonaSchema>;

export const protocolNames = ["single", "vote", "in_order", "self_consistency", "round-table", "courtroom"] as const;

const QuestionSettingsSchema = z.strictObject({
  protocol: z.enum(protocolNames).default("round-table"),
  personas: z.record(z.string().regex(/^[a-z][a-z0-9_-]*$/, "keys are lower-case words"), PersonaSchema).default({}),
  order: z.array(z.string()).min(1).optional(),
  max_rounds: z.int().min(1).max(128).default(3),
  samples: z.int().min(1).max(64).default(5),
  stop_at: z.union([z.literal(2), z.literal(3), z.literal("posterior")]).default(2),
  judge: z.boolean().optional(),
  jury: JurySchema.pick({ weights: true, none: true }).optional(),
  stop: z.strictObject({ agreement: z.number().min(0.5).max(1).default(1) }).prefault({}),
  same_answer: z.boolean().default(true),
  anti_conformity: z.boolean().default(false),
  only_documents: z.boolean().optional(),
  document_characters: z.int().min(500).max(2_000_000).default(24_000),
  passages: z.int().min(1).max(50).default(12),
  act_above: ActAboveSchema,
});
export type QuestionConfig = z.infer<typeof QuestionSettingsSchema>;

/** Settings of a debate; `{}` is a round table of three without a judge (question spec §3). */
export const QuestionConfigSchema = QuestionSettingsSchema.superRefine((config, context) => {
  for (const { path, message } of findProblems(config)) context.addIssue({ code: "custom", path, message });
});

/** The default speakers; a persona of the config replaces the one with its key. */
export const defaultPersonas = z.record(z.string(), PersonaSchema).parse(personas);

export function personasOf(config: QuestionConfig): Record<string, Persona> {
  return { ...defaultPersonas, ...config.personas };
}

export function speakersOf(config: QuestionConfig): Record<string, Persona> {
  const personas = personasOf(config);
  return Object.fromEntries(listSpeakers(config).map((key) => [key, personas[key] as Persona]));
}

function listSpeakers(config: QuestionConfig): string[] {
  const own = Object.keys(config.personas);
  if (hasOneSpeaker(config)) return [config.order?.[0] ?? own[0] ?? "analyst"];
  if (config.order) return config.order;
  if (config.protocol === "courtroom") return own.length === 2 ? own : ["for", "against"];
  return own.length >= 2 ? own : ["analyst", "skeptic", "generalist"];
}

export function hasJudge({ protocol, judge }: QuestionConfig): boolean {
  return protocol === "courtroom" || (protocol === "round-table" && judge === true);
}

/** True when the `same_answer` role may be needed: where a vote or agreement counts. */
export function comparesAnswers({ same_answer, protocol }: QuestionConfig): boolean {
  return same_answer && protocol !== "single" && protocol !== "courtroom";
}

function hasOneSpeaker({ protocol }: QuestionConfig): boolean {
  return protocol === "single" || protocol === "self_consistency";
}

function findProblems(config: QuestionConfig): { path: (string | number)[]; message: string }[] {
  const { order = [], personas, protocol } = config;
  const known = Object.keys(personasOf(config));
  const speaks = (key: string): boolean =>
    hasOneSpeaker(config) || Object.hasOwn(defaultPersonas, key) || listSpeakers(config).includes(key);
  const idle = config.order ? [] : Object.keys(personas).filter((key) => !speaks(key));
  const roles = [...(hasJudge(config) ? ["judge"] : []), ...(comparesAnswers(config) ? ["same_answer"] : [])];
  return [
    ...order.flatMap((key, at) => {
      if (!known.includes(key))
        return [{ path: ["order", at], message: `no persona "${key}" (known: ${known.join(", ")})` }];
      return order.indexOf(key) === at ? [] : [{ path: ["order", at], message: `"${key}" speaks twice` }];
    }),
    ...(protocol === "courtroom" && config.order && order.length !== 2
      ? [{ path: ["order"], message: "a courtroom has exactly two speakers" }]
      : []),
    ...(protocol === "courtroom" && config.judge === false
      ? [{ path: ["judge"], message: "a courtroom needs its judge" }]
      : []),
    ...roles
      .filter((role) => Object.hasOwn(personas, role))
      .map((role) => ({ path: ["personas", role], message: `"${role}" is a role of its own; choose another key` })),
    ...idle.map((key) => ({
      path: ["personas", key],
      message: `"${key}" would not speak; say who does with \`order\`, e.g. order: [${key}, skeptic]`,
    })),
  ];
}
