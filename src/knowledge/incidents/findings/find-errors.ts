import type { LogEvent, LogTemplate, ParsedLog } from "../../logs/index.ts";
import { citeEvent, type Finding } from "../clues/finding.ts";
import type { Novelty } from "../clues/measure-novelty.ts";
import { waiting } from "./find-unheard-callees.ts";
import type { Places } from "../clues/create-places.ts";
import { isFrame, rateTelling } from "../compare/telling-line.ts";
import { matchSigns } from "../clues/match-signs.ts";

/** How much an error message without a known sign says: most when a healthy reference does not have it. */
const strengths = { compared: { ERROR: 0.85, FATAL: 0.9, WARN: 0.3 }, alone: { ERROR: 0.5, FATAL: 0.6, WARN: 0.15 } };
type Severe = keyof typeof strengths.alone;
const alarmingWarning = 0.42;

/** Error lines whose words name no known cause, per component: something failed there, most likely its own code. */
export function findErrors(log: ParsedLog, novelty: Novelty, places: Places): Finding[] {
  const table = log.reference === null ? strengths.alone : strengths.compared;
  const unnamed = log.templates.filter((template) => judgeSeverity(template) !== null && !isNamed(template));
  const byPlace = Map.groupBy(unnamed, (template) => findPlace(template, places) ?? "");
  return [...byPlace].flatMap(([place, templates]) => {
    const weighed = templates
      .map((template) => ({
        template,
        strength: rateSeverity(template, table, novelty) * weighTemplate(template, novelty),
      }))
      .filter(({ strength }) => strength > 0.03)
      .sort(
        (a, b) =>
          b.strength - a.strength ||
          tellMore(a.template, b.template) ||
          (a.template.first_line ?? 0) - (b.template.first_line ?? 0),
      );
    const [main] = weighed;
    return main ? [buildFinding(place || null, main, weighed, log)] : [];
  });
}

/** A warning that came up under way and kept coming is more than a warning. */
function rateSeverity(template: LogTemplate, table: (typeof strengths)["alone"], novelty: Novelty): number {
  const severity = judgeSeverity(template) ?? "WARN";
  const alarming = severity === "WARN" && novelty.begins(template);
  return alarming ? Math.max(table.WARN, alarmingWarning) : table[severity];
}

function tellMore(a: LogTemplate, b: LogTemplate): number {
  return rateTelling(b.template) - rateTelling(a.template);
}

function findPlace(template: LogTemplate, places: Places): string | null {
  const own = places.template(template);
  return places.blamed(template.template, own) ?? own;
}

function weighTemplate(template: LogTemplate, novelty: Novelty): number {
  const often = 1 - Math.exp(-template.count / 2);
  const unusual = novelty.ofTemplate(template) * novelty.ofComponent(template) * novelty.ofCourse(template);
  return unusual * (0.6 + 0.4 * often) * (isFrame(template.template) ? 0.3 : 1);
}

const failureWords = /\b(?:error|fail(?:ed|ure|s)?|exception|cannot|can't|unable|could not|invalid|refused|denied)\b/i;

/** The level; a log without levels, or a new message below WARN, is judged by its words. */
function judgeSeverity({ level, template, reference_count }: LogTemplate): Severe | null {
  if (level === "ERROR" || level === "FATAL" || level === "WARN") return level;
  if (!failureWords.test(template)) return null;
  if (level === null) return "ERROR";
  return reference_count === 0 ? "WARN" : null;
}

function isNamed({ template, sample }: LogTemplate): boolean {
  return [...matchSigns(template), ...matchSigns(sample)].some(({ role }) => role !== "symptom");
}

type Weighed = { template: LogTemplate; strength: number };

/** What is much weaker than the main error of a place need not be its beginning. */
const sameTrouble = 0.5;

function buildFinding(place: string | null, main: Weighed, weighed: Weighed[], log: ParsedLog): Finding {
  const templates = weighed.map(({ template }) => template);
  const ids = new Set(templates.map(({ id }) => id));
  const said = log.events.filter((event) => ids.has(event.template_id));
  const severe = said.filter(isSevere);
  const events = severe.length > 0 ? severe : said;
  const own = events.filter((event) => event.template_id === main.template.id);
  const count = templates.reduce((sum, template) => sum + template.count, 0);
  const firsts = weighed
    .filter(({ strength }) => strength >= sameTrouble * main.strength)
    .flatMap(({ template }) => findFirst(template, log));
  const raised = /exception|throw|panic|traceback|stack ?trace/i.test(main.template.template);
  const isNew = main.template.reference_count === 0;
  const quoted = own.length > 0 ? "" : `: "${shorten(main.template.template)}"`;
  return {
    sign: raised ? "new_exception" : "new_errors",
    category: "software",
    role: isNew ? "cause" : "symptom",
    strength: Math.min(0.95, main.strength),
    place,
    says: `${raised ? "raises an exception" : "returns an error result"}${quoted}${isNew ? " that a healthy run never prints" : ""}`,
    lines: [...own, ...events.filter((event) => !own.includes(event))].slice(0, 6).map(citeEvent),
    templates: [...ids],
    count,
    firstMs: firsts.length > 0 ? Math.min(...firsts) : null,
    resolution: advise(place, main.template.template),
  };
}

/** When a message was first said as an error: shapes that are one template can be said at several levels. */
function findFirst({ id, first_seen }: LogTemplate, { events }: ParsedLog): number[] {
  const first = events.find((event) => event.template_id === id && isSevere(event))?.timestamp ?? first_seen;
  return first === null ? [] : [first];
}

function isSevere({ level }: LogEvent): boolean {
  return level !== null && level in strengths.alone;
}

/** Who waits in vain is not mended by a roll-back. */
function advise(place: string | null, text: string): string[] {
  const follow = "Follow one failing request through the services to confirm where it fails first";
  if (waiting.test(text))
    return [`Find out whom ${place ?? "the program"} waits for there, and whether it runs and can be reached`, follow];
  return [`Compare the code that prints "${shorten(text)}" with its last good version and roll back`, follow];
}

function shorten(text: string): string {
  const plain = text.replace(/^\s*(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL)\s+/, "").trim();
  return plain.length <= 120 ? plain : `${plain.slice(0, 119)}…`;
}
