import type { Category } from "../../contract/incident.ts";
import type { LogEvent, LogFinding, LogHop, LogTemplate, ParsedLog } from "../../contract/parsed-log.ts";
import { isComponentName, nameEntity, nameFile, readLeadingName } from "../logs/index.ts";
import { leadsTo, matchChange, matchNumber, matchSign, type Sign } from "./signs.ts";
import { findTellingLine, isFrame } from "./telling-line.ts";
import { extractWords } from "./words.ts";

export type CitedLine = { file: string | null; line: number };

/** How a suspect was found: in words, by what was new before the trouble, by numbers, by calls, by what fell silent. */
export const suspectKinds = ["words", "order", "numbers", "calls", "silence"] as const;

/** Something of the log that may be the cause (root-cause spec §4.6). */
export type Suspect = {
  kind: (typeof suspectKinds)[number];
  category: Category;
  place: string | null;
  /** What is said of the place, and the words of the line that says it. */
  says: string;
  words: string;
  /** Whether a line states it as what broke, or only shows that something is wrong. */
  role: "cause" | "symptom" | "change";
  strength: number;
  from: number | null;
  lines: CitedLine[];
  /** What was changed or said right before it and names it, in words. */
  after: string | null;
  /** What followed it, in words. */
  follows: string | null;
  resolution: string[];
};

/** What a program reads in a log: when trouble began, what may be its cause, and how calm the log is. */
export type LogReading = {
  onset: number | null;
  suspects: Suspect[];
  calm: number;
  calmLines: CitedLine[];
  calmSays: string[];
};

type Statement = {
  template: LogTemplate;
  text: string;
  line: CitedLine;
  place: string | null;
  sign: Sign | null;
  change: Sign | null;
  level: number;
  from: number;
  isSteady: boolean;
  words: Set<string>;
  names: Set<string>;
};

type Scene = {
  log: ParsedLog;
  start: number;
  end: number;
  onset: number | null;
  statements: Statement[];
  trouble: Statement[];
};

const mostSuspects = 12;
/** Defaults of a suspect. */
const nothing = { after: null, follows: null, resolution: [] as string[] };
const severity: Record<string, number> = { TRACE: 0, DEBUG: 0, INFO: 1, WARN: 2, ERROR: 3, FATAL: 3 };

/** Reads a log for what may be the cause of its trouble; order and numbers go before loudness. */
export function readLog(log: ParsedLog): LogReading {
  const scene = setScene(log);
  const found = [
    ...scene.statements.flatMap((statement) => suspectWords(statement, scene)),
    ...log.findings.flatMap((finding) => suspectFinding(finding, scene)),
    ...(log.hops ?? []).flatMap((hop) => suspectCall(hop, scene)),
    ...(log.reference?.vanished ?? []).slice(0, 5).flatMap((template) => suspectMissing(template, scene)),
  ];
  const ranked = rank(group(found), scene);
  return { onset: scene.onset, suspects: ranked.slice(0, mostSuspects), ...weighCalm(ranked, scene) };
}

function setScene(log: ParsedLog): Scene {
  const times = log.templates.flatMap(({ first_seen, last_seen }) => [first_seen ?? [], last_seen ?? []].flat());
  const start = log.totals.first_timestamp ?? Math.min(...times, 0);
  const end = Math.max(start + 1, log.totals.last_timestamp ?? Math.max(...times, 0));
  const events = Map.groupBy(log.events, ({ template_id }) => template_id);
  const statements = log.templates
    .filter(({ count, sample, template }) => count > 0 && /\w/.test(sample || template))
    .map((template) => state(template, events.get(template.id) ?? [], { start, end, files: log.sources.length }));
  const trouble = statements.filter((one) => !one.isSteady && isTrouble(one));
  const started = log.findings.filter(({ kind }) => kind === "started").flatMap(({ from }) => from ?? []);
  const first = Math.min(...trouble.map(({ from }) => from), ...started);
  return { log, start, end, onset: Number.isFinite(first) ? first : null, statements, trouble };
}

