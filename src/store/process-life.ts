import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * Who holds a lock. The time it started tells a process from a later one with the same number; `place` tells in which
 * running system, and which space of process numbers, that number means anything.
 */
export type Holder = { pid: number; started: string; host: string; place: string };

let self: Holder | null = null;

/** This process. */
export function describeThisProcess(): Holder {
  self ??= { pid: process.pid, started: readStartTime(process.pid), host: hostname(), place: describePlace() };
  return self;
}

/** Whether the holder's process runs, as far as that can be told from where `self` runs. */
export function lookForProcess(holder: Holder, self: Holder = describeThisProcess()): "alive" | "gone" | "unknown" {
  if (holder.host !== self.host || holder.place !== self.place) return "unknown";
  if (holder.pid < 1 || holder.pid > 2 ** 31) return "gone";
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return "gone";
  }
  const started = readStartTime(holder.pid);
  const isAnother = started !== "" && holder.started !== "" && started !== holder.started;
  return isAnother ? "gone" : "alive";
}

/** The boot of the kernel and the space of process numbers; empty where there is no /proc. */
function describePlace(): string {
  return [
    tryRead(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    tryRead(() => readlinkSync("/proc/self/ns/pid")),
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** The start time of a process as the kernel counts it; empty where there is no /proc. */
function readStartTime(pid: number): string {
  return tryRead(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  });
}

function tryRead(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
