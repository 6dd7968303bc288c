import { type Guess, guessReader, looksContinued } from "../header/guess-reader.ts";
import type { HeadReader, ReadEvent } from "../header/header-format.ts";
import { plainReader, readers } from "../header/read-header.ts";
import type { TimestampReader } from "../header/timestamp-reader.ts";

/** Lines that are looked at before the layout is guessed. */
const guessedFrom = 200;
/** Continuation lines kept of one event; more are counted only. */
const maxExtra = 60;

/** After this many lines in a row that looked like a header and fitted no layout, other layouts are no longer tried. */
const maxSurprises = 1000;
const startsLikeHeader = /^[[<{(]?\d|^[A-Z][a-z]{2} +\d|^\{"/;

export type EventReaderOptions = {
  reader: HeadReader | null;
  times: TimestampReader;
  emit: (event: ReadEvent) => void;
};

/** Turns the lines of one source into events: a line that does not begin an event continues the one before it. */
export class LogEventReader {
  blankLines = 0;
  continuationLines = 0;
  private guess: Guess | null;
  private readonly waiting: string[] = [];
  private current: ReadEvent | null = null;
  private line = 0;
  private indentContinues = true;
  /** How many such lines there were since a new layout was found. */
  private surprises = 0;
  private readonly options: EventReaderOptions;

  constructor(options: EventReaderOptions) {
    this.options = options;
    this.guess = options.reader ? { main: options.reader, others: [] } : null;
  }

  /** The layout in use, once it is known. */
  get format(): string | null {
    return this.guess?.main.name ?? null;
  }

  add(lines: readonly string[]): void {
    for (const line of lines) {
      if (this.guess !== null) this.read(line, this.guess);
      else if (this.waiting.push(line) >= guessedFrom) this.start();
    }
  }

  /** Ends the source: the last event is complete. */
  end(): void {
    if (this.guess === null) this.start();
    this.flush();
  }

  private start(): void {
    this.guess = guessReader(this.waiting);
    const indented = this.waiting.filter((line) => /^\s+\S/.test(line)).length;
    this.indentContinues = indented < this.waiting.length / 2;
    for (const line of this.waiting) this.read(line, this.guess);
    this.waiting.length = 0;
  }

  private read(line: string, guess: Guess): void {
    this.line += 1;
    if (line.charCodeAt(0) <= 32 ? !/\S/.test(line) : line === "") {
      this.blankLines += 1;
      return;
    }
    const head = this.readHead(line, guess) ?? this.readHeadless(line, guess);
    if (head === null) this.extend(line);
    else {
      this.flush();
      head.line = this.line;
      head.lastLine = this.line;
      this.current = head;
    }
  }

  private readHead(line: string, guess: Guess): ReadEvent | null {
    const { times } = this.options;
    const head = guess.main === plainReader ? null : guess.main.read(line, times);
    if (head !== null) return head;
    for (const reader of guess.others) {
      const other = reader.read(line, times);
      if (other !== null) return other;
    }
    return this.readUnexpected(line, guess);
  }

  /** A line without a header continues the event before it; in a log without headers only if it looks like that. */
  private readHeadless(line: string, guess: Guess): ReadEvent | null {
    const continues = guess.main !== plainReader || (this.indentContinues && looksContinued(line));
    return continues && this.current !== null ? null : plainReader.read(line, this.options.times);
  }

  /** A layout that the first lines did not show; it is tried from here on too. */
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
    if (event.extra.length + blank < maxExtra) event.extra.push(...Array<string>(blank).fill(""), line);
    event.lastLine = this.line;
  }

  private flush(): void {
    if (this.current !== null) this.options.emit(this.current);
    this.current = null;
  }
}
