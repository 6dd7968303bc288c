import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isatty } from "node:tty";
import { type ErrorCode, ParleyError } from "../contract/error.ts";
import type { Outcome } from "../contract/result.ts";
import type { Section } from "../contract/view.ts";
import { renderTerminal } from "../print/terminal/render-terminal.ts";
import type { OnDamaged } from "../store/store.ts";
import { makePrintable } from "../text/format.ts";

/** A command's environment: results go to `out`, everything else to `err`, both made safe for terminals. */
export type Io = Surroundings & {
  /** Like `out`, for text with our own colours. */
  painted(text: string): void;
  show(sections: readonly Section[]): void;
  json(value: unknown): void;
  jsonLines(values: Iterable<unknown>): void;
  draw(line: string): void;
};

/** The raw environment: output is written byte by byte. */
export type Surroundings = {
  out(text: string): void;
  /** Resolves when the reader of `out` has caught up or is gone, for endless output. */
  drained(): Promise<void>;
  err(text: string): void;
  live: boolean;
  color: boolean;
  width: number;
  env: Record<string, string | undefined>;
  cwd: string;
  interactive: boolean;
  stdin: AsyncIterable<Uint8Array>;
  signal: AbortSignal;
  /** Aborted when `out` has no reader or cannot be written. */
  unread: AbortSignal;
  exit: { code: number };
  /** How long work may take to stop after a signal; a command can ask for more. */
  grace?: { ms: number };
};

export function makeSafe(surroundings: Surroundings): Io {
  const { out, err } = surroundings;
  const print = (text: string): void => out(makePrintable(text));
  return {
    ...surroundings,
    out: print,
    err: (text) => err(makePrintable(text)),
    painted: out,
    show: (sections) => out(renderTerminal(sections, surroundings)),
    json: (value) => print(`${JSON.stringify(value, null, 2)}\n`),
    jsonLines: (values) => {
      for (const value of values) print(`${JSON.stringify(value)}\n`);
    },
    draw: (line) => err(`\r\u001B[2K${makePrintable(line)}`),
  };
}

/** The environment of this process; `written` waits for all output and returns its error, if any. */
function openProcessIo(signal: AbortSignal): Surroundings & { written(): Promise<Error | null> } {
  const { stdout, stderr, stdin, env } = process;
  const unread = new AbortController();
  let failure: Error | null = null;
  const failed = (error: NodeJS.ErrnoException): void => {
    if (error.code !== "EPIPE") failure ??= error;
    if (!unread.signal.aborted) unread.abort(error);
  };
  stdout.on("error", failed);
  stderr.on("error", () => undefined);
  return {
    out(text) {
      try {
        stdout.write(text);
      } catch (error) {
        failed(error as NodeJS.ErrnoException);
      }
    },
    async drained() {
      if (!stdout.writableNeedDrain) return;
      await once(stdout, "drain", { signal: AbortSignal.any([signal, unread.signal]) }).catch(() => undefined);
    },
    err(text) {
      try {
        stderr.write(text);
      } catch {
        // There is nowhere left to report it.
      }
    },
    live: isatty(2),
    color: isatty(1) && env.NO_COLOR === undefined && env.TERM !== "dumb",
    width: isatty(1) ? Math.min(stdout.columns || 80, 120) : 100,
    env,
    cwd: process.cwd(),
    interactive: isatty(0) && isatty(2),
    stdin: readUntilStopped(stdin, signal),
    signal,
    unread: unread.signal,
    exit: { code: 0 },
    grace: { ms: 5_000 },
    written: () => new Promise((done) => stdout.write("", () => setImmediate(() => done(failure)))),
  };
}

/** Throws when the work was stopped, or nobody reads its output any more. */
export function throwIfStopped(io: Io): void {
  if (io.signal.aborted) throw new ParleyError("interrupted", "interrupted");
  if (io.unread.aborted) throw new ParleyError("output_closed", "the output was closed, so Parley stopped");
}

/** Like `throwIfStopped`, but lets pending signals arrive first; for use between the steps of long work. */
export async function pauseBetweenSteps(io: Io): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  if (io.signal.aborted) throw new ParleyError("interrupted", "interrupted");
}

/** A text that comes with Parley. */
export const readData = (name: string): string => readFileSync(new URL(`../../data/${name}`, import.meta.url), "utf8");

export function readNamedFile(io: Io, given: string): string {
  const file = resolve(io.cwd, given);
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new ParleyError("bad_input", `${given}: there is no such file`);
  if (found.isDirectory()) throw new ParleyError("bad_input", `${given}: that is a folder; name a file`);
  const bytes = readFileSync(file);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ParleyError("bad_input", `${given}: this is not UTF-8 text`, { cause });
  }
}

/** Refuses a file name given in place of a question. */
export function requireQuestion(io: Io, words: string, pack: string): void {
  if (words === "" || words.length > 1000 || !existsSync(resolve(io.cwd, words))) return;
  const cases = `for a file of cases: parley run ${pack} --input ${words} --out results.jsonl`;
  throw new ParleyError("bad_input", `${words} is a file or folder, not a question; ${cases}`);
}

