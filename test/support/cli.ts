import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { main } from "../../src/cli/main.ts";

export type Ran = { code: number; out: string; err: string };
export type CliOptions = {
  cwd?: string;
  env?: Record<string, string>;
  stdin?: string;
  signal?: AbortSignal;
  interactive?: boolean;
};

const folders: string[] = [];
process.on("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder to work in; it is gone when the tests are done. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-test-"));
  folders.push(folder);
  return folder;
}

/** Runs the command line inside this process, with its output caught. */
export async function runCli(args: string[], options: CliOptions = {}): Promise<Ran> {
  const exit = { code: 0 };
  const caught = { out: "", err: "" };
  await main(args, {
    out: (text) => void (caught.out += text),
    err: (text) => void (caught.err += text),
    live: false,
    color: false,
    width: 100,
    env: options.env ?? {},
    cwd: options.cwd ?? newFolder(),
    interactive: options.interactive ?? false,
    stdin: (async function* () {
      yield Buffer.from(options.stdin ?? "");
    })(),
    signal: options.signal ?? new AbortController().signal,
    unread: new AbortController().signal,
    exit,
  });
  return { code: exit.code, ...caught };
}

const entry = resolve(import.meta.dirname, "../../src/cli/main.ts");

/** Starts the command line as a process of its own. */
export function spawnCli(args: string[], options: CliOptions = {}): { child: ChildProcess; ran: Promise<Ran> } {
  const env = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...options.env };
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", entry, ...args], {
    cwd: options.cwd ?? newFolder(),
    env,
  });
  const caught = { out: "", err: "" };
  child.stdout.on("data", (data: Buffer) => void (caught.out += data.toString()));
  child.stderr.on("data", (data: Buffer) => void (caught.err += data.toString()));
  if (options.stdin !== undefined) child.stdin.end(options.stdin);
  const ran = new Promise<Ran>((done, failed) => {
    child.once("error", failed);
    child.once("close", (code) => done({ code: code ?? -1, ...caught }));
  });
  return { child, ran };
}
