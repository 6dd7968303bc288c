import type { Run } from "../contract/run.ts";
import type { AnyPack } from "../engine/pack.ts";

/** What a run was about, on one line: in the pack's words, else the case's id. */
export function subjectOf(pack: AnyPack, run: Run): string {
  const text = pack.subject?.(run.manifest.input) ?? run.caseId ?? "";
  return text.replaceAll(/\s+/g, " ").trim();
}
