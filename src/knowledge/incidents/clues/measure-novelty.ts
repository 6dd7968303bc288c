import type { LogTemplate, ParsedLog } from "../../logs/index.ts";
import { dice } from "../../../text/dice.ts";
import { extractWords } from "../compare/extract-words.ts";

/** How unusual each template is, 0..1: against the reference where there is one, and among the components. */
export type Novelty = {
  /** 1 for a template that the reference lacks, near 0 for one at its usual rate; 1 without a reference. */
  ofTemplate(template: LogTemplate): number;
  /** 1 for an error that one component alone prints, near 0 for one that every failing component prints. */
  ofComponent(template: LogTemplate): number;
  /**
   * Near 0 for seldom trouble that runs through the whole log without a beginning; less for seldom trouble after which
   * the work went on as before; 1 for anything else. What settles a matter by itself is a matter of course only where the
   * program calls it less than an error.
   */
  ofCourse(template: LogTemplate, settles?: boolean): number;
  /** Whether a message came up while the log was under way and then kept coming: trouble has a beginning. */
  begins(template: LogTemplate): boolean;
};

const usual = 0.05;
/** Trouble is a matter of course below this share of the events, when it is there from the first to the last third. */
const seldom = 0.03;
const ofCourse = 0.2;
/** ... and below this share when nothing in the log got worse: then it counts a little more. */
const steady = 0.25;
const steadyCourse = 0.4;
/** What comes up after this share of the log's time was not there before. */
const quietPart = 0.15;
const keepsComing = 5;

/** Rates are compared per event of the log; an error that many components share is a general handler's, not its origin. */
export function measureNovelty(log: ParsedLog): Novelty {
  const seen = sum(log.templates.map(({ count }) => count));
  const before = sum(log.templates.map(({ reference_count }) => reference_count ?? 0)) + countVanished(log);
  const scale = log.reference === null || before === 0 ? null : seen / before;
  const spread = measureSpread([...log.templates, ...(log.reference?.vanished ?? [])]);
  const variants = countVariants(log.templates);
  return {
    ofTemplate: (template) => {
      if (scale === null || template.reference_count === null) return 1;
      const { count, before: known } = variants(template);
      return rateDeviation(count, known * scale, known);
    },
    ofComponent: (template) => spread(template),
    ofCourse: (template, settles = false) => {
      const course = settles && (isError(template) || getsWorse(log)) ? 1 : weighCourse(template, log, seen);
      const passed = isError(template) ? steadyCourse : ofCourse;
      return isPassing(template, log, seen) ? Math.min(course, passed) : course;
    },
    begins: (template) => isBeginning(template, log),
  };
}

function weighCourse(template: LogTemplate, log: ParsedLog, seen: number): number {
  if (!runsThrough(template, log)) return 1;
  if (template.count < seldom * seen) return ofCourse;
  if (template.count >= steady * seen || getsWorse(log)) return 1;
  return isError(template) ? steadyCourse : ofCourse;
}

function isError({ level }: LogTemplate): boolean {
  return level !== "WARN" && level !== "INFO" && level !== "DEBUG" && level !== "TRACE";
}

/** Whether errors or failing requests began or became more frequent at some point of the log. */
function getsWorse({ watched = [] }: ParsedLog): boolean {
  const bad = /^(?:WARN|ERROR|FATAL)$|\b5(?:xx|\d\d)\b/;
  return watched.some(({ name, change }) => bad.test(name) && (change === "started" || change === "more"));
}

/** A log of fewer events is too short to say that work went on, and so is a rest of less than this share of its time. */
const leastEvents = 100;
const goesOn = 0.15;
/** Scattered trouble is at least this share of the log's time apart. */
const scattered = 0.1;

/** Trouble that passed: it was seldom, the log went on without it, and neither errors rose nor work stopped. */
function isPassing({ count, first_seen, last_seen }: LogTemplate, log: ParsedLog, seen: number): boolean {
  const { first_timestamp: first, last_timestamp: last } = log.totals;
  if (first === null || last === null || first_seen === null || last_seen === null) return false;
  if (count >= seldom * seen || !isSteady(log)) return false;
  const apart = count > 1 && last_seen - first_seen >= scattered * (count - 1) * (last - first);
  return apart || last - last_seen >= goesOn * (last - first);
}

