import type { ReadEvent } from "../event/event.ts";
import { parseObject } from "./json-records.ts";
import {
  type Guess,
  guessReader,
  type HeadReader,
  looksContinued,
  plainReader,
  readers,
  readRecord,
} from "./layouts.ts";
import type { TimestampReader } from "./timestamps.ts";

const guessedFrom = 200;
/** Continuation lines kept per event; more are only counted. */
const maxExtra = 60;

const maxSurprises = 1000;
/** Lines kept of a JSON value; one with more is named as broken. */
const mostOfDocument = 500_000;
const startsLikeHeader = /^[[<{(]?\d|^[A-Z][a-z]{2} +\d|^\{"/;

export type EventReaderOptions = {
  reader: HeadReader | null;
  times: TimestampReader;
  emit: (event: ReadEvent) => void;
};

/** Turns lines into events: a line that does not begin an event continues the last one. */
export class LogEventReader {
  blankLines = 0;
  continuationLines = 0;
  private guess: Guess | null;
  private readonly waiting: string[] = [];
  private current: ReadEvent | null = null;
  private line = 0;
  private indentContinues = true;
  private surprises = 0;
  private readonly options: EventReaderOptions;
  /** The lines of a JSON value printed over many lines. */
  private document: string[] | null = null;
  private broken = 0;
  /** The fields of a `journalctl -o export` record, and its first line. */
  private journal: { lines: string[]; first: number } | null = null;

  constructor(options: EventReaderOptions) {
    this.options = options;
    this.guess = options.reader ? { main: options.reader, others: [] } : null;
  }

  get format(): string | null {
    if (this.journal !== null) return "journal-export";
    return this.document === null ? (this.guess?.main.name ?? null) : "json";
  }

  get problems(): string[] {
    return this.broken > 0 ? [`${this.broken} parts of the JSON document could not be read`] : [];
  }

  add(lines: readonly string[]): void {
    for (const line of lines) {
      if (this.guess !== null) this.read(line, this.guess);
      else if (this.waiting.push(line) >= guessedFrom) this.start();
    }
  }

  end(): void {
    if (this.guess === null) this.start();
    if (this.journal !== null) this.readJournal("", this.journal);
    this.flush();
  }

  private start(): void {
    this.guess = guessReader(this.waiting);
    const [head = "", second = ""] = this.waiting.filter((line) => /\S/.test(line));
    if (/^\[\s*$/.test(head) || (/^\{\s*$/.test(head) && /^\s*"[^"]+"\s*:/.test(second))) this.document = [];
    if (/^__(?:CURSOR|REALTIME_TIMESTAMP)=/.test(head)) this.journal = { lines: [], first: 0 };
    const indented = this.waiting.filter((line) => /^\s+\S/.test(line)).length;
    this.indentContinues = indented < this.waiting.length / 2;
    for (const line of this.waiting) this.read(line, this.guess);
    this.waiting.length = 0;
  }

  private read(line: string, guess: Guess): void {
    this.line += 1;
    if (this.journal !== null) return this.readJournal(line, this.journal);
    if (line.charCodeAt(0) <= 32 ? !/\S/.test(line) : line === "") {
      this.blankLines += 1;
      return;
    }
    if (this.document !== null && (this.document.length > 0 || /^[[{]/.test(line)))
      return this.readDocument(line, this.document);
    const head = this.readHead(line, guess) ?? this.readHeadless(line, guess);
    if (head === null) this.extend(line);
    else this.begin(head);
  }

  private begin(head: ReadEvent): void {
    this.flush();
    head.line = this.line;
    head.lastLine = this.line;
    // Each of several records in one line counts as a line, so that it can be cited.
    for (const sibling of head.siblings ?? []) sibling.line = sibling.lastLine = this.line += 1;
    this.current = head;
  }

  /** A journal record is a block of `FIELD=value` lines; its message is cited. */
  private readJournal(line: string, journal: { lines: string[]; first: number }): void {
    if (line !== "") {
      if (journal.lines.length === 0) journal.first = this.line;
      journal.lines.push(line);
      return;
    }
    this.blankLines += 1;
    const at = journal.lines.findIndex((one) => one.startsWith("MESSAGE="));
    const fields = journal.lines
      .map((one) => one.split(/=(.*)/s))
      .flatMap(([key = "", value]) => (value === undefined ? [] : [[key, value]]));
    const raw = journal.lines[at] ?? "";
    journal.lines = [];
    if (at < 0) return;
    this.flush();
    const event = readRecord(Object.fromEntries(fields) as Record<string, string>, this.options.times, raw);
    this.continuationLines += fields.length - 1;
    this.current = { ...event, raw, siblings: null, line: journal.first + at, lastLine: journal.first + at };
  }

  private readDocument(line: string, lines: string[]): void {
    this.continuationLines += 1;
    if (lines.length < mostOfDocument) lines.push(line);
    if (!/^[\]}]/.test(line) || (lines[0]?.startsWith("[") && line.startsWith("}"))) return;
    this.document = [];
    const first = this.line - lines.length + 1;
    const whole = parseObject(`{"items":[${lines.join("\n").replace(/,\s*$/, "")}]}`);
    if (whole === null) this.broken += 1;
    const event = whole === null ? null : readRecord(whole, this.options.times, "");
    let at = -1;
    for (const one of event === null ? [] : [event, ...(event.siblings ?? [])]) {
      at = findRecord(one, lines, at + 1);
      this.flush();
      this.continuationLines -= 1;
      const end = lines.findIndex((text, index) => index > at && /^\s*[\]}]/.test(text));
      const extra = lines.slice(at + 1, Math.min(end, at + maxExtra));
      const place = { raw: lines[at] ?? "", line: first + at, lastLine: first + at + extra.length };
      this.current = { ...one, ...place, siblings: null, extra, stack: one.stack ?? [] };
    }
  }

  private readHead(line: string, guess: Guess): ReadEvent | null {
    const { times } = this.options;
    const head = guess.main === plainReader ? null : guess.main.read(line, times);
    if (head !== null) {
      return head;
    }
    for (const reader of guess.others) {
      const other = reader.read(line, times);
      if (other !== null) return other;
    }
    return this.readUnexpected(line, guess);
  }

  /** A line without a header continues the last event; in a log without headers, only if it looks like a continuation. */
  private readHeadless(line: string, guess: Guess): ReadEvent | null {
    const continues = guess.main !== plainReader || (this.indentContinues && looksContinued(line));
    return continues && this.current !== null ? null : plainReader.read(line, this.options.times);
  }

  private readUnexpected(line: string, guess: Guess): ReadEvent | null {
    if (this.options.reader !== null || this.surprises >= maxSurprises || !startsLikeHeader.test(line)) return null;
    this.surprises += 1;
    for (const reader of readers) {
      if (reader === guess.main || guess.others.includes(reader)) continue;
      const head = reader.read(line, this.options.times);
      if (head === null || head.timestamp === null) continue;
      this.guess = { ...guess, others: [...guess.others, reader] };
      this.surprises = 0;
      return head;
    }
    return null;
  }

  private extend(line: string): void {
    this.continuationLines += 1;
    const event = this.current;
    if (event === null) return;
    event.extra ??= [];
    const blank = this.line - event.lastLine - 1;
    if (event.extra.length + blank < maxExtra) {
      event.extra.push(...Array<string>(blank).fill(""), line);
      event.stack?.push(line);
    }
    event.lastLine = this.line;
  }

  private flush(): void {
    const event = this.current;
    this.current = null;
    if (event === null) return;
    this.options.emit(event);
    for (const sibling of event.siblings ?? []) this.options.emit(sibling);
  }
}

/** The line of a record of a JSON document that holds its message, or the id of its span; else the next line. */
function findRecord({ message, span }: ReadEvent, lines: readonly string[], from: number): number {
  const said = [message, ...(span === null ? [] : [span.id])].map((text) => JSON.stringify(text));
  const holds = (line: string, at: number) =>
    at >= from &&
    (/^\s*"(?:message|msg|MESSAGE)"\s*:/.test(line) || said.some((one) => line.replace(/,\s*$/, "").endsWith(one)));
  const at = lines.findIndex(holds);
  return at < 0 ? Math.min(from, lines.length - 1) : at;
}
