/** What a command touches of its surroundings: results go to `out`, everything else to `err`. */
export type Io = {
  out(text: string): void;
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
  /** The exit code so far; a command raises it. */
  exit: { code: number };
};

/** The Io of this process. Output that nobody reads any more (`| head`) is dropped, and the work goes on. */
export function processIo(signal: AbortSignal): Io {
  const { stdout, stderr, stdin, env } = process;
  for (const stream of [stdout, stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    live: isTerminal(stderr),
    color: isTerminal(stdout) && env.NO_COLOR === undefined && env.TERM !== "dumb",
    width: isTerminal(stdout) ? Math.min(stdout.columns || 80, 120) : 100,
    env,
    cwd: process.cwd(),
    interactive: isTerminal(stdin) && isTerminal(stderr),
    stdin,
    signal,
    exit: { code: 0 },
  };
}

/** Node leaves isTTY out where there is no terminal. */
function isTerminal(stream: { isTTY?: boolean }): boolean {
  return stream.isTTY ?? false;
}