/** Whether a log is long enough to tell, and shows that errors did not rise and no work stopped. */
export function isSteady(log: ParsedLog): boolean {
  return log.totals.events >= leastEvents && !hasConsequences(log);
}

/** Whether errors or failing requests became more, or steady work stopped. */
function hasConsequences({ watched = [] }: ParsedLog): boolean {
  return watched.some(({ kind, name, change, reference_count }) => {
    const isWork = kind === "component" || kind === "template";
    if (change === "stopped") return isWork && reference_count >= steadyWork;
    return /^(?:ERROR|FATAL)$|\b5(?:xx|\d\d)\b/.test(name) && (change === "started" || change === "more");
  });
}

const steadyWork = 20;

function isBeginning({ first_seen, count }: LogTemplate, { totals }: ParsedLog): boolean {
  const { first_timestamp: first, last_timestamp: last } = totals;
  if (first === null || last === null || first_seen === null || last <= first) return false;
  return count >= keepsComing && first_seen - first > quietPart * (last - first);
}

/** Whether a template is spread over the whole log: an incident has a beginning. */
function runsThrough({ count, first_seen, last_seen }: LogTemplate, { totals }: ParsedLog): boolean {
  const { first_timestamp: first, last_timestamp: last } = totals;
  if (first === null || last === null || first_seen === null || last_seen === null || last <= first) return false;
  const third = (last - first) / 3;
  return count >= 3 && first_seen < first + third && last_seen > last - third;
}

/** How alike two messages of a component are when they are one message with a variable word. */
const sameMessage = 0.85;

/** The counts of a template together with its variants in the same component: a new wording of an old error is not new. */
function countVariants(
  templates: readonly LogTemplate[],
): (template: LogTemplate) => { count: number; before: number } {
  const severe = Map.groupBy(templates.filter(isSevere), ({ component }) => component);
  const words = new Map(
    [...severe.values()].flat().map((template) => [template, new Set(extractWords(template.template))]),
  );
  return (template) => {
    const own = words.get(template);
    const alike = own
      ? (severe.get(template.component) ?? []).filter((other) => dice(own, words.get(other) ?? []) >= sameMessage)
      : [template];
    return {
      count: sum(alike.map(({ count }) => count)),
      before: sum(alike.map(({ reference_count }) => reference_count ?? 0)),
    };
  };
}

function isSevere({ level }: LogTemplate): boolean {
  return level === "ERROR" || level === "FATAL" || level === "WARN";
}

function rateDeviation(count: number, expected: number, before: number): number {
  if (before === 0) return 1;
  const deviation = (count - expected) / Math.sqrt(count + expected + 1);
  if (deviation < 1.5) return usual;
  return Math.min(1, 0.2 + 0.15 * deviation) * (count > 2 * expected ? 1 : 0.5);
}

function measureSpread(templates: readonly LogTemplate[]): (template: LogTemplate) => number {
  const errors = templates.filter(
    ({ level, component }) => component !== null && (level === "ERROR" || level === "FATAL"),
  );
  const holders = new Map<string, Set<string>>();
  for (const { template, component } of errors) {
    const key = keyOf(template);
    holders.set(key, (holders.get(key) ?? new Set<string>()).add(component ?? ""));
  }
  const all = new Set(errors.map(({ component }) => component)).size;
  return ({ template }) => {
    const held = holders.get(keyOf(template))?.size ?? 1;
    return all < 2 ? 1 : Math.max(0.15, Math.log((all + 1) / held) / Math.log(all + 1));
  };
}

/** The first words name the message; what a nested exception adds after them does not make it a different message. */
function keyOf(template: string): string {
  return extractWords(template).slice(0, 8).join(" ");
}

function countVanished(log: ParsedLog): number {
  return sum((log.reference?.vanished ?? []).map(({ reference_count, count }) => reference_count ?? count));
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
