import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { ParleyError } from "../contract/error.ts";
import { describeThisProcess, type Holder, leaseMs, lookForProcess, renewMs } from "./lease.ts";
import { makeFolder } from "./make-folder.ts";

/** What is being done to what, for messages, and what somebody can do who finds it taken. */
export type Held = { what: string; advice: string };

/**
 * Takes something for this process by a file that says so; the function returned gives it back. The file's time is renewed
 * while the process lives: one that is gone, or that has given no sign of life for a while, has lost it.
 */
export function takeFileLease(file: string, { what, advice }: Held): () => void {
  const own = JSON.stringify({ ...describeThisProcess(), lease: randomUUID() });
  makeFolder(dirname(file));
  if (!tryTake(file, own)) {
    const found = readText(file);
    const holder = readHolder(found);
    if (holder && isHeld(file, holder))
      throw new ParleyError("run_locked", `${what} by process ${holder.pid} on ${holder.host}; ${advice}`);
    if (!replaceStale(file, found, own))
      throw new ParleyError("run_locked", `${what} by another process, since just now; ${advice}`);
  }
  const timer = setInterval(() => renew(file, own), renewMs).unref();
  return () => {
    clearInterval(timer);
    if (readText(file) === own) rmSync(file, { force: true });
  };
}

function isHeld(file: string, holder: Holder): boolean {
  const life = lookForProcess(holder);
  if (life !== "unknown") return life === "alive";
  const renewedMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Math.abs(Date.now() - renewedMs) < leaseMs;
}

/** A file that is no longer ours, or cannot be touched, is left as it is. */
function renew(file: string, own: string): void {
  try {
    if (readText(file) === own) utimesSync(file, new Date(), new Date());
  } catch {
    // The next renewal makes it good; without any, the lease runs out.
  }
}

/**
 * Puts a new lease in the place of one that is over, while holding a second file that only one process can make. Whoever
 * comes later finds that the lease is no longer the one they judged. The lease's own file is there all the time.
 */
function replaceStale(file: string, found: string | null, own: string): boolean {
  const turn = `${file}.turn`;
  const turnAgeMs = Date.now() - (statSync(turn, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (Math.abs(turnAgeMs) > leaseMs) rmSync(turn, { force: true });
  if (!tryTake(turn, own)) return false;
  try {
    if (found === null) return tryTake(file, own);
    if (readText(file) !== found) return false;
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, own);
    renameSync(draft, file);
    return true;
  } finally {
    rmSync(turn, { force: true });
  }
}

function tryTake(file: string, own: string): boolean {
  try {
    writeFileSync(file, own, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    rmSync(file, { force: true });
    throw error;
  }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

function readHolder(text: string | null): Holder | null {
  try {
    return JSON.parse(text ?? "") as Holder;
  } catch {
    return null;
  }
}
