import { ParleyError } from "../../contract/error.ts";
import { type LogSource, LogSourceSchema, type ParsedLog } from "../../contract/parsed-log.ts";
import { buildParsedLog } from "./digest/build-parsed-log.ts";
import { LogDigest } from "./digest/log-digest.ts";
import type { ReadEvent } from "./event/event.ts";
import { LogEventReader } from "./read/event-reader.ts";
import { findReader, type HeadReader, readers } from "./read/layouts.ts";
import { readLines } from "./read/lines.ts";
import { findSources, type FoundSource, readTail } from "./read/sources.ts";
import { TimestampReader } from "./read/timestamps.ts";

export type ParseOptions = {
  format?: string;
  sinceMs?: number;
  untilMs?: number;
  reference?: readonly string[];
  budgetTokens?: number;
  /** The time of a log without years, if the file does not say (epoch ms). */
  nowMs?: number;
  stdin?: AsyncIterable<Uint8Array>;
  signal?: AbortSignal;
  cwd?: string;
  onEvent?: (event: ReadEvent, shape: number) => void;
  /** Called while files are read, with the share that has been; null if the end is not known. */
  onProgress?: (events: number, share: number | null) => void;
};

const defaults = { budgetTokens: 6000, maxTemplates: 400, maxEntities: 200, maxErrors: 100 };

/** Parses logs (files, folders, globs, `-`) in one streaming pass with bounded memory (root-cause spec §2). */
export async function parseLogs(inputs: readonly string[], options: ParseOptions = {}): Promise<ParsedLog> {
  const sources = await findSources(inputs, options.cwd);
  const session = new ParseSession({ nowMs: Date.now(), ...options }, await findDatedEnd(sources));
  const references = options.reference ? await findSources(options.reference, options.cwd) : [];
  session.expect([...references, ...sources]);
  for (const source of references) await session.readSource(source, "reference");
  for (const source of sources) await session.readSource(source, "log");
  return session.finish();
}

/** Parses lines from memory or another source; see `parseLogs`. */
export async function parseLines(
  lines: Iterable<string> | AsyncIterable<string>,
  options: Omit<ParseOptions, "stdin" | "reference"> & { name?: string } = {},
): Promise<ParsedLog> {
  const session = new ParseSession(options, null);
  await session.readLineSource(lines, options.name ?? null);
  return session.finish();
}

/** The latest time in the last lines of the files; null if there is none. */
export async function findLogEnd(inputs: readonly string[], cwd?: string): Promise<number | null> {
  const ends = await Promise.all((await findSources(inputs, cwd)).map(findEnd));
  return ends.reduce<number | null>((latest, { endMs }) => Math.max(latest ?? 0, endMs ?? 0) || null, null);
}

async function findDatedEnd(sources: readonly FoundSource[]): Promise<number | null> {
  if (sources.length < 2 || sources.length > 200) return null;
  const ends = await Promise.all(sources.map(findEnd));
  const dated = ends.flatMap(({ endMs, isDated }) => (isDated && endMs !== null ? [endMs] : []));
  return dated.length > 0 && dated.length < ends.length ? Math.max(...dated) : null;
}

async function findEnd(source: FoundSource): Promise<{ endMs: number | null; isDated: boolean }> {
  let endMs: number | null = null;
  const times = new TimestampReader(source.modifiedMs ?? 0);
  const emit = ({ timestamp }: ReadEvent) => {
    if (timestamp !== null && timestamp > (endMs ?? 0)) endMs = timestamp;
  };
  const events = new LogEventReader({ reader: null, times, emit });
  events.add(await readTail(source));
  events.end();
  return { endMs, isDated: times.isDated };
}

const halfYearMs = 182 * 86_400_000;

export class ParseSession {
  readonly digest: LogDigest;
  private readonly sources: LogSource[] = [];
  private blankLines = 0;
  private continuationLines = 0;
  private wholeBytes = 0;
  private readBytes = 0;
  private readonly options: ParseOptions;
  private readonly datedEnd: number | null;
  private readonly reader: HeadReader | null;

