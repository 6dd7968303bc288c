import type { Correction } from "../../schemas/outcome.ts";
import { identify } from "../tuples/shown-names.ts";
import type { RuleResults } from "./rule-results.ts";
import { listPolarities } from "./tuple-changes.ts";

/** True when the settled tuples do not keep what a correction did; without a patch debate nothing is reverted. */
export function isReverted(correction: Correction, { patch, reviewed }: RuleResults): boolean {
  if (patch === null) return false;
  const aspect = identify(reviewed.names, correction.target_aspect);
  if (correction.resulting_term !== null)
    return patch.dropped.includes(aspect) || patch.moves.some((move) => move.from === aspect);
  const settled = listPolarities(patch.settled, [aspect]);
  if (correction.resulting_polarity !== null) return !settled.includes(correction.resulting_polarity);
  return correction.proposal_type.startsWith("DROP") && settled.length > 0;
}

/** All changes; in an adopted result, those that the settled tuples did not keep are named once more as reverted. */
export function logCorrections(rules: RuleResults, adopted: boolean): Correction[] {
  const log = [...rules.reviewed.corrections, ...(rules.gate?.corrections ?? [])];
  if (!adopted) return log;
  const reverted = log
    .filter((one) => one.applied && isReverted(one, rules))
    .map((one) => ({ ...one, applied: false, reason: "reverted_unsupported" }));
  return [...log, ...reverted];
}
