import { canonicalisePolarity } from "../tuples/canonical-polarity.ts";
import { checkEvidence } from "../gate/gate-evidence.ts";
import type { Hint, ReviewContext } from "../../schemas/stage2.ts";
import { pickOwn } from "../tuples/pick-own.ts";
import type { TupleChange } from "./tuple-changes.ts";

/** The weight against a change of a Stage 2 review that changed the aspect in another way. */
const reviewWeight = 0.5;

/** The weight of the judge's tuple where Stage 1 found nothing, as that of a vote in its patch. */
const judgeWeight = 0.8;

/** How far the debate carries the changes (sentiment spec §7): the mean, over changed aspects, of votes for minus against. */
export function measureDebateSupport(
  text: string,
  changes: readonly TupleChange[],
  context: ReviewContext,
  about: Record<"reviewDiffers" | "judgeAsks" | "textBears", (change: TupleChange) => boolean>,
): number | null {
  if (changes.length === 0) return null;
  const shares = changes.map((change) => {
    if (about.textBears(change)) return 1;
    const opposed = about.reviewDiffers(change) ? reviewWeight : 0;
    return measureSupport(text, change, context, { opposed, backed: about.judgeAsks(change) ? judgeWeight : 0 });
  });
  return shares.reduce((a, b) => a + b, 0) / shares.length;
}

function measureSupport(
  text: string,
  change: TupleChange,
  context: ReviewContext,
  { opposed, backed }: { opposed: number; backed: number },
): number {
  if (!change.names.some((name) => isInText(text, checkEvidence(text, name, context).span))) return 0;
  const hints = change.names.flatMap((name) => pickOwn(context.aspect_hints, name) ?? []);
  /** The judge's tuple is its word where its patch casts no vote. */
  const voted = hints.some((hint) => hint.speaker === "judge");
  let [inFavour, against] = [voted ? 0 : backed, opposed];
  for (const hint of hints) {
    if (!speaksOf(change, hint)) continue;
    if (supports(change, hint)) inFavour += hint.weight;
    else against += hint.weight;
  }
  const total = inFavour + against;
  return total === 0 ? 0 : Math.min(1, Math.max(0, (inFavour - against) / total));
}

/** A span of the text, however short: that it holds more than one letter is asked of overrides alone. */
function isInText(text: string, span: string | null): boolean {
  return span !== null && text.includes(span);
}

/** A vote without a polarity speaks of nothing; a removal that names a polarity spares a new tuple of another. */
function speaksOf({ after }: TupleChange, { removal, removes, polarity_hint }: Hint): boolean {
  if (!removal) return canonicalisePolarity(polarity_hint) !== null;
  const polarity = canonicalisePolarity(removes);
  return polarity === null || after.length === 0 || after.includes(polarity);
}

/** A vote for the new tuple, or for removal where the tuple goes. */
function supports({ after }: TupleChange, { removal, polarity_hint }: Hint): boolean {
  if (after.length === 0) return removal;
  const polarity = canonicalisePolarity(polarity_hint);
  return polarity !== null && after.includes(polarity);
}
