import type { LogEvent, LogTemplate, ParsedLog } from "../../contract/parsed-log.ts";
import { isBracketedComponent, isComponentName, nameEntity, nameFile, readLeadingName } from "../logs/index.ts";
import { matchChange, matchSign, type Sign } from "./signs.ts";
import { isFrame } from "./words.ts";

export type CitedLine = { file: string | null; line: number };

export type Statement = {
  template: LogTemplate;
  text: string;
  said: string;
  line: CitedLine;
  place: string | null;
  sign: Sign | null;
  change: Sign | null;
  level: number;
  from: number;
  last: number;
  isSteady: boolean;
  isSettled: boolean;
  tokens: Set<string>;
};

export type Scene = {
  log: ParsedLog;
  start: number;
  end: number;
  onset: number | null;
  statements: Statement[];
  trouble: Statement[];
  lasting: Statement[];
  /** Rarity of a token among kinds of messages, 0..1. */
  rateToken: (token: string) => number;
};

const severity: Record<string, number> = { TRACE: 0, DEBUG: 0, INFO: 1, WARN: 2, ERROR: 3, FATAL: 3 };

/** Splits a log into statements, and finds when its lasting trouble began. */
export function setScene(log: ParsedLog): Scene {
  const times = log.templates.flatMap(({ first_seen, last_seen }) => [first_seen ?? [], last_seen ?? []].flat());
  const start = log.totals.first_timestamp ?? Math.min(...times, 0);
  const end = Math.max(start + 1, log.totals.last_timestamp ?? Math.max(...times, 0));
  const events = Map.groupBy(log.events, ({ template_id }) => template_id);
  const statements = log.templates
    .filter(({ count, sample, template }) => count > 0 && /\w/.test(sample || template))
    .flatMap((template) => tellApart(template, events.get(template.id) ?? []))
    .map(([template, own]) => state(template, own, { start, end, files: log.sources.length }));
  markSteady(statements, { start, end, hasLevels: hasLevels(log) });

  const goesOn = (one: Statement) => one.template.count >= 3 && end - one.last <= 0.35 * (end - one.from);
  const bad = statements.filter((one) => !one.isSteady && (isTrouble(one) || (isWarning(one) && goesOn(one))));
  // What goes on is put right each time only if it is a warning and nothing else has changed.
  const isQuiet = log.findings.every(({ kind }) => kind === "rate");
  const maySettle = (one: Statement) => one.isSteady || !goesOn(one) || (isQuiet && one.level === 2);
  for (const one of statements) one.isSettled = isTrouble(one) && maySettle(one) && isSettled(one, statements);
  const trouble = bad.filter((one) => !one.isSettled);
  const lasting = trouble.filter(goesOn);
  const first = Math.min(...(lasting.length > 0 ? lasting : trouble).map(({ from }) => from));
  return {
    log,
    start,
    end,
    onset: Number.isFinite(first) ? first : null,
    statements,
    trouble,
    lasting,
    rateToken: rateTokens(statements),
  };
}

/** Messages without trouble that occur once or twice become statements of their own: each may report another change. */
function tellApart(template: LogTemplate, events: readonly LogEvent[]): [LogTemplate, readonly LogEvent[]][] {
  const isApart = template.count > 1 && template.count <= 4 && events.length === template.count;
  if (!isApart || (severity[template.level ?? ""] ?? 1) > 1) return [[template, events]];
  return events.map((event) => {
    const { timestamp, line, message } = event;
    const seen = { first_line: line, last_line: line, first_seen: timestamp, last_seen: timestamp };
    return [{ ...template, ...seen, count: 1, sample: message, pace: undefined }, [event]];
  });
}

/** The probability of a distribution at least this uneven if events follow the work done (Kolmogorov). */
export function rateEven(statements: readonly Statement[], { statements: all }: Said): number {
  const paced = statements.filter(({ template }) => template.pace !== undefined);
  const count = sumCounts(paced);
  if (count < 3) return 0;
  const work = all.filter(({ level, sign }) => level < 2 && sign === null);
  const usual = sumCounts(work) >= 30 ? sumPace(work) : Array<number>(10).fill(1);
  const share = (list: readonly number[], to: number) =>
    list.slice(0, to + 1).reduce((sum, one) => sum + one, 0) /
    Math.max(
      1e-9,
      list.reduce((sum, one) => sum + one, 0),
    );
  const own = sumPace(paced);
  const distance = Math.max(...own.map((_, tenth) => Math.abs(share(own, tenth) - share(usual, tenth))));
  return Math.min(1, 2 * Math.exp(-2 * Math.min(40, count) * distance ** 2));
}

function sumPace(statements: readonly Statement[]): number[] {
  const paces = statements.flatMap(({ template }) => (template.pace === undefined ? [] : [template.pace]));
  return Array.from({ length: 10 }, (_, tenth) => paces.reduce((sum, pace) => sum + (pace[tenth] ?? 0), 0));
}

