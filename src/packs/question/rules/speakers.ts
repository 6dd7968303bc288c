import type { Persona, QuestionConfig } from "../schemas/config.ts";

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
  if (config.protocol === "critic") return own.length === 2 ? own : ["analyst", "skeptic"];
  return own.length >= 2 ? own : ["analyst", "skeptic", "generalist"];
}

/** Counts those who are asked for an answer. */
export function countSpeakers(config: QuestionConfig): number {
  return takesSamples(config) ? config.samples : listSpeakers(config).length;
}

/** True when a judge has the last word. */
export function hasJudge(config: QuestionConfig): boolean {
  return needsJudge(config) || (config.protocol === "round-table" && config.judge === true);
}

/** True when answers may have to be told apart by the `same_answer` role: where a vote or agreement counts. */
export function comparesAnswers(config: QuestionConfig): boolean {
  return config.same_answer && config.protocol !== "single" && !needsJudge(config);
}

/** True when a protocol always ends with a judge. */
export function needsJudge({ protocol }: QuestionConfig): boolean {
  return ["courtroom", "critic", "quotes-only", "self-moa"].includes(protocol);
}

/** True for the protocols with a speaker on each side. */
export function hasTwoSpeakers({ protocol }: QuestionConfig): boolean {
  return protocol === "courtroom" || protocol === "critic";
}

/** True when one speaker alone is asked. */
export function hasOneSpeaker({ protocol }: QuestionConfig): boolean {
  return protocol === "single" || protocol === "self_consistency" || protocol === "self-moa";
}

/** True for the protocols in which one speaker is asked several times. */
function takesSamples({ protocol }: QuestionConfig): boolean {
  return protocol === "self_consistency" || protocol === "self-moa";
}

/** All personas that a config knows. */
export function personasOf(config: QuestionConfig): Record<string, Persona> {
  return { ...defaultPersonas, ...config.personas };
}
