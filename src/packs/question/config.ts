import {
  comparesAnswers,
  defaultPersonas,
  hasJudge,
  hasOneSpeaker,
  hasTwoSpeakers,
  listSpeakers,
  needsJudge,
  personasOf,
} from "./rules/speakers.ts";
import { type QuestionConfig, QuestionSettingsSchema } from "./schemas/config.ts";

/** How a question is debated; `{}` is a round table of three without a judge (question spec §3). */
export const QuestionConfigSchema = QuestionSettingsSchema.superRefine((config, context) => {
  const problems = [...findOrderProblems(config), ...findPersonaProblems(config)];
  if (needsJudge(config) && config.judge === false)
    problems.push({ path: ["judge"], message: `${nameWithArticle(config)} needs its judge` });
  for (const { path, message } of problems) context.addIssue({ code: "custom", path, message });
});

type ConfigProblem = { path: (string | number)[]; message: string };

function nameWithArticle({ protocol }: QuestionConfig): string {
  return protocol === "courtroom" ? "a courtroom" : `the protocol ${protocol}`;
}

function findOrderProblems(config: QuestionConfig): ConfigProblem[] {
  const known = Object.keys(personasOf(config));
  const problems = (config.order ?? []).flatMap((key, index): ConfigProblem[] => [
    ...(known.includes(key)
      ? []
      : [{ path: ["order", index], message: `no persona "${key}" (known: ${known.join(", ")})` }]),
    ...(config.order?.indexOf(key) === index ? [] : [{ path: ["order", index], message: `"${key}" speaks twice` }]),
  ]);
  if (hasTwoSpeakers(config) && config.order && config.order.length !== 2)
    problems.push({ path: ["order"], message: `${nameWithArticle(config)} has exactly two speakers` });
  return problems;
}

function findPersonaProblems(config: QuestionConfig): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (hasJudge(config) && Object.hasOwn(config.personas, "judge"))
    problems.push({ path: ["personas", "judge"], message: "the judge is not a speaker; choose another key" });
  if (comparesAnswers(config) && Object.hasOwn(config.personas, "same_answer"))
    problems.push({
      path: ["personas", "same_answer"],
      message: "that is the role that compares answers; choose another key",
    });
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