/** The share of the usual work that continues after a time, 0..1. */
export function rateWork({ statements, start, end }: Pick<Scene, "statements" | "start" | "end">, at: number): number {
  const tenth = Math.floor((10 * (at - start)) / (end - start));
  if (tenth < 1 || tenth > 8) return 1;
  const work = statements.filter(({ level, sign, template }) => level < 2 && !sign && template.pace !== undefined);
  const kept = work.flatMap((one) => {
    const pace = one.template.pace ?? [];
    const before = pace.slice(0, tenth).reduce((sum, count) => sum + count, 0) / tenth;
    const after = pace.slice(tenth + 1).reduce((sum, count) => sum + count, 0) / (9 - tenth);
    return before * tenth < 5 ? [] : [{ weight: Math.sqrt(before), share: Math.min(1, after / before) }];
  });
  const all = kept.reduce((sum, { weight }) => sum + weight, 0);
  return all === 0 ? 1 : kept.reduce((sum, { weight, share }) => sum + weight * share, 0) / all;
}

const fullOfTrouble = 0.25;
type Said = { statements: readonly Statement[] };
type Window = { start: number; end: number; hasLevels: boolean };

/** False when only words show what is an error: a refused stranger then counts as one. */
export function hasLevels({ totals }: ParsedLog): boolean {
  const { INFO = 0, DEBUG = 0 } = totals.events_by_level;
  return INFO + DEBUG > 0;
}

/**
 * Marks statements that may come at any time: of n such events the first comes after a share h of the log with
 * probability (1 - h)^n, and trouble is spread like the work. Kinds of trouble that begin or end together count as
 * one.
 */
function markSteady(statements: readonly Statement[], { start, end, hasLevels }: Window): void {
  if (end - start <= 60_000) return;
  const bad = statements.filter(({ level, sign }) => level >= 2 && !isHarmless(sign));
  const isNear = (a: number, b: number) => Math.abs(a - b) <= 0.05 * (end - start);
  const share = sumCounts(bad) / Math.max(1, sumCounts(statements));
  const least = share <= 0.1 ? 0.01 : 0.1;
  for (const one of statements) {
    if (one.template.first_seen === null || one.template.count < 3) continue;
    const isBad = bad.includes(one);
    const begun = isBad ? bad.filter(({ from }) => isNear(from, one.from)) : [one];
    const ended = isBad ? bad.filter(({ last }) => isNear(last, one.last)) : [one];
    const shareOf = (from: number, to: number) => Math.max(0, (to - from) / (end - start) - (isBad ? 0.01 : 0.05));
    const before = shareOf(start, Math.min(...begun.map(({ from }) => from)));
    const after = shareOf(Math.max(...ended.map(({ last }) => last)), end);
    const chances = [(1 - before) ** sumCounts(begun), (1 - after) ** sumCounts(ended)];
    if (isBad && one.template.pace !== undefined)
      chances.push(...[[one], begun].map((own) => rateEven(own, { statements })));
    one.isSteady ||= Math.min(...chances) > (isBad ? least : 0.135);
  }
  const isAll = bad.every(({ isSteady, template }) => isSteady || template.count < 3);
  if (share > (hasLevels ? fullOfTrouble : 2 * fullOfTrouble) && isAll)
    for (const one of bad) one.isSteady = isKnown(one.template);
}

export function isKnown({ change }: LogTemplate): boolean {
  return change === "same" || change === "less";
}

export function sumCounts(statements: readonly Statement[]): number {
  return statements.reduce((sum, { template }) => sum + template.count, 0);
}

export function isHarmless(sign: Sign | null): boolean {
  return sign?.role === "routine";
}

/** True for statements of trouble, by level or by known words. */
export function isTrouble({ level, sign }: Statement): boolean {
  if (isHarmless(sign)) return false;
  return level >= 3 || sign?.role === "cause";
}

function isWarning({ level, sign, template }: Statement): boolean {
  return level === 2 && template.count >= 5 && !isHarmless(sign);
}

function isSettled(one: Statement, statements: readonly Statement[]): boolean {
  const soon = (ms: number) => ms > 0 && ms <= 60_000;
  return (
    one.template.count >= 2 &&
    statements.some(
      (other) =>
        other.level < 2 &&
        Math.abs(other.template.count - one.template.count) <= 0.1 * one.template.count &&
        soon(other.from - one.from) &&
        soon(other.last - one.last) &&
        [...other.tokens].some((token) => one.tokens.has(token)),
    )
  );
}

