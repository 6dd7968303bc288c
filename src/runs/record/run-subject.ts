import type { Run } from "../../contract/run.ts";
import type { AnyPack } from "../../engine/pack.ts";

/** What a run was about, on one line: in the pack's words, else the case's id. A list also shows runs that nobody verified. */
export function subjectOf(pack: AnyPack, run: Run): string {
  if (run.manifest.input === null) return "(erased)";
  let text: string;
  try {
    text = pack.subject?.(run.manifest.input) ?? run.caseId ?? "";
  } catch {
    text = "(its input cannot be read)";
  }
  return text.replaceAll(/\s+/g, " ").trim();
}