function isTrouble({ level, sign }: Statement): boolean {
  if (sign?.role === "routine" || sign?.role === "recovery") return false;
  return level >= 3 || sign?.role === "cause" || (level === 2 && sign?.role === "symptom");
}

function state(
  template: LogTemplate,
  events: readonly LogEvent[],
  { start, end, files }: { start: number; end: number; files: number },
): Statement {
  const bad = events.find(({ level }) => level === "ERROR" || level === "FATAL") ?? events[0];
  const message = (bad?.message ?? template.sample).split("\n")[0] ?? "";
  const best = bad ? findSaying(bad, message) : { text: message, offset: 0, sign: matchSign(message) };
  const { text } = best;
  const from = template.first_seen ?? start;
  const [head, tail] = [(from - start) / (end - start), ((template.last_seen ?? end) - start) / (end - start)];
  const isKnown = template.change === "same" || template.change === "less";
  const share = 2 / (template.count + 1);
  const isSteady =
    isKnown ||
    (template.count >= 3 && end - start > 60_000 && head < Math.max(0.12, share) && tail > Math.min(0.8, 1 - share));
  const place = placeEvent(bad ?? { component: template.component, message, file: template.file }, files);
  const line = bad
    ? { file: bad.file, line: bad.line + best.offset }
    : { file: template.file, line: template.first_line ?? 1 };
  return {
    template,
    text,
    line,
    place,
    sign: best.sign,
    change: matchChange(message),
    level: severity[template.level ?? ""] ?? 1,
    from,
    isSteady,
    words: new Set(extractWords(text)),
    names: listNames(`${place ?? ""} ${bad?.host ?? ""} ${bad?.service ?? ""} ${message}`),
  };
}

/** The line of an event that says most: one that names a cause before the deepest exception, before the message. */
function findSaying(event: LogEvent, message: string): { text: string; offset: number; sign: Sign | null } {
  const telling = findTellingLine(event);
  const lines = event.raw
    .split("\n")
    .slice(1, 40)
    .map((text, index) => ({ text: text.trim(), offset: index + 1 }));
  const said = [telling, { text: message, offset: 0 }, ...lines.filter(({ text }) => text !== "" && !isFrame(text))];
  const signed = said.map((one) => ({ ...one, sign: matchSign(one.text) }));
  const causes = signed.filter(({ sign }) => sign?.role === "cause");
  const [strongest] = causes.toSorted((a, b) => (b.sign?.strength ?? 0) - (a.sign?.strength ?? 0));
  return (
    strongest ??
    signed.slice(0, 2).find(({ sign }) => sign) ?? { text: telling.text, offset: telling.offset, sign: null }
  );
}

type Speaker = Partial<Pick<LogEvent, "service" | "component" | "message" | "host" | "file">>;

/** Who speaks: the service or component, without what is no name; else the name that the message begins with, the machine or, of several files, the file. */
export function placeEvent({ service, component, message = "", host, file }: Speaker, files: number): string | null {
  const named = [service, component].find((name) => name != null && isComponentName(name));
  if (named != null) return nameEntity(named);
  return readLeadingName(message) ?? host ?? (files > 1 && file != null ? nameFile(file) : null);
}

/** Names of things: compounds, paths, hosts, identifiers; not plain words. */
function listNames(text: string): Set<string> {
  const found = text.match(/[A-Za-z_/][\w./-]*[\w]/g) ?? [];
  const named = found.filter((one) => one.length > 2 && (/[-_./\d]|[a-z][A-Z]/.test(one) || /^[A-Z]{2,}$/.test(one)));
  return new Set([...named, ...found.filter((one) => one.length > 4)].map((one) => one.toLowerCase()));
}

/** How early something began against the trouble: 1 before or with it, less the later it came. */
function rateOrder(from: number | null, { onset, end }: Scene): number {
  if (onset === null || from === null || from <= onset + 2000) return 1;
  return 1 - 0.45 * Math.min(1, (from - onset) / Math.max(60_000, 0.5 * (end - onset)));
}