function state(
  template: LogTemplate,
  events: readonly LogEvent[],
  { start, end, files }: { start: number; end: number; files: number },
): Statement {
  const bad = events.find(({ level }) => level === "ERROR" || level === "FATAL") ?? events[0];
  const message = (bad?.message ?? (template.sample || template.template)).split("\n")[0] ?? "";
  const best = bad ? findSaying(bad, message) : { text: message, offset: 0, sign: matchSign(message) };
  const [from, last] = [template.first_seen ?? start, template.last_seen ?? end];
  const level = severity[template.level ?? ""] ?? 1;
  const isSteady = isKnown(template);
  const place = placeEvent(bad ?? { component: template.component, message, file: template.file }, files);
  const line = bad
    ? { file: bad.file, line: bad.line + best.offset }
    : { file: template.file, line: template.first_line ?? 1 };
  const said = bad && best.offset === 0 ? quoteWhole(bad, best.text, place) : best.text;
  const change = level >= 3 ? null : matchChange(said);
  const tokens = listTokens(`${place ?? ""} ${bad?.host ?? ""} ${bad?.service ?? ""} ${said}`);
  return {
    template,
    text: best.text,
    said,
    line,
    place,
    sign: best.sign,
    change,
    level,
    from,
    last,
    isSteady,
    isSettled: false,
    tokens,
  };
}

function findSaying(event: LogEvent, message: string): { text: string; offset: number; sign: Sign | null } {
  const lines = event.raw
    .split("\n")
    .slice(1, 40)
    .map((text, index) => ({ text: text.trim(), offset: index + 1 }));
  const own = { text: message, offset: 0 };
  // The stack trace of a record may be in a field of its line.
  const inside = lines.length === 0 && event.cause !== undefined ? [{ text: event.cause, offset: 0 }] : [];
  const said = [...inside, own, ...lines.filter(({ text }) => text !== "" && !isFrame(text))];
  const signed = said.map((one) => ({ ...one, sign: matchSign(one.text) }));
  const causes = signed.filter(({ sign }) => sign?.role === "cause");
  const [strongest] = causes.toSorted((a, b) => (b.sign?.strength ?? 0) - (a.sign?.strength ?? 0));
  return strongest ?? signed.slice(0, 2).find(({ sign }) => sign) ?? signed[0] ?? { ...own, sign: null };
}

const passing =
  /^(?:_|key|time|timestamp|@timestamp|ts|t|date|level|severity|priority|lvl|msg|message|log|trace|span|request|id)|id$/i;

function quoteWhole({ raw, message, level }: LogEvent, text: string, place: string | null): string {
  const [line = ""] = raw.split("\n");
  if (line.startsWith("{")) {
    const known = `${text} ${place ?? ""}`.toLowerCase();
    const fields = [...line.matchAll(/"([\w.@-]+)"\s*:\s*("(?:[^"\\]|\\.){1,80}"|-?[\d.]+|true|false)/g)]
      .filter(
        ([, key = "", value = ""]) => !passing.test(key) && !known.includes(value.replaceAll('"', "").toLowerCase()),
      )
      .map(([, key, value = ""]) => `${key}=${value.replaceAll('"', "")}`);
    return [text, ...fields.slice(0, 6)].join(" ");
  }
  const at = line.indexOf(message.split("\n")[0] ?? "");
  if (at <= 0 || /^\s*"/.test(line)) return text;
  const names = (line.slice(0, at).match(/[^\s|,;:()[\]<>"]+/g) ?? []).filter(
    (word) =>
      /^[A-Za-z/][\w.@/-]*$/.test(word) &&
      !/^(?:[TZ]|UTC|GMT|[A-Z][a-z]{2})$/.test(word) &&
      word.toUpperCase() !== level &&
      isBracketedComponent(word.replace(/[@/]/g, "-")) &&
      nameEntity(word) !== place &&
      !text.includes(word),
  );
  return [...names.slice(0, 3), text].join(" ").trim();
}

type Speaker = Partial<Pick<LogEvent, "service" | "component" | "message" | "host" | "file">>;

/**
 * The speaker: the service or component if it is a proper name; else a name at the start of the message, the machine,
 * or, with several files, the file.
 */
export function placeEvent({ service, component, message = "", host, file }: Speaker, files: number): string | null {
  const named = [service, component].find((name) => name != null && isComponentName(name));
  if (named != null) return nameEntity(named);
  return readLeadingName(message) ?? host ?? (files > 1 && file != null ? nameFile(file) : null);
}

/** Words of four letters or more, and names with their parts: compounds, paths, hosts, long numbers. */
function listTokens(text: string): Set<string> {
  const whole = text.match(/[A-Za-z0-9_][\w./:@-]*[\w]/g) ?? [];
  const parts = whole.flatMap((one) => one.split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/));
  const kept = [...whole, ...parts].filter((one) =>
    /[A-Za-z]/.test(one) ? one.length > 3 || /\d/.test(one) : one.length > 3,
  );
  return new Set(kept.map((one) => one.toLowerCase()));
}

function rateTokens(statements: readonly Statement[]): (token: string) => number {
  const counts = new Map<string, number>();
  for (const { tokens } of statements) for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  const rate = (count: number) => Math.log(1 + statements.length / count);
  return (token) => Math.min(1, rate(counts.get(token) ?? 1) / rate(2));
}
