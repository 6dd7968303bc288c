import type { PromptLanguage } from "../../contract/prompt.ts";
import type { DebateResult } from "../../contract/result.ts";
import type { AnyPack } from "../../engine/pack.ts";

/** The language that a run's reports are in: the pack's for this decision, else English. */
export function findLanguage(pack: AnyPack, result: DebateResult | null): PromptLanguage {
  return result?.decision ? (pack.languageOf?.(result.decision) ?? "en") : "en";
}
