import { openProcessIo, type Surroundings } from "./io.ts";

/** The signals that stop the work, and the exit codes that shells know them by. */
export const exitCodeOfSignal = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type StopSignal = keyof typeof exitCodeOfSignal;

/** Signals nearer than this are one: a terminal's Ctrl-C reaches us directly and again through whoever started us. */
const sameMs = 150;

/** Runs the process's own command line: a signal stops it cleanly, a second one at once. */
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

/** Who stops the work does not wait for a reader that does not read. */
function waitBriefly(): Promise<null> {
  return new Promise((done) => void setTimeout(() => done(null), 300));
}

/** Listens for signals; tells which one came first, and can leave without waiting for anything. */
function listenForSignals(stop: AbortController, io: Surroundings): { stopped(): StopSignal | null; leave(): void } {
  let first: StopSignal | null = null;
  let firstMs = 0;
  const leave = (signal: StopSignal = first ?? "SIGINT"): never => {
    io.err(`${io.live ? showCursor : ""}parley: stopped. What was recorded is safe: parley runs, parley resume RUN\n`);
    process.exit(exitCodeOfSignal[signal]);
  };
  for (const signal of Object.keys(exitCodeOfSignal) as StopSignal[])
    process.on(signal, () => {
      if (first === null) {
        first = signal;
        firstMs = performance.now();
        stop.abort();
        // Work that has not stopped by then is left where it is; the store is safe at any moment.
        setTimeout(() => leave(signal), io.grace?.ms).unref();
      } else if (performance.now() - firstMs > sameMs) leave(signal);
    });
  return { stopped: () => first, leave: () => leave() };
}

const showCursor = "\u001B[?25h";