  constructor(options: ParseOptions, datedEnd: number | null) {
    this.options = options;
    this.datedEnd = datedEnd;
    this.reader = chooseReader(options.format);
    const { sinceMs = null, untilMs = null } = options;
    this.digest = new LogDigest({ sinceMs, untilMs });
  }

  expect(sources: readonly FoundSource[]): void {
    this.wholeBytes = sources.reduce((sum, { bytes }) => sum + (bytes ?? Number.NaN), 0);
  }

  async readSource(source: FoundSource, part: "log" | "reference"): Promise<void> {
    const report = LogSourceSchema.parse({ name: source.name });
    const events = this.createEventReader(source.modifiedMs, part, source.path === null ? null : source.name);
    for await (const lines of readLines(source, report, this.options.stdin)) {
      if (this.options.signal?.aborted) throw new ParleyError("interrupted", "interrupted while reading logs");
      events.add(lines);
      const share = (this.readBytes + report.bytes) / this.wholeBytes;
      this.options.onProgress?.(this.digest.events + this.digest.referenceEvents, share <= 1 ? share : null);
    }
    this.readBytes += report.bytes;
    this.close(events, report, part);
  }

  async readLineSource(lines: Iterable<string> | AsyncIterable<string>, name: string | null): Promise<void> {
    const report = LogSourceSchema.parse({ name: name ?? "lines" });
    const events = this.createEventReader(null, "log", name);
    for await (const line of lines) {
      report.lines += 1;
      report.bytes += line.length + 1;
      events.add([line]);
    }
    this.close(events, report, "log");
  }

  finish(): ParsedLog {
    if (this.digest.events === 0) throw new ParleyError("bad_input", this.explainNothing());
    const reading = { blank_lines: this.blankLines, continuation_lines: this.continuationLines };
    const reference = this.options.reference?.join(", ") ?? null;
    const budgetTokens = this.options.budgetTokens ?? defaults.budgetTokens;
    return buildParsedLog(this.digest, this.sources, reading, { ...defaults, budgetTokens, reference });
  }

  private explainNothing(): string {
    const { outsideWindow, firstOutside, lastOutside } = this.digest;
    if (outsideWindow > 0) {
      const printTime = (time: number) => new Date(time).toISOString().slice(0, 19);
      const range =
        firstOutside === null || lastOutside === null
          ? ""
          : ` (${printTime(firstOutside)} to ${printTime(lastOutside)})`;
      return `no event is in the time window; ${outsideWindow} are outside it${range}: move --since or --until`;
    }
    const reasons = this.sources
      .slice(0, 5)
      .map(({ name, problems }) => `${name}: ${problems.join("; ") || "no events"}`);
    const more = this.sources.length > 5 ? ` (and ${this.sources.length - 5} more)` : "";
    return `no log events found. ${reasons.join(". ")}${more}`;
  }

  private createEventReader(modifiedMs: number | null, part: "log" | "reference", file: string | null): LogEventReader {
    const { datedEnd, digest, reader } = this;
    const written = modifiedMs ?? this.options.nowMs ?? Date.UTC(2000, 11, 31);
    const times =
      datedEnd === null ? new TimestampReader(written) : new TimestampReader(datedEnd + halfYearMs, datedEnd);
    const emit = (event: ReadEvent) => {
      if (part === "reference") digest.addReference(event, file);
      else {
        const shape = digest.add(event, file);
        this.options.onEvent?.(event, shape);
      }
    };
    return new LogEventReader({ reader, times, emit });
  }

  private close(events: LogEventReader, report: LogSource, part: "log" | "reference"): void {
    events.end();
    report.problems.push(...events.problems);
    report.format = report.lines > 0 ? events.format : null;
    if (part === "reference") return;
    this.sources.push(report);
    this.blankLines += events.blankLines;
    this.continuationLines += events.continuationLines;
  }
}

function chooseReader(format: string | undefined): HeadReader | null {
  if (format === undefined || format === "auto") return null;
  const reader = findReader(format);
  if (reader) return reader;
  const names = [...readers.map(({ name }) => name), "plain"].join(", ");
  throw new ParleyError("bad_input", `unknown log format "${format}": use one of ${names}`);
}
