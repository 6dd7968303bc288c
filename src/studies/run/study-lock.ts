import { join } from "node:path";
import { takeFileLease } from "../../store/file-lease.ts";

/** Takes a study's folder for this process; the function returned gives it back. */
export function lockStudy(folder: string): () => void {
  return takeFileLease(join(folder, "study.lock"), {
    what: `the study in ${folder} is being run`,
    advice: "wait for it, or choose another --out",
  });
}
