import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/** Who holds a lock: the time it started tells a process from a later one with the same number. */
export type Holder = { pid: number; started: string; host: string };

/** This process. */
export function describeThisProcess(): Holder {
  return { pid: process.pid, started: readStartTime(process.pid), host: hostname() };
}

/** True when the holder's process still runs; one on another machine is taken to be alive. */
export function isAlive(holder: Holder): boolean {
  if (holder.host !== hostname()) return true;
  if (holder.pid < 1 || holder.pid > 2 ** 31) return false;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const started = readStartTime(holder.pid);
  return started === "" || holder.started === "" || started === holder.started;
}

/** The start time of a process as the kernel counts it; empty where there is no /proc. */
function readStartTime(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}
