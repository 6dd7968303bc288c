import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ParleyError } from "../../contract/error.ts";
import { writeError } from "../../store/replace-file.ts";
import { type Holder, lookForProcess, describeThisProcess } from "../../store/process-life.ts";

/** Takes a study's folder for this process; the function returned gives it back. A dead process's lock is taken over. */
export function lockStudy(folder: string): () => void {
  const file = join(folder, "study.lock");
  const own = JSON.stringify(describeThisProcess());
  if (!tryTake(file, own)) {
    const holder = readHolder(file);
    if (holder && lookForProcess(holder) !== "gone")
      throw new ParleyError(
        "run_locked",
        `the study in ${folder} is being run by process ${holder.pid} on ${holder.host}; wait for it, or choose another --out`,
      );
    rmSync(file, { force: true });
    if (!tryTake(file, own))
      throw new ParleyError("run_locked", `another process has just taken the study in ${folder}`);
  }
  return () => rmSync(file, { force: true });
}

function tryTake(file: string, own: string): boolean {
  try {
    writeFileSync(file, own, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw writeError(file, error, "nothing was begun");
  }
}

function readHolder(file: string): Holder | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Holder;
  } catch {
    return null;
  }
}
