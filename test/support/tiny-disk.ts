import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync, rmSync, statfsSync, writeSync, closeSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "./cli.ts";

/** A real file system of a few megabytes that only its own processes see, and that is gone with them. */
export type TinyDisk = {
  /** Its folder, as processes started `through` it see it. */
  folder: string;
  /** The same folder, as the test sees it. */
  outside: string;
  through: string[];
  /** Takes all room that is left, to the last byte. */
  fill(): void;
  /** Gives the room back. */
  free(): void;
  close(): void;
};

const isRoot = process.getuid?.() === 0;
const unshare = ["unshare", ...(isRoot ? [] : ["-U", "-r"]), "-m", "--propagation", "private"];

/** True where a process may mount a file system of its own: as root, or with user namespaces. */
export const canMount =
  process.platform === "linux" &&
  spawnSync(unshare[0] ?? "", [...unshare.slice(1), "sh", "-c", "mount -t tmpfs none /mnt"]).status === 0;

/** Mounts a disk of its own; `options` are mount options. */
export async function tinyDisk(options = "size=8m"): Promise<TinyDisk> {
  const folder = newFolder();
  const [command = "", ...args] = unshare;
  const script = `mount -t tmpfs -o ${options} none ${folder} && echo ready && exec sleep 600`;
  const holder: ChildProcess = spawn(command, [...args, "sh", "-c", script], { stdio: ["ignore", "pipe", "inherit"] });
  await once(holder.stdout as NonNullable<typeof holder.stdout>, "data");
  const outside = `/proc/${holder.pid}/root${folder}`;
  const ballast = join(outside, "ballast");
  return {
    folder,
    outside,
    through: [
      "nsenter",
      "-t",
      String(holder.pid),
      ...(isRoot ? [] : ["-U", "--preserve-credentials"]),
      "-m",
      `--wd=${folder}`,
    ],
    fill: () => fillUp(ballast, outside),
    free: () => rmSync(ballast, { force: true }),
    close: () => void holder.kill("SIGKILL"),
  };
}

function fillUp(file: string, folder: string): void {
  const handle = openSync(file, existsSync(file) ? "a" : "w");
  try {
    for (let left = 1; left > 0; ) {
      const { bavail, bsize } = statfsSync(folder);
      left = bavail * bsize;
      writeSync(handle, Buffer.alloc(Math.max(left, 4096), 1));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(handle);
  }
}

/** Starts a process whose files may not grow beyond a size: a disk that is full for it, without any privilege. */
export function fileLimit(kilobytes: number): string[] {
  return ["bash", "-c", `ulimit -f ${kilobytes}; exec "$@"`, "bash"];
}
