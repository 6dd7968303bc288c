import type { Level } from "../../../contract/parsed-log.ts";
import { createEvent } from "../event/event.ts";
import { isComponentName, readLevel } from "../event/names.ts";
import type { HeadReader } from "./layouts.ts";
import type { TimestampReader } from "./timestamps.ts";

/** `isClosed` if a colon or bracket ends the word, or a key begins it. */
type Token = { text: string; end: number; isClosed: boolean };
type Column = { at: number; width: number; clock: Clock };
/** Milliseconds of a token; null if it is not a time of this kind. */
type Clock = (text: string, times: TimestampReader) => number | null;

const mostColumns = 7;
const leastLines = 12;
const most = 0.9;
const dayMs = 86_400_000;

/** The first words of a line without brackets, quotes, keys and closing colons. */
function splitHead(line: string): Token[] {
  return Array.from(line.slice(0, 200).matchAll(/[^\s;|~,]+/g), ([word = ""], index) => ({ word, index }))
    .filter(({ word }) => /\w|^[.!*#-]$/.test(word))
    .slice(0, mostColumns)
    .map(({ word }) => word)
    .reduce<Token[]>((tokens, word) => {
      const end = line.indexOf(word, tokens.at(-1)?.end ?? 0) + word.length;
      const text = word.replace(/^[[({<"]+|(?<=\w)\[\d+\]:?$|[\])}>":,]+$/g, "").replace(/^[A-Za-z_]\w*=(?=.)/, "");
      return [...tokens, { text, end, isClosed: /[\])}>":,]$|^\w+=./.test(word) }];
    }, []);
}

const readDay = (hours = "", minutes = "", seconds = "", fraction = "") =>
  Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59
    ? null
    : 1000 * (3600 * Number(hours) + 60 * Number(minutes) + Number(`${seconds}.${fraction || "0"}`));

const readDated: Clock = (text, times) => (/^\d{1,2}[:.]\d/.test(text) ? null : times.read(text));

/** The kinds of time, the surest first: what a date reader knows, TAI64N, a time of day, plain seconds. */
const clocks: readonly Clock[] = [
  readDated,
  (text) => {
    const [, seconds] = /^@4([0-9a-f]{15})[0-9a-f]{8}$/.exec(text) ?? [];
    return seconds === undefined ? null : 1000 * (Number.parseInt(seconds, 16) - 10);
  },
  (text) => {
    const [, ...parts] = /(?:^|\D)(\d{2})[:.]?(\d{2})[:.]?(\d{2})(?:[.,](\d+))?$/.exec(text) ?? [];
    return parts.length === 0 ? null : readDay(...parts);
  },
  (text) => {
    const [, seconds] = /^\+?(\d+\.\d+)s?$/.exec(text) ?? [];
    return seconds === undefined ? null : 1000 * Number(seconds);
  },
];

/**
 * Finds the layout of lines that no known layout fits, or that fit one without a speaker: the column of times that
 * hardly ever fall, the column of level words, and the first column of a few recurring names. Null if there is no
 * time.
 */
export function induceReader(
  lines: readonly string[],
  times: TimestampReader,
): (HeadReader & { isNamed: boolean }) | null {
  const heads = lines.map(splitHead).filter((tokens) => tokens.length >= 3);
  if (heads.length < Math.max(leastLines, 0.6 * lines.length)) return null;
  const columns = Array.from({ length: mostColumns }, (_, at) => at);
  const isMostly = (at: number, test: (text: string) => boolean) =>
    heads.filter((tokens) => test(tokens[at]?.text ?? "")).length >= most * heads.length;
  const readTime = ({ at, width, clock }: Column, tokens: readonly Token[], own: TimestampReader) =>
    clock(
      tokens
        .slice(at, at + width)
        .map(({ text }) => text)
        .join(" "),
      own,
    );
  const time = columns
    .slice(0, 4)
    .flatMap((at): Column[] => [
      ...clocks.slice(0, 1).map((clock): Column => ({ at, width: 1, clock })),
      { at, width: 2, clock: readDated },
      ...clocks.slice(1).map((clock): Column => ({ at, width: 1, clock })),
    ])
    .find((column) => {
      const read = heads.flatMap((tokens) => readTime(column, tokens, times) ?? []);
      const falls = read.filter((value, index) => index > 0 && value < (read[index - 1] ?? value)).length;
      return read.length >= most * heads.length && falls <= 0.1 * read.length && new Set(read).size > read.length / 4;
    });
  if (time === undefined) return null;
  const after = time.at + time.width - 1;
  const words = (at: number) => new Set(heads.map((tokens) => tokens[at]?.text ?? ""));
  // A log may begin with a single level: a constant word counts as a level, a constant sign or letter does not.
  const isLevels = (at: number) => words(at).size > 1 || [...words(at)].every((word) => word.length > 2);
  const level = columns.find((at) => isMostly(at, (text) => levelOf(text) !== null) && isLevels(at)) ?? null;
  const component = columns.find(
    (at) => at > after && at !== level && at <= after + 4 && isMostly(at, isName) && isRecurring(heads, at),
  );
  const last = Math.max(after, level ?? 0, component ?? 0);
  let lastTime = 0;
  let days = 0;
  return {
    name: "columns",
    isNamed: component !== undefined,
    read(line, own) {
      const tokens = splitHead(line);
      const at = readTime(time, tokens, own);
      const end = tokens[last]?.end;
      if (at === null || end === undefined) return null;
      const event = createEvent(line, line.slice(end).replace(/^[\s;|~,:\])}>"]+(?:- )?/, ""));
      // A time of day that falls by half a day is one of the next day.
      if (at < dayMs && lastTime - at > dayMs / 2) days += 1;
      lastTime = at;
      if (at < dayMs) own.isDated = false;
      event.timestamp = at < dayMs ? at + days * dayMs : at;
      event.level = level === null ? null : levelOf(tokens[level]?.text ?? "");
      const name = component === undefined ? undefined : tokens[component]?.text;
      event.component = name !== undefined && isName(name) && isComponentName(name) ? name : null;
      return event;
    },
  };
}

function levelOf(text: string): Level | null {
  const word = /^[IWEF]\d{4}$/.test(text) ? text.slice(0, 1) : text;
  return readLevel(word) ?? readLevel(word.toLowerCase()) ?? (word === "!" ? "ERROR" : null);
}

function isName(text: string): boolean {
  return /^[A-Za-z][\w./:@-]*$/.test(text);
}

/**
 * A few alternating names, hardly any of them a level: at least two, and a handful of lines for each. A plain word
 * that is always followed by the same words, as no other is, is the verb of a message and not its speaker.
 */
function isRecurring(heads: readonly Token[][], at: number): boolean {
  const names = Map.groupBy(heads, (tokens) => tokens[at]?.text ?? "");
  const isLevels = [...names.keys()].filter((name) => levelOf(name) !== null).length >= names.size / 3;
  const kinds = new Set([...names.keys()].map((name) => name.replace(/\d+/g, "0")));
  if (names.size < 2 || names.size > heads.length / 2 || isLevels) return false;
  if (kinds.size > Math.max(4, heads.length / 5)) return false;
  const isName = ([name, own]: [string, Token[][]]) => /[^a-z]/.test(name) || own[0]?.[at]?.isClosed;
  const next = (tokens: readonly Token[]) => tokens[at + 1]?.text.replace(/\d+/g, "0") ?? "";
  const said = [...names.values()].flatMap((own) => [...new Set(own.map(next))].filter((one) => /[A-Za-z]/.test(one)));
  return [...names].some(isName) || said.length > names.size || new Set(said).size < said.length;
}
