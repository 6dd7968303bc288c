import { canonicalisePolarity } from "../tuples/canonical-polarity.ts";
import { checkEvidence } from "../gate/gate-evidence.ts";
import type { Polarity } from "../../schemas/stage1.ts";
import type { ReviewContext } from "../../schemas/stage2.ts";
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
  about: { reviewDiffers(change: TupleChange): boolean; judgeAsks(change: TupleChange): boolean },
): number | null {
  if (changes.length === 0) return null;
  const shares = changes.map((change) =>
    measureSupport(text, change, context, {
      opposed: about.reviewDiffers(change) ? reviewWeight : 0,
      backed: about.judgeAsks(change) ? judgeWeight : 0,
    }),
  );
  return shares.reduce((a, b) => a + b, 0) / shares.length;
}

function measureSupport(
  text: string,
  change: TupleChange,
  context: ReviewContext,
  { opposed, backed }: { opposed: number; backed: number },
): number {
  if (!change.names.some((name) => checkEvidence(text, name, context).ok)) return 0;
  const hints = change.names.flatMap((name) => pickOwn(context.aspect_hints, name) ?? []);
  /** The judge's tuple is its word where its patch casts no vote. */
  const voted = hints.some((hint) => hint.speaker === "judge");
  let [inFavour, against] = [voted ? 0 : backed, opposed];
  for (const hint of hints) {
    const polarity = canonicalisePolarity(hint.polarity_hint);
    if (polarity === null && !hint.removal) continue;
    if (supports(change, polarity, hint.removal)) inFavour += hint.weight;
    else against += hint.weight;
  }
  const total = inFavour + against;
  return total === 0 ? 0 : Math.min(1, Math.max(0, (inFavour - against) / total));
}

/** A vote for the new tuple, or for removal where the tuple goes. */
function supports(change: TupleChange, polarity: Polarity | null, removal: boolean): boolean {
  if (change.after.length === 0) return removal;
  return polarity !== null && change.after.includes(polarity);
}
