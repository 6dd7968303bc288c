import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { main } from "../../src/cli/main.ts";

export type Ran = { code: number; out: string; err: string };
export type CliOptions = {
  /** A command that the process is started through, e.g. one that lowers a limit. */
  through?: string[];
  /** Options of node itself. */
  node?: string[];
  /** Starts from the sources although there is a build, for hooks that look for a source file. */
  fromSources?: boolean;
  cwd?: string;
  env?: Record<string, string>;
  stdin?: string;
  signal?: AbortSignal;
  interactive?: boolean;
  color?: boolean;
};

/** An empty folder to work in; it is gone when the tests are done (own-temp-folder.ts). */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "parley-test-"));
}

/** Runs the command line inside this process, with its output caught. */
export async function runCli(args: string[], options: CliOptions = {}): Promise<Ran> {
  const caught = { out: "", err: "" };
  const code = await runMain(args, options, (stream, text) => void (caught[stream] += text));
  return { code, ...caught };
}

/** As `runCli`; what a terminal would show, both outputs in the order in which they were written. */
export async function runCliTogether(args: string[], options: CliOptions = {}): Promise<string> {
  let shown = "";
  await runMain(args, options, (_, text) => void (shown += text));
  return shown;
}

async function runMain(
  args: string[],
  options: CliOptions,
  write: (stream: "out" | "err", text: string) => void,
): Promise<number> {
  const exit = { code: 0 };
  await main(args, {
    out: (text) => write("out", text),
    drained: async () => undefined,
    err: (text) => write("err", text),
    live: false,
    color: options.color ?? false,
    width: 100,
    env: { ...ownHome(), ...options.env },
    cwd: options.cwd ?? newFolder(),
    interactive: options.interactive ?? false,
    stdin: (async function* () {
      yield Buffer.from(options.stdin ?? "");
    })(),
    signal: options.signal ?? new AbortController().signal,
    unread: new AbortController().signal,
    exit,
  });
  return exit.code;
}

/** What belongs to the user lies in a folder of the tests, not in that of whoever runs them. */
function ownHome(): Record<string, string> {
  return { PARLEY_HOME: join(tmpdir(), "parley-home") };
}

/** Where the command line begins: as it is shipped when `npm test` has just built it, which starts in half the time. */
const source = resolve(import.meta.dirname, "../../src/cli/main.ts");
const entry = process.env.PARLEY_BUILT === "yes" ? resolve(import.meta.dirname, "../../dist/cli.js") : source;

/** How a process starts the command line: Node, its options, and the entry. */
export const cliCommand = [process.execPath, "--disable-warning=ExperimentalWarning", entry];

/** The environment of a process that knows nothing of the one that runs the tests, but shares what Node compiled. */
export function cleanEnv(): Record<string, string> {
  const { PATH = "", HOME = "", TMPDIR = tmpdir(), NODE_COMPILE_CACHE = "" } = process.env;
  return { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, ...ownHome() };
}

/** Starts the command line as a process of its own; a signal that ended it is told by its exit code, as shells do. */
export function spawnCli(args: string[], options: CliOptions = {}): { child: ChildProcess; ran: Promise<Ran> } {
  const [node = "", quiet = "", shipped = ""] = cliCommand;
  const started = [quiet, options.fromSources ? source : shipped];
  const [command = "", ...rest] = [...(options.through ?? []), node, ...(options.node ?? []), ...started, ...args];
  const child = spawn(command, rest, {
    cwd: options.cwd ?? newFolder(),
    env: { ...cleanEnv(), ...options.env },
  });
  const caught = { out: "", err: "" };
  child.stdout.on("data", (data: Buffer) => void (caught.out += data.toString()));
  child.stderr.on("data", (data: Buffer) => void (caught.err += data.toString()));
  if (options.stdin !== undefined) child.stdin.end(options.stdin);
  const ran = new Promise<Ran>((done, failed) => {
    child.once("error", failed);
    child.once("close", (code, signal) =>
      done({ code: code ?? 128 + constants.signals[signal ?? "SIGKILL"], ...caught }),
    );
  });
  return { child, ran };
}
