import { isRecord } from "../../../text/is-record.ts";
import type { Stage2 } from "../schemas/stage2.ts";
import {
  readConfidence,
  findList,
  readSpan,
  type Tally,
  readText,
  findValue,
  readWord,
  findWord,
  readWords,
} from "./loose.ts";
import { readRisks } from "./read-validator.ts";
import { cutStage } from "./trace-stages.ts";

const refKeys = ["aspect_ref", "aspect_term", "term", "aspect"];
const actions: Record<string, string> = { remove: "drop", revise: "revise_span", flip: "flip_polarity" };

/**
 * Reads the recorded reviews; null when Stage 2 did not run. A review without a target is struck and counted; it is one
 * of the implicit aspect only where Stage 1 has that and other reviews do name their targets.
 */
export function readStage2(raw: unknown, text: string, hasImplicit: boolean, tally: Tally): Stage2 | null {
  const part = cutStage(raw, "stage2");
  if (part === null || part === undefined || (Array.isArray(part) && part.length === 0)) return null;
  const items = (keys: string[]) => (findList(part, keys) ?? []).filter(isRecord);
  const reviews = items(["sentiment_review", "sentiment_reviews"]);
  const namesTargets = reviews.some((item) => findWord(item, refKeys) !== null);
  const targetOf = (item: Record<string, unknown>, keys: string[]): string[] => {
    const target = findWord(item, keys)?.trim() ?? "";
    if (target !== "" || (hasImplicit && namesTargets)) return [target];
    tally.add("review_without_target");
    return [];
  };
  return {
    aspect_review: items(["aspect_review", "aspect_reviews"]).flatMap((item) =>
      targetOf(item, ["term", "aspect_term", "aspect_ref", "aspect"]).map((term) => ({
        term,
        action: readAction(item, "keep", "maintain"),
        revised_span: readSpan(text, item.revised_span),
        reason: readText(item.reason),
        provenance: readWord(item.provenance),
      })),
    ),
    sentiment_review: reviews.flatMap((item) =>
      targetOf(item, refKeys).map((aspect_ref) => ({
        aspect_ref,
        action: readAction(item, "maintain", "keep"),
        revised_polarity: readWord(item.revised_polarity ?? item.polarity),
        reason: readText(item.reason),
        provenance: readWord(item.provenance),
      })),
    ),
    validator: readFinalValidation(part, text, tally),
  };
}

function readAction(item: Record<string, unknown>, nothing: string, alias: string): string {
  const word = (readWord(item.action) ?? nothing).trim().toLowerCase();
  return word === alias ? nothing : (actions[word] ?? word);
}

function readFinalValidation(part: unknown, text: string, tally: Tally): Stage2["validator"] {
  const validation = findValue(part, ["final_validation"]);
  const risks = findValue(part, ["structural_risks"]);
  if (!isRecord(validation) && risks === undefined) return null;
  const from: Record<string, unknown> = isRecord(validation) ? validation : {};
  return {
    final_validation: {
      resolved_risks: readWords(from.resolved_risks),
      remaining_risks: readWords(from.remaining_risks),
      final_consistency_score: readConfidence(from.final_consistency_score, 0),
    },
    structural_risks: readRisks(part, text, tally),
  };
}
