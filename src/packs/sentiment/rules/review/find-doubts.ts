import { languageOf, readerOf } from "../../../../knowledge/opinions/index.ts";
import type { CaseTurns } from "../../schemas/case-turns.ts";
import { isBelow } from "../tuples/is-below.ts";
import { isEvaluative } from "../tuples/neutral-policy.ts";
import { keepStated, type Stated } from "../tuples/stated.ts";

/** Why a text is worth a debate. */
export type Doubt =
  | "nothing_found"
  | "risk_open"
  | "correction_proposed"
  | "two_polarities"
  | "unsure"
  | "readings_disagree";

/** The doubts that Stage 1 leaves (sentiment spec §3): about its own list, and against an offline reading of the text. */
export function findDoubts(
  { text, language_code, stage1 }: Pick<CaseTurns, "text" | "language_code" | "stage1">,
  sureFrom: number,
): Doubt[] {
  const stated = keepStated(stage1.aspect_sentiments);
  const language = languageOf(language_code);
  const polarities = new Map(stated.map((one) => [one.aspect_ref, one.polarity]));
  const holds: Record<Doubt, boolean> = {
    nothing_found: !stated.some((one) => isEvaluative(text, one, language)),
    risk_open: (stage1.validator?.structural_risks.length ?? 0) > 0,
    correction_proposed: (stage1.validator?.correction_proposals.length ?? 0) > 0,
    two_polarities: stated.some((one) => polarities.get(one.aspect_ref) !== one.polarity),
    unsure: stated.some((one) => isBelow(one.confidence, sureFrom)),
    readings_disagree: stated.some((one) => isReadOtherwise({ text, language_code, stage1 }, one)),
  };
  return (Object.keys(holds) as Doubt[]).filter((doubt) => holds[doubt]);
}

/** True when the structure of the text, read offline, ties the opposite opinion to the aspect. */
function isReadOtherwise(
  { text, language_code, stage1 }: Pick<CaseTurns, "text" | "language_code" | "stage1">,
  { aspect_ref, polarity }: Stated,
): boolean {
  const spans = stage1.aspects.map(({ span }) => span);
  const own = stage1.aspects.flatMap(({ term }, index) => (term === aspect_ref ? [index] : []));
  const readings = readerOf(language_code).scoped(text, spans);
  const opposite = polarity === "positive" ? "negative" : "positive";
  return polarity !== "neutral" && own.some((index) => readings[index]?.polarity === opposite);
}
