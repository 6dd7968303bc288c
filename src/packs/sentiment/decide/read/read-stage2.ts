import type { Stage2 } from "../../schemas/stage2.ts";
import {
  confidenceOf,
  isLoose,
  listAt,
  type Loose,
  spanOf,
  type Tally,
  textOf,
  valueAt,
  wordAt,
  wordOfKeys,
  wordsOf,
} from "./loose.ts";
import { readRisks } from "./read-validator.ts";
import { stagePart } from "./trace-stages.ts";

const refKeys = ["aspect_ref", "aspect_term", "term", "aspect"];
const actions: Record<string, string> = { remove: "drop", revise: "revise_span", flip: "flip_polarity" };

/**
 * Reads the recorded reviews; null when Stage 2 did not run. A review without a target is struck and counted; it is one
 * of the implicit aspect only where Stage 1 has that and other reviews do name their targets.
 */
export function readStage2(raw: unknown, text: string, hasImplicit: boolean, tally: Tally): Stage2 | null {
  const part = stagePart(raw, "stage2");
  if (part === null || part === undefined || (Array.isArray(part) && part.length === 0)) return null;
  const items = (keys: string[]) => (listAt(part, keys) ?? []).filter(isLoose);
  const reviews = items(["sentiment_review", "sentiment_reviews"]);
  const namesTargets = reviews.some((item) => wordOfKeys(item, refKeys) !== null);
  const targetOf = (item: Loose, keys: string[]): string[] => {
    const target = wordOfKeys(item, keys)?.trim() ?? "";
    if (target !== "" || (hasImplicit && namesTargets)) return [target];
    tally.add("review_without_target");
    return [];
  };
  return {
    aspect_review: items(["aspect_review", "aspect_reviews"]).flatMap((item) =>
      targetOf(item, ["term", "aspect_term", "aspect_ref", "aspect"]).map((term) => ({
        term,
        action: actionOf(item, "keep", "maintain"),
        revised_span: spanOf(text, item.revised_span),
        reason: textOf(item.reason),
        provenance: wordAt(item.provenance),
      })),
    ),
    sentiment_review: reviews.flatMap((item) =>
      targetOf(item, refKeys).map((aspect_ref) => ({
        aspect_ref,
        action: actionOf(item, "maintain", "keep"),
        revised_polarity: wordAt(item.revised_polarity ?? item.polarity),
        reason: textOf(item.reason),
        provenance: wordAt(item.provenance),
      })),
    ),
    validator: readFinalValidation(part, text, tally),
  };
}

function actionOf(item: Loose, nothing: string, alias: string): string {
  const word = (wordAt(item.action) ?? nothing).trim().toLowerCase();
  return word === alias ? nothing : (actions[word] ?? word);
}

function readFinalValidation(part: unknown, text: string, tally: Tally): Stage2["validator"] {
  const validation = valueAt(part, ["final_validation"]);
  const risks = valueAt(part, ["structural_risks"]);
  if (!isLoose(validation) && risks === undefined) return null;
  const from: Loose = isLoose(validation) ? validation : {};
  return {
    final_validation: {
      resolved_risks: wordsOf(from.resolved_risks),
      remaining_risks: wordsOf(from.remaining_risks),
      final_consistency_score: confidenceOf(from.final_consistency_score, 0),
    },
    structural_risks: readRisks(part, text, tally),
  };
}
