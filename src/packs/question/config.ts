import * as z from "zod";

/** Who a speaker is. */
export const PersonaSchema = z.strictObject({
  name: z.string().min(1),
  role: z.string().min(1),
  goal: z.string().min(1),
  stance: z.enum(["for", "against"]).optional(),
  style: z.string().optional(),
});
export type Persona = z.infer<typeof PersonaSchema>;

/** The speakers when the config names none; a persona of the config replaces the one with its key. */
export const defaultPersonas: Record<string, Persona> = {
  analyst: { name: "Analyst", role: "works the question step by step", goal: "the answer that the facts support" },
  skeptic: {
    name: "Skeptic",
    role: "tests the obvious answer first",
    goal: "find where the obvious answer fails, then answer",
  },
  generalist: {
    name: "Generalist",
    role: "takes the question as a whole",
    goal: "the answer that fits everything known",
  },
  for: {
    name: "For",
    role: "advocate",
    goal: "the strongest honest case for the motion or the likeliest answer",
    stance: "for",
  },
  against: {
    name: "Against",
    role: "advocate",
    goal: "the strongest honest case against it, or for another answer",
    stance: "against",
  },
};

export const protocolNames = ["single", "vote", "self-consistency", "round-table", "courtroom"] as const;

/** How a question is debated; `{}` is a round table of three without a judge. */
export const QuestionConfigSchema = z
  .strictObject({
    protocol: z.enum(protocolNames).default("round-table"),
    personas: z.record(z.string().regex(/^[a-z][a-z0-9_-]*$/, "keys are lower-case words"), PersonaSchema).default({}),
    order: z.array(z.string()).min(1).optional(),
    /** Rounds of a round table at the most; a courtroom holds exactly two. */
    max_rounds: z.int().min(1).max(128).default(3),
    samples: z.int().min(1).max(64).default(5),
    judge: z.boolean().optional(),
    stop: z.strictObject({ agreement: z.number().min(0.5).max(1).default(1) }).prefault({}),
    passages: z.int().min(1).max(50).default(6),
  })
  .superRefine((config, context) => {
    const known = Object.keys(personasOf(config));
    for (const [index, key] of (config.order ?? []).entries()) {
      if (!known.includes(key))
        context.addIssue({
          code: "custom",
          path: ["order", index],
          message: `no persona "${key}" (known: ${known.join(", ")})`,
        });
      if (config.order?.indexOf(key) !== index)
        context.addIssue({ code: "custom", path: ["order", index], message: `"${key}" speaks twice` });
    }
    if (config.protocol === "courtroom" && config.order && config.order.length !== 2)
      context.addIssue({ code: "custom", path: ["order"], message: "a courtroom has exactly two speakers" });
    if (hasJudge(config) && Object.hasOwn(config.personas, "judge"))
      context.addIssue({
        code: "custom",
        path: ["personas", "judge"],
        message: "the judge is no speaker; take another key",
      });
    const mute = config.order ? [] : Object.keys(config.personas).filter((key) => !mayBeLeftOut(config, key));
    for (const key of mute)
      context.addIssue({
        code: "custom",
        path: ["personas", key],
        message: `"${key}" would not speak; say who does with \`order\`, e.g. order: [${key}, skeptic]`,
      });
    if (config.protocol === "courtroom" && config.judge === false)
      context.addIssue({ code: "custom", path: ["judge"], message: "a courtroom needs its judge" });
  });
export type QuestionConfig = z.infer<typeof QuestionConfigSchema>;

/** All personas: the defaults with the config's over them. */
export function personasOf(config: Pick<QuestionConfig, "personas">): Record<string, Persona> {
  return { ...defaultPersonas, ...config.personas };
}

/** The speakers in order, each with its persona. */
export function castOf(config: QuestionConfig): Record<string, Persona> {
  const personas = personasOf(config);
  return Object.fromEntries(speakersOf(config).map((key) => [key, personas[key] as Persona]));
}

/** Who speaks, in order: as configured, else the config's own personas, else the protocol's defaults. */
export function speakersOf(config: QuestionConfig): string[] {
  const own = Object.keys(config.personas);
  if (config.protocol === "single" || config.protocol === "self-consistency")
    return [config.order?.[0] ?? own[0] ?? "analyst"];
  if (config.order) return config.order;
  if (config.protocol === "courtroom") return own.length === 2 ? own : ["for", "against"];
  return own.length >= 2 ? own : ["analyst", "skeptic", "generalist"];
}

/** True when a persona speaks, replaces a default one, or the protocol has but one speaker. */
function mayBeLeftOut(config: QuestionConfig, key: string): boolean {
  if (config.protocol === "single" || config.protocol === "self-consistency") return true;
  return Object.hasOwn(defaultPersonas, key) || speakersOf(config).includes(key);
}

/** True when a judge has the last word. */
export function hasJudge(config: QuestionConfig): boolean {
  return config.protocol === "courtroom" || (config.protocol === "round-table" && config.judge === true);
}
