import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, statfsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/**
 * Everything that the tests, and the processes they start, put into the temp folder goes into one, which is gone
 * afterwards. It also holds what Node compiled, so that only the first process of many compiles Parley.
 */
export default function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(findRoom(), "parley-tests-"));
  const compiled = join(folder, "compiled");
  mkdirSync(compiled);
  for (const shared of [folder, compiled]) chmodSync(shared, 0o1777);
  Object.assign(process.env, { TMPDIR: folder, NODE_COMPILE_CACHE: compiled });
  return () => remove(folder);
}

const memory = "/dev/shm";
const roomyBytes = 4 * 2 ** 30;

/** In memory where there is plenty: what a disk promises is tested by breaking it, not by waiting for one. */
function findRoom(): string {
  if (process.env.TMPDIR !== undefined || !existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  // Some tests start what they compiled.
  const mayStart = !/ \/dev\/shm \S+ \S*\bnoexec\b/.test(readFileSync("/proc/self/mounts", "utf8"));
  return mayStart && bavail * bsize > roomyBytes ? memory : tmpdir();
}

/** Workers that are just ending still close their stores, and so change what is being removed. */
async function remove(folder: string): Promise<void> {
  for (let tries = 0; tries < 50 && existsSync(folder); tries += 1) {
    await rm(folder, { recursive: true, force: true }).catch(() => pause(100));
  }
}
