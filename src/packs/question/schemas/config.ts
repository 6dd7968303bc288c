import * as z from "zod";
import { JurySchema } from "../../../contract/jury.ts";
import { ActAboveSchema } from "../../../engine/define-pack.ts";
import { personas } from "../prompts/read-prompts.ts";

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
export const protocolNames = ["single", "vote", "in_order", "self_consistency", "round-table", "courtroom"] as const;

const QuestionSettingsSchema = z.strictObject({
  protocol: z.enum(protocolNames).default("round-table"),
  personas: z.record(z.string().regex(/^[a-z][a-z0-9_-]*$/, "keys are lower-case words"), PersonaSchema).default({}),
  order: z.array(z.string()).min(1).optional(),
  /** The most rounds that a round table holds; a courtroom holds exactly two. */
  max_rounds: z.int().min(1).max(128).default(3),
  samples: z.int().min(1).max(64).default(5),
  /** When speakers are asked in order: after how many that agree to stop, or when a posterior settles the vote. */
  stop_at: z.union([z.literal(2), z.literal(3), z.literal("posterior")]).default(2),
  /** A judge at the round table; a courtroom always has one. */
  judge: z.boolean().optional(),
  /** What each speaker's vote weighs, as log odds of being right, learnt on other cases; the weights then decide. */
  jury: JurySchema.pick({ weights: true, none: true }).optional(),
  stop: z.strictObject({ agreement: z.number().min(0.5).max(1).default(1) }).prefault({}),
  /** Ask whether two answers say the same where rules cannot tell. */
  same_answer: z.boolean().default(true),
  /** Let only a new quote (an argument, where there are no documents) justify a change of answer. */
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

/** How a question is debated; `{}` is a round table of three without a judge (question spec §3). */
export const QuestionConfigSchema = QuestionSettingsSchema.superRefine((config, context) => {
  for (const { path, message } of findProblems(config)) context.addIssue({ code: "custom", path, message });
});

/** The speakers when the config names none; a persona of the config replaces the one with its key. */
export const defaultPersonas = z.record(z.string(), PersonaSchema).parse(personas);

/** All personas that a config knows. */
export function personasOf(config: QuestionConfig): Record<string, Persona> {
  return { ...defaultPersonas, ...config.personas };
}

/** The speakers in order, each with its persona. */
export function speakersOf(config: QuestionConfig): Record<string, Persona> {
  const personas = personasOf(config);
  return Object.fromEntries(listSpeakers(config).map((key) => [key, personas[key] as Persona]));
}

/** Lists who speaks, in order: as configured, else the config's own personas, else the protocol's defaults. */
function listSpeakers(config: QuestionConfig): string[] {
  const own = Object.keys(config.personas);
  if (hasOneSpeaker(config)) return [config.order?.[0] ?? own[0] ?? "analyst"];
  if (config.order) return config.order;
  if (config.protocol === "courtroom") return own.length === 2 ? own : ["for", "against"];
  return own.length >= 2 ? own : ["analyst", "skeptic", "generalist"];
}

/** True when a judge has the last word. */
export function hasJudge({ protocol, judge }: QuestionConfig): boolean {
  return protocol === "courtroom" || (protocol === "round-table" && judge === true);
}

/** True when answers may have to be told apart by the `same_answer` role: where a vote or agreement counts. */
export function comparesAnswers({ same_answer, protocol }: QuestionConfig): boolean {
  return same_answer && protocol !== "single" && protocol !== "courtroom";
}

function hasOneSpeaker({ protocol }: QuestionConfig): boolean {
  return protocol === "single" || protocol === "self_consistency";
}

/** Finds settings that would otherwise be silently ignored or misread. */
function findProblems(config: QuestionConfig): { path: (string | number)[]; message: string }[] {
  const { order = [], personas, protocol } = config;
  const known = Object.keys(personasOf(config));
  const speaks = (key: string): boolean =>
    hasOneSpeaker(config) || Object.hasOwn(defaultPersonas, key) || listSpeakers(config).includes(key);
  const idle = config.order ? [] : Object.keys(personas).filter((key) => !speaks(key));
  const isJudgeTaken = hasJudge(config) && Object.hasOwn(personas, "judge");
  const isComparerTaken = comparesAnswers(config) && Object.hasOwn(personas, "same_answer");
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
    ...(isJudgeTaken
      ? [{ path: ["personas", "judge"], message: "the judge is not a speaker; choose another key" }]
      : []),
    ...(isComparerTaken
      ? [{ path: ["personas", "same_answer"], message: "that is the role that compares answers; choose another key" }]
      : []),
    ...idle.map((key) => ({
      path: ["personas", key],
      message: `"${key}" would not speak; say who does with \`order\`, e.g. order: [${key}, skeptic]`,
    })),
  ];
}
