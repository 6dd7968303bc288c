import { ParleyError } from "../../contract/error.ts";
import { makePrintable } from "../../text/printable.ts";

/** What a command touches of its surroundings: results go to `out`, everything else to `err`; neither can steer a terminal. */
export type Io = Surroundings & {
  /** As `out`, for text whose colours are our own. */
  painted(text: string): void;
  /** Writes a line of progress over the last one, on `err`. */
  draw(line: string): void;
};

/** The surroundings as they are: what is written is written byte by byte. */
export type Surroundings = {
  out(text: string): void;
  /** Resolves when the reader of `out` has caught up, or there is none any more: for output without end. */
  drained(): Promise<void>;
  err(text: string): void;
  /** True when progress may be drawn on `err`. */
  live: boolean;
  color: boolean;
  width: number;
  env: Record<string, string | undefined>;
  cwd: string;
  /** True when a person sits at the terminal. */
  interactive: boolean;
  stdin: AsyncIterable<Uint8Array>;
  signal: AbortSignal;
  /** Aborted when nobody reads `out` any more, or it cannot be written. */
  unread: AbortSignal;
  /** The exit code so far; a command raises it. */
  exit: { code: number };
  /** How long work may take to stop after a signal; a command that needs more says so. */
  grace?: { ms: number };
};

/** The surroundings with outputs that no text from outside can steer. */
export function makeSafe(surroundings: Surroundings): Io {
  const { out, err } = surroundings;
  return {
    ...surroundings,
    out: (text) => out(makePrintable(text)),
    err: (text) => err(makePrintable(text)),
    painted: out,
    draw: (line) => err(`\r\u001B[2K${makePrintable(line)}`),
  };
}

/** Surroundings that know how their output ended. */
export type ProcessIo = Surroundings & {
  /** Waits until everything is written; the error when it could not be. */
  written(): Promise<Error | null>;
};

/** The Io of this process. Output that nobody reads any more (`| head`) is dropped; output that cannot be written is an error at the end. */
export function openProcessIo(signal: AbortSignal): ProcessIo {
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
    drained: () => waitForDrain(stdout, [signal, unread.signal]),
    err(text) {
      try {
        stderr.write(text);
      } catch {
        // There is nowhere left to say it.
      }
    },
    live: isTerminal(stderr),
    color: isTerminal(stdout) && env.NO_COLOR === undefined && env.TERM !== "dumb",
    width: isTerminal(stdout) ? Math.min(stdout.columns || 80, 120) : 100,
    env,
    cwd: process.cwd(),
    interactive: isTerminal(stdin) && isTerminal(stderr),
    stdin: readUntilStopped(stdin, signal),
    signal,
    unread: unread.signal,
    exit: { code: 0 },
    grace: { ms: 5_000 },
    written: () => new Promise((done) => stdout.write("", () => setImmediate(() => done(failure)))),
  };
}

/** Throws when work should not go on: it was stopped, or all it makes is output that nobody reads. */
export function throwIfStopped(io: Io): void {
  if (io.signal.aborted) throw new ParleyError("interrupted", "interrupted");
  if (io.unread.aborted) throw new ParleyError("output_closed", "nobody reads the output any more: stopped");
}

function waitForDrain(stream: NodeJS.WriteStream, ends: AbortSignal[]): Promise<void> {
  if (!stream.writableNeedDrain || ends.some((end) => end.aborted)) return Promise.resolve();
  return new Promise((done) => {
    const end = (): void => {
      stream.off("drain", end);
      for (const one of ends) one.removeEventListener("abort", end);
      done();
    };
    stream.once("drain", end);
    for (const one of ends) one.addEventListener("abort", end);
  });
}

/** As `throwIfStopped`, once signals that came meanwhile have been heard: for between the steps of long work. */
export async function pauseBetweenSteps(io: Io): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  if (io.signal.aborted) throw new ParleyError("interrupted", "interrupted");
}

/** Reading that a signal ends, also while nothing comes. */
async function* readUntilStopped(source: NodeJS.ReadStream, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stop = (): void => void source.destroy(new ParleyError("interrupted", "interrupted while reading"));
  signal.addEventListener("abort", stop);
  try {
    yield* source as AsyncIterable<Uint8Array>;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Node leaves isTTY out where there is no terminal. */
function isTerminal(stream: { isTTY?: boolean }): boolean {
  return stream.isTTY ?? false;
}
