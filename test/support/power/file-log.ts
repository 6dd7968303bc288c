import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../cli.ts";

/** Something that a process did to a file below the watched folder. */
export type FileEvent =
  | { kind: "write"; inode: number; at: number; bytes: Buffer }
  | { kind: "cut"; inode: number; length: number }
  | { kind: "sync"; inode: number }
  | { kind: "create" | "makeFolder"; inode: number; path: string }
  | { kind: "move"; from: string; to: string }
  | { kind: "remove"; path: string };

/** Watches what processes do to the files of a folder. */
export type FileLog = {
  folder: string;
  /** What a process has to be started with. */
  env: Record<string, string>;
  /** How far the log has come: a moment that `until` understands. */
  now(): number;
  /** What happened until a moment, or until now. */
  until(moment?: number): FileEvent[];
};

/** Why files cannot be watched here; null when they can. */
export const whyUnwatched: string | null = findObstacle();

function findObstacle(): string | null {
  if (process.platform !== "linux") return "files can be watched on Linux only";
  return spawnSync("gcc", ["--version"]).status === 0 ? null : "there is no gcc to compile test/support/power with";
}

let library: string | null = null;

/** Compiles what is preloaded, once a process. */
function compileLibrary(): string {
  const source = join(import.meta.dirname, "file-log.c");
  const made = join(newFolder(), "file-log.so");
  const { status, stderr } = spawnSync("gcc", ["-O1", "-shared", "-fPIC", "-o", made, source, "-ldl", "-lpthread"], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`file-log.c does not compile\n${stderr}`);
  return made;
}

/** Watches a folder of its own, or the given one. */
export function watchFiles(given = newFolder()): FileLog {
  library ??= compileLibrary();
  const folder = realpathSync(given);
  const log = join(newFolder(), "log");
  const now = (): number => (existsSync(log) ? statSync(log).size : 0);
  return {
    folder,
    env: { LD_PRELOAD: library, FILE_LOG: log, FILE_LOG_ROOT: folder },
    now,
    until: (moment = now()) => (moment === 0 ? [] : readEvents(readFileSync(log).subarray(0, moment))),
  };
}

const headLength = 1 + 8 + 8 + 4 + 4;

function readEvents(log: Buffer): FileEvent[] {
  const events: FileEvent[] = [];
  for (let at = 0; at + headLength <= log.length; ) {
    const inode = Number(log.readBigUInt64LE(at + 1));
    const number = Number(log.readBigUInt64LE(at + 9));
    const first = log.readUInt32LE(at + 17);
    const second = log.readUInt32LE(at + 21);
    const from = at + headLength;
    const bytes = log.subarray(from, from + first);
    const other = log.subarray(from + first, from + first + second).toString();
    if (from + first + second > log.length) break;
    events.push(eventOf(String.fromCharCode(log[at] ?? 0), { inode, number, bytes, other }));
    at = from + first + second;
  }
  return events;
}

type Fields = { inode: number; number: number; bytes: Buffer; other: string };

function eventOf(letter: string, { inode, number, bytes, other }: Fields): FileEvent {
  const path = (): string => bytes.toString();
  switch (letter) {
    case "W":
      return { kind: "write", inode, at: number, bytes };
    case "T":
      return { kind: "cut", inode, length: number };
    case "S":
      return { kind: "sync", inode };
    case "C":
      return { kind: "create", inode, path: path() };
    case "M":
      return { kind: "makeFolder", inode, path: path() };
    case "R":
      return { kind: "move", from: path(), to: other };
    case "U":
      return { kind: "remove", path: path() };
    default:
      throw new Error(`the log of files has a record "${letter}"`);
  }
}