/** Resolves `--out`; says so before creating a missing folder. */
export function resolveOut(io: Io, { out, quiet }: { out: string; quiet?: boolean }, isFolder = false): string {
  const path = resolve(io.cwd, out);
  if (!quiet && !existsSync(isFolder ? path : dirname(path)))
    io.err(`${out}: the folder does not exist yet; it will be created\n`);
  return path;
}

export function parseGivenJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ParleyError("bad_input", `${what} is not valid JSON: ${(cause as Error).message}`, { cause });
  }
}

type Clack = typeof import("@clack/prompts");

/** Asks a person at the terminal; null when they leave the question unanswered, unlike being stopped. */
export async function askPerson<T>(
  io: Io,
  ask: (clack: Clack, common: { output: NodeJS.WriteStream; signal: AbortSignal }) => Promise<T>,
): Promise<Exclude<T, symbol> | null> {
  const clack = await import("@clack/prompts");
  const answer = await ask(clack, { output: process.stderr, signal: io.signal });
  if (!clack.isCancel(answer)) return answer as Exclude<T, symbol>;
  throwIfStopped(io);
  return null;
}

/** Reads input until the signal aborts, even if none arrives. */
async function* readUntilStopped(source: NodeJS.ReadStream, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stop = (): void => void source.destroy(new ParleyError("interrupted", "interrupted while reading"));
  signal.addEventListener("abort", stop);
  try {
    yield* source as AsyncIterable<Uint8Array>;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** 0 ok, 1 failed, 2 bad input, 3 undecided or escalated, 4 budget; 128 + n when stopped by signal n. */
const byOutcome: Record<Outcome, number> = { decided: 0, failed: 1, undecided: 3, escalated: 3, budget_exhausted: 4 };

const byError: Partial<Record<ErrorCode, number>> = {
  bad_input: 2,
  bad_config: 2,
  bad_cast: 2,
  not_trusted: 2,
  missing_key: 2,
  unknown_run: 2,
  budget_exhausted: 4,
  parked: 3,
  interrupted: 130,
  output_closed: 141,
};

export function exitCodeOf(outcome: Outcome): number {
  return byOutcome[outcome];
}

export function exitCodeOfError(error: unknown): number {
  return error instanceof ParleyError ? (byError[error.code] ?? 1) : 1;
}

export const exitCodeOfSignal = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type StopSignal = keyof typeof exitCodeOfSignal;

/** Signals closer than this are one: Ctrl-C reaches us directly and again through our parent. */
const sameMs = 150;

/** Runs the command line in this process: one signal stops it cleanly, a second at once. */
export async function runAsProcess(main: (args: string[], surroundings: Surroundings) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const io = openProcessIo(stop.signal);
  const { stopped, leave } = listenForSignals(stop, io);
  await main(process.argv.slice(2), io);
  stop.signal.addEventListener("abort", leave);
  const signal = stopped();
  const failure = await (signal ? Promise.race([io.written(), waitBriefly()]) : io.written());
  if (failure) {
    io.err(`parley: the output could not be written: ${failure.message}\n`);
    if (io.exit.code < exitCodeOfSignal.SIGHUP) io.exit.code = 1;
  }
  process.exitCode = io.exit.code;
  if (signal) process.exit(io.exit.code === exitCodeOfSignal.SIGINT ? exitCodeOfSignal[signal] : io.exit.code);
}

/** Output that nobody reads must not delay stopping. */
function waitBriefly(): Promise<null> {
  return new Promise((done) => void setTimeout(() => done(null), 300));
}

function listenForSignals(stop: AbortController, io: Surroundings): { stopped(): StopSignal | null; leave(): void } {
  let first: StopSignal | null = null;
  let firstMs = 0;
  const leave = (signal: StopSignal = first ?? "SIGINT"): never => {
    io.err(
      `${io.live ? showCursor : ""}parley: stopped. Everything recorded is safe: see parley runs, parley resume RUN\n`,
    );
    process.exit(exitCodeOfSignal[signal]);
  };
  for (const signal of Object.keys(exitCodeOfSignal) as StopSignal[])
    process.on(signal, () => {
      if (first === null) {
        first = signal;
        firstMs = performance.now();
        stop.abort();
        // Work that has not stopped by then is abandoned; the store is safe at any moment.
        setTimeout(() => leave(signal), io.grace?.ms).unref();
      } else if (performance.now() - firstMs > sameMs) leave(signal);
    });
  return { stopped: () => first, leave: () => leave() };
}

const showCursor = "\u001B[?25h";

export function sayDamaged(io: Io): OnDamaged {
  return (id, error) => {
    io.err(`parley: run ${id} was skipped because it is damaged: ${error.message}\n`);
    io.exit.code = 1;
  };
}