function suspectWords(one: Statement, scene: Scene): Suspect[] {
  const { sign, change, level, template } = one;
  if (sign?.role === "routine" || sign?.role === "recovery") return [];
  const base = {
    kind: "words" as const,
    place: placeOf(one),
    words: shorten(one.text),
    from: one.from,
    lines: [one.line, ...moreLines(one, scene)],
    ...nothing,
  };
  const loud = template.spread > 1 ? 1 / Math.sqrt(Math.min(4, template.spread)) : 1;
  const novelty = one.isSteady ? (isSteadyTrouble(one) ? 0.5 : 0.12) : 1;
  if (sign) {
    const weight = sign.role === "cause" ? sign.strength : 0.9 * sign.strength * loud;
    const role = sign.role === "cause" ? ("cause" as const) : ("symptom" as const);
    return [
      {
        ...base,
        category: sign.category,
        says: sign.says,
        role,
        strength: weight * novelty * rateOrder(one.from, scene),
        resolution: sign.resolution,
        after: findAntecedent(one, scene),
      },
    ];
  }
  const quiet = suspectQuiet(one, scene);
  if (quiet || level < 2) return quiet ? [quiet] : [];
  const weight = (level >= 3 ? 0.42 : 0.3) * loud * novelty * rateOrder(one.from, scene);
  const category = change?.category ?? matchNumber(one.text)?.category ?? "software";
  return [{ ...base, category, says: "reports", role: "symptom", strength: weight, after: findAntecedent(one, scene) }];
}

/** A log may have been failing when it began: an error is no routine because it runs through all of it. */
function isSteadyTrouble(one: Statement): boolean {
  const { change } = one.template;
  return (
    one.isSteady && one.level >= 3 && one.sign !== null && isTrouble(one) && change !== "same" && change !== "less"
  );
}

/** What is new right before or with the trouble, is said by few and names what fails, is its cause before what shouts. */
function suspectQuiet(one: Statement, scene: Scene): Suspect | null {
  const { onset, end, start, trouble } = scene;
  const { template, change, level } = one;
  if (onset === null || one.isSteady || one.from > onset + 1000 || level >= 3) return null;
  const isNew = (one.from - start) / (end - start) > 0.02 || template.count <= 3;
  const loudest = Math.max(...trouble.map((other) => other.template.count));
  if (!isNew || template.count > Math.max(3, 0.5 * loudest)) return null;
  const link = rateLink(one, trouble);
  if (link === 0) return null;
  const gap = (onset - one.from) / Math.max(600_000, 0.25 * (end - start));
  const nearness = Math.max(0.4, 1 - 0.6 * Math.min(1, gap));
  const weight =
    (change ? 0.62 : level === 2 ? 0.56 : 0.42) *
    nearness *
    (0.6 + 0.4 * link) *
    (template.spread > 1 ? 0.7 : 1) *
    (template.count <= 3 || level === 2 || change ? 1 : 0.85);
  const category = change?.category ?? matchNumber(one.text)?.category ?? (level === 2 ? "software" : "config");
  return {
    kind: "order",
    category,
    place: placeOf(one),
    says: change ? change.says : "says before the trouble",
    words: shorten(one.text),
    role: change ? "change" : "symptom",
    strength: weight,
    from: one.from,
    lines: [one.line, ...moreLines(one, scene)],
    ...nothing,
    follows: describeTrouble(one, trouble),
    resolution: change?.resolution ?? [],
  };
}

/** The trouble that followed, in the words of the line that says most. */
function describeTrouble(one: Statement, trouble: readonly Statement[]): string | null {
  const later = trouble.filter((other) => other !== one && other.from >= one.from && rateLink(one, [other]) > 0);
  const [best] = later.toSorted((a, b) => rateSaying(b) - rateSaying(a) || a.from - b.from);
  return best ? `${best.place ?? "the log"}: ${shorten(best.text)}` : null;
}

