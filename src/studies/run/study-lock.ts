import { join } from "node:path";
import { takeFileLease } from "../../store/file-lease.ts";
import { writeError } from "../../store/write-error.ts";

/** Takes a study's folder for this process; the function returned gives it back. */
export function lockStudy(folder: string): () => void {
  const file = join(folder, "study.lock");
  const what = `the study in ${folder} is being run`;
  try {
    return takeFileLease(file, { what, advice: "wait for it, or choose another --out" });
  } catch (error) {
    throw writeError(file, error, "nothing was begun");
  }
}
