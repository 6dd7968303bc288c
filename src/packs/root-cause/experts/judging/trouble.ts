import {
  type Category,
  findHost,
  findTellingLine,
  isFrame,
  matchSigns,
  type Novelty,
} from "../../../../knowledge/incidents/index.ts";
import type { LogEvent, LogTemplate } from "../../../../knowledge/logs/index.ts";

/** Something wrong that the log says or shows, as the judge reads it by itself. */
export type Trouble = {
  /** The sign that its words are, or `unnamed`, `peer`, `unanswered`, `delay`, `missing`, `rate`, `silence`. */
  kind: string;
  category: Category;
  role: "cause" | "symptom" | "routine" | "recovery";
  /** How far one such message settles its category, 0..1, less where it is usual. */
  strength: number;
  says: string;
  /** What follows from it, when both are seen. */
  leadsTo: readonly string[];
  /** The names by which its place may be called; none when the log does not say. */
  places: string[];
  /** The lines that show it, and words that name it where only counts do. */
  lines: { file: string | null; line: number; offset: number }[];
  words: string[];
  firstMs: number | null;
  count: number;
};

/** How much an error says whose words name no known cause. */
const unnamed = { ERROR: 0.5, FATAL: 0.6, WARN: 0.15 };
const unnamedCompared = { ERROR: 0.85, FATAL: 0.9, WARN: 0.3 };
const alarmingWarning = 0.42;
/** A sign this strong settles its category however seldom it shows. */
const settling = 0.7;
const mereInformation = 0.5;

type Said = {
  event: LogEvent;
  template: LogTemplate | null;
  /** Where the event belongs when neither its head nor its words say so. */
  place: string | null;
  novelty: Novelty;
  compared: boolean;
};

/** What one event says of trouble: at the root of its stack trace, else in its message. */
export function readTrouble({ event, template, place, novelty, compared }: Said): Trouble[] {
  const lines = event.raw.split("\n");
  const root = findTellingLine(event).offset;
  const told = root > 0 && matchSigns(lines[root] ?? "").some(({ role }) => role === "cause") ? [root] : lines.keys();
  const signs = [...told].flatMap((offset) => {
    const text = lines[offset] ?? "";
    return isFrame(text) ? [] : matchSigns(text).map((sign) => ({ sign, offset, text }));
  });
  const unusual = template === null ? 1 : novelty.ofTemplate(template) * novelty.ofComponent(template);
  const found = signs.map(({ sign, offset, text }): Trouble => {
    const isFault = sign.role === "cause" || sign.role === "symptom";
    const course = template === null ? 1 : novelty.ofCourse(template, sign.strength >= settling);
    const calm = sign.role === "symptom" && isInformation(event) ? mereInformation : 1;
    return {
      kind: sign.id,
      category: sign.category,
      role: sign.role,
      strength: isFault ? sign.strength * unusual * course * calm : sign.strength,
      says: sign.says,
      leadsTo: sign.leads_to,
      places: listPlaces(event, text, place),
      lines: [{ file: event.file, line: event.line + offset, offset }],
      words: [],
      firstMs: event.timestamp,
      count: 1,
    };
  });
  const isNamed = found.some(({ role }) => role !== "symptom");
  const plain = isNamed ? null : readUnnamed(event, template, { novelty, compared, unusual, place });
  return plain ? [...found, plain] : found;
}

function isInformation({ level }: LogEvent): boolean {
  return level === "INFO" || level === "DEBUG" || level === "TRACE";
}

const failureWords = /\b(?:error|fail(?:ed|ure|s)?|exception|cannot|can't|unable|could not|invalid|refused|denied)\b/i;

/** The level; where there is none, or where a message is new against the reference, its words. */
function judgeSeverity(event: LogEvent, template: LogTemplate | null): keyof typeof unnamed | null {
  const level = event.level ?? template?.level ?? null;
  if (level === "ERROR" || level === "FATAL" || level === "WARN") return level;
  if (!failureWords.test(event.message)) return null;
  return level === null ? "ERROR" : template?.reference_count === 0 ? "WARN" : null;
}

type Weights = Pick<Said, "novelty" | "compared" | "place"> & { unusual: number };

function readUnnamed(event: LogEvent, template: LogTemplate | null, weights: Weights): Trouble | null {
  const level = judgeSeverity(event, template);
  if (level === null) return null;
  const { novelty, compared, unusual } = weights;
  const base = (compared ? unnamedCompared : unnamed)[level];
  const alarming = level === "WARN" && template !== null && novelty.begins(template);
  const course = template === null ? 1 : novelty.ofCourse(template);
  const isNew = compared && template?.reference_count === 0;
  return {
    kind: "unnamed",
    category: "software",
    role: isNew ? "cause" : "symptom",
    strength: (alarming ? Math.max(base, alarmingWarning) : base) * unusual * course,
    says: `prints "${(event.message.split("\n")[0] ?? "").slice(0, 90)}"`,
    leadsTo: [],
    places: listPlaces(event, event.message, weights.place),
    lines: [{ file: event.file, line: event.line, offset: 0 }],
    words: [],
    firstMs: event.timestamp,
    count: 1,
  };
}

/** Who logs it, and whom the line is about. */
function listPlaces({ component, service, host }: LogEvent, text: string, place: string | null): string[] {
  const named = [component, service, host, findHost(text, true)].flatMap((name) => name ?? []);
  const all = named.length > 0 || place === null ? named : [place];
  return [...new Set(all.map((name) => name.toLowerCase()))];
}