function rateSaying({ sign }: Statement): number {
  return sign === null ? 0.3 : sign.role === "cause" ? sign.strength : 0.2;
}

/** How far a statement names what fails, acts on it, or was written by it: 0 when it does none of these. */
function rateLink(one: Statement, trouble: readonly Statement[]): number {
  const early = trouble.toSorted((a, b) => a.from - b.from).slice(0, 6);
  const rates = early.map((other) => {
    if (other === one) return 0;
    const isBy = one.place !== null && one.place === other.place;
    const names = [...one.names].filter((name) => other.names.has(name)).length;
    const isNamed = [one.place, other.place].some(
      (place) =>
        place !== null &&
        (one.text + other.text).toLowerCase().includes(place.toLowerCase()) &&
        one.names.has(place.toLowerCase()) &&
        other.names.has(place.toLowerCase()),
    );
    return isNamed ? 1 : isBy ? 0.8 : names >= 2 ? 0.8 : names === 1 ? 0.5 : 0;
  });
  return Math.max(0, ...rates);
}

/** The change, or what was said once, right before a statement and linked to it. */
function findAntecedent(one: Statement, { statements, start }: Scene): string | null {
  const before = statements.filter(
    (other) =>
      other !== one &&
      other.from <= one.from &&
      other.from > start &&
      one.from - other.from <= 600_000 &&
      other.template.count <= 3 &&
      !other.isSteady &&
      (other.change || other.level === 2) &&
      rateLink(other, [one]) > 0,
  );
  const [best] = before.toSorted((a, b) => Number(Boolean(b.change)) - Number(Boolean(a.change)) || b.from - a.from);
  return best ? `${best.place ?? "the log"} ${best.change?.says ?? "said"}: ${shorten(best.text)}` : null;
}

/** The one at fault: the peer that a message names, else who says it. */
function placeOf({ sign, place, text }: Statement): string | null {
  if (!sign?.peer) return place;
  const [, peer] =
    /\b(?:to|from|host|server|node|peer|upstream|datanode|connect) (?:to |host |server |node )?["'/]?((?:\d{1,3}\.){3}\d{1,3}|[a-z][\w.-]*[\w])/i.exec(
      text,
    ) ?? [];
  return peer !== undefined && isComponentName(peer) ? peer.replace(/:\d+$/, "") : place;
}

function moreLines({ template, line }: Statement, { log }: Scene): CitedLine[] {
  const own = log.events.filter((event) => event.template_id === template.id && event.line !== line.line);
  return own.slice(0, 2).map((event) => ({ file: event.file, line: event.line }));
}

const numberWeights: Record<LogFinding["kind"], number> = {
  grows: 0.9,
  steps: 0.9,
  limit: 0.95,
  leaves_zero: 0.9,
  falls_to_zero: 0.95,
  stopped: 0.75,
  started: 0.5,
  flow: 0.8,
};

/** What numbers and counts show, as far as it began before or with the trouble. */
function suspectFinding(finding: LogFinding, scene: Scene): Suspect[] {
  const { kind, component, subject, description, clarity, from, file, line, last_line } = finding;
  const isSilence = kind === "stopped" || kind === "flow";
  const order = rateOrder(from, scene);
  const isEffect = kind === "stopped" && clarity < 0.6;
  const weight =
    numberWeights[kind] *
    clarity *
    (order < 1 ? 0.75 * order : 1) *
    (isEffect ? 0.6 : 1) *
    (scene.onset === null && isEffect ? 0.5 : 1);
  const said = matchNumber(`${component ?? ""} ${subject} ${description}`);
  const category = said?.category ?? (isSilence || kind === "started" ? "software" : "resource");
  const lines = [{ file, line }, ...(last_line !== null && last_line !== line ? [{ file, line: last_line }] : [])];
  const place = component === null ? null : nameEntity(component);
  return [
    {
      kind: isSilence ? "silence" : "numbers",
      category,
      place,
      says: "shows",
      words: description,
      role: kind === "started" || isEffect ? "symptom" : "cause",
      strength: weight,
      from,
      lines,
      ...nothing,
      resolution: said?.resolution ?? [],
    },
  ];
}

