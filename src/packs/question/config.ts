import { type Persona, type QuestionConfig, QuestionSettingsSchema } from "./schemas/config.ts";

/** How a question is debated; `{}` is a round table of three without a judge (question spec §3). */
export const QuestionConfigSchema = QuestionSettingsSchema.superRefine((config, context) => {
  const problems = [...findOrderProblems(config), ...findPersonaProblems(config)];
  if (config.protocol === "courtroom" && config.judge === false)
    problems.push({ path: ["judge"], message: "a courtroom needs its judge" });
  for (const { path, message } of problems) context.addIssue({ code: "custom", path, message });
});

type ConfigProblem = { path: (string | number)[]; message: string };

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

/** The speakers in order, each with its persona. */
export function speakersOf(config: QuestionConfig): Record<string, Persona> {
  const personas = personasOf(config);
  return Object.fromEntries(listSpeakers(config).map((key) => [key, personas[key] as Persona]));
}

/** Lists who speaks, in order: as configured, else the config's own personas, else the protocol's defaults. */
export function listSpeakers(config: QuestionConfig): string[] {
  const own = Object.keys(config.personas);
  if (hasOneSpeaker(config)) return [config.order?.[0] ?? own[0] ?? "analyst"];
  if (config.order) return config.order;
  if (config.protocol === "courtroom") return own.length === 2 ? own : ["for", "against"];
  return own.length >= 2 ? own : ["analyst", "skeptic", "generalist"];
}

/** Counts those who are asked for an answer. */
export function countSpeakers(config: QuestionConfig): number {
  return config.protocol === "self_consistency" ? config.samples : listSpeakers(config).length;
}

/** True when a judge has the last word. */
export function hasJudge(config: QuestionConfig): boolean {
  return config.protocol === "courtroom" || (config.protocol === "round-table" && config.judge === true);
}

function hasOneSpeaker({ protocol }: QuestionConfig): boolean {
  return protocol === "single" || protocol === "self_consistency";
}

function personasOf(config: QuestionConfig): Record<string, Persona> {
  return { ...defaultPersonas, ...config.personas };
}

function findOrderProblems(config: QuestionConfig): ConfigProblem[] {
  const known = Object.keys(personasOf(config));
  const problems = (config.order ?? []).flatMap((key, index): ConfigProblem[] => [
    ...(known.includes(key)
      ? []
      : [{ path: ["order", index], message: `no persona "${key}" (known: ${known.join(", ")})` }]),
    ...(config.order?.indexOf(key) === index ? [] : [{ path: ["order", index], message: `"${key}" speaks twice` }]),
  ]);
  if (config.protocol === "courtroom" && config.order && config.order.length !== 2)
    problems.push({ path: ["order"], message: "a courtroom has exactly two speakers" });
  return problems;
}

function findPersonaProblems(config: QuestionConfig): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (hasJudge(config) && Object.hasOwn(config.personas, "judge"))
    problems.push({ path: ["personas", "judge"], message: "the judge is not a speaker; choose another key" });
  const mute = config.order ? [] : Object.keys(config.personas).filter((key) => !mayBeLeftOut(config, key));
  for (const key of mute)
    problems.push({
      path: ["personas", key],
      message: `"${key}" would not speak; say who does with \`order\`, e.g. order: [${key}, skeptic]`,
    });
  return problems;
}

/** True when a persona speaks, replaces a default one, or the protocol has but one speaker. */
function mayBeLeftOut(config: QuestionConfig, key: string): boolean {
  return hasOneSpeaker(config) || Object.hasOwn(defaultPersonas, key) || listSpeakers(config).includes(key);
}