/** Calls between services that became slow, fail or stopped: the last callee of a chain is to blame. */
function suspectCall(hop: LogHop, { log }: Scene): Suspect[] {
  const { change, caller, callee, median_ms, reference_median_ms, error_count, count, from, line, file } = hop;
  if (change === null || change === "same" || change === "new") return [];
  const isDeeper = (log.hops ?? []).some((other) => other.caller === callee && other.change === change);
  const words =
    change === "slower"
      ? `calls from ${caller} take ${median_ms} ms, ${reference_median_ms} ms before`
      : change === "failing"
        ? `${error_count} of ${count} calls from ${caller} fail`
        : `calls from ${caller} have stopped`;
  const says =
    change === "slower" ? "has become slow" : change === "failing" ? "fails when it is called" : "is no longer called";
  const strength = (change === "slower" ? 0.75 : change === "failing" ? 0.55 : 0.35) * (isDeeper ? 0.5 : 1);
  const resolution = [`Look at ${callee} itself from then on: its own log, its load and what was changed there`];
  return [
    {
      kind: "calls",
      category: "software",
      place: callee,
      says,
      words,
      role: "symptom",
      strength,
      from: from ?? null,
      lines: line === null ? [] : [{ file, line }],
      ...nothing,
      resolution,
    },
  ];
}

/** What a healthy reference says often and this log never does, though who says it is there. */
function suspectMissing({ template, component, reference_count }: LogTemplate, { log, statements }: Scene): Suspect[] {
  const expected = ((reference_count ?? 0) * log.totals.events) / Math.max(1, log.reference?.events ?? 1);
  const own = statements.filter((one) => one.template.component === component);
  const [last] = own.toSorted((a, b) => b.template.count - a.template.count);
  if (expected < 20 || last === undefined) return [];
  return [
    {
      kind: "silence",
      category: "software",
      place: last.place,
      says: "shows",
      words: `never says "${template.slice(0, 120)}", which a healthy run says about ${Math.round(expected)} times`,
      role: "cause",
      strength: 0.6,
      from: null,
      lines: [last.line],
      ...nothing,
      resolution: ["Follow one piece of work and see where it ends"],
    },
  ];
}

/** Suspects that say the same of the same place are one. */
function group(suspects: readonly Suspect[]): Suspect[] {
  const groups = Map.groupBy(suspects, ({ kind, category, place, says, words }) =>
    says === "reports" || kind !== "words" ? `${kind} ${place} ${words}` : `${category} ${place} ${says}`,
  );
  return [...groups.values()].map((same) => {
    const [best, ...rest] = same.toSorted((a, b) => b.strength - a.strength) as [Suspect, ...Suspect[]];
    const froms = same.flatMap(({ from }) => from ?? []);
    return {
      ...best,
      from: froms.length > 0 ? Math.min(...froms) : null,
      lines: [...best.lines, ...rest.flatMap(({ lines }) => lines)].slice(0, 6),
      after: best.after ?? rest.find(({ after }) => after !== null)?.after ?? null,
    };
  });
}

/** Symptoms give way to a clear cause that came no later; callers to whom they call; effects to what leads to them. */
function rank(found: readonly Suspect[], scene: Scene): Suspect[] {
  const { log } = scene;
  const suspects = found.map((one) => dateByEffects(one, found, scene));
  const causes = suspects.filter(({ role, strength }) => role !== "symptom" && strength >= 0.5);
  const calls = [...(log.hops ?? []), ...(log.topology ?? [])];
  const weighed = suspects.map((one) => {
    const others = causes.filter((cause) => cause !== one);
    const isFollowed =
      one.role === "symptom" &&
      others.some(({ from }) => from === null || one.from === null || from <= one.from + 5000);
    const isEffect = causes.some((cause) => cause !== one && leadsTo(cause.says, one.says));
    const isComplainedOf =
      one.kind === "silence" &&
      calls.some(({ caller, callee }) => callee === one.place && suspects.some((other) => other.place === caller));
    const isCaller = suspects.some(
      (other) =>
        other !== one &&
        other.strength >= 0.3 &&
        calls.some(({ caller, callee }) => caller === one.place && callee === other.place) &&
        (other.from ?? 0) <= (one.from ?? 0) + 60_000,
    );
    return {
      ...one,
      strength:
        Math.round(
          1000 *
            one.strength *
            (isFollowed ? 0.6 : isEffect ? 0.75 : 1) *
            (isCaller ? 0.6 : 1) *
            (isComplainedOf ? 1.8 : 1),
        ) / 1000,
    };
  });
  return weighed
    .filter(({ strength }) => strength >= 0.05)
    .toSorted(
      (a, b) =>
        b.strength - a.strength || (a.from ?? 0) - (b.from ?? 0) || (a.lines[0]?.line ?? 0) - (b.lines[0]?.line ?? 0),
    );
}

/** What is known to lead to something that is seen was there before it, also where it is reported later: a leak. */
function dateByEffects(one: Suspect, all: readonly Suspect[], scene: Scene): Suspect {
  const effects = all.filter(({ place, says }) => place === one.place && leadsTo(one.says, says));
  const from = Math.min(...[one, ...effects].flatMap((each) => each.from ?? []));
  if (effects.length === 0 || one.from === null || from >= one.from) return one;
  return { ...one, from, strength: (one.strength * rateOrder(from, scene)) / rateOrder(one.from, scene) };
}

/** How calm a log is: what trouble there is runs through all of it, passed, or was put right. */
function weighCalm(
  suspects: readonly Suspect[],
  { log, trouble, start, end, statements }: Scene,
): Pick<LogReading, "calm" | "calmLines" | "calmSays"> {
  const settled = statements.filter(({ sign }) => sign?.role === "routine" || sign?.role === "recovery");
  const calmLines = settled.slice(0, 4).map(({ line }) => line);
  const calmSays = [...new Set(settled.map(({ sign }) => sign?.says ?? ""))].slice(0, 3);
  const [best] = suspects;
  const events = Math.max(1, log.totals.events);
  const bad = [...trouble.filter(({ level }) => level >= 2), ...statements.filter(isSteadyTrouble)];
  const count = bad.reduce((sum, { template }) => sum + template.count, 0);
  const last = Math.max(start, ...bad.map(({ template }) => template.last_seen ?? end));
  const hasPassed = (end - last) / (end - start) > 0.15;
  const isRare = count / events < 0.03;
  const numbers = suspects.filter(
    ({ kind, strength }) => kind !== "words" && kind !== "order" && strength >= 0.5,
  ).length;
  const recovered = settled.some(({ sign }) => sign?.role === "recovery");
  let calm = 0.9;
  if (count > 0) calm = isRare && (hasPassed || count <= 3) ? 0.75 : isRare ? 0.5 : 0.2;
  if (count > 0 && recovered && hasPassed) calm = Math.max(calm, 0.75);
  if (numbers > 0) calm *= 0.4;
  const strong = best && best.role !== "symptom" ? best.strength : 0.6 * (best?.strength ?? 0);
  const isSmall = events < 40 && count > 0;
  calm *= 1 - (hasPassed && isRare && !isSmall ? 0.3 : 0.75) * strong;
  if (isSmall) calm *= 0.6;
  // Who compares with a healthy period has a reason to.
  if (log.reference) calm *= 0.6;
  return { calm: Math.round(100 * calm) / 100, calmLines, calmSays };
}

const longest = 200;

/** A line without the level that begins it, cut to what a sentence can hold. */
function shorten(text: string): string {
  const plain = text
    .replace(/^\s*(?:(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b[:\s]+)+/, "")
    .replace(/\s+/g, " ")
    .trim();
  return plain.length <= longest ? plain : `${plain.slice(0, longest - 1)}…`;
}
