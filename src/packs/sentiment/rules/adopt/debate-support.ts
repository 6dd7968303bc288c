import { canonicalisePolarity } from "../tuples/canonical-polarity.ts";
import { checkEvidence } from "../gate/gate-evidence.ts";
import type { Polarity } from "../../schemas/stage1.ts";
import type { ReviewContext } from "../../schemas/stage2.ts";
import { pickOwn } from "../tuples/pick-own.ts";
import type { TupleChange } from "./tuple-changes.ts";

/** The weight against a change of a Stage 2 review that changed the aspect in another way. */
const reviewWeight = 0.5;

/** How far the debate carries the changes (sentiment spec §7): the mean, over changed aspects, of votes for minus against. */
export function measureDebateSupport(
  text: string,
  changes: readonly TupleChange[],
  context: ReviewContext,
  reviewDiffers: (change: TupleChange) => boolean,
): number | null {
  if (changes.length === 0) return null;
  const shares = changes.map((change) => measureSupport(text, change, context, reviewDiffers(change)));
  return shares.reduce((a, b) => a + b, 0) / shares.length;
}

function measureSupport(text: string, change: TupleChange, context: ReviewContext, opposed: boolean): number {
  if (!change.names.some((name) => checkEvidence(text, name, context).ok)) return 0;
  const hints = change.names.flatMap((name) => pickOwn(context.aspect_hints, name) ?? []);
  let [inFavour, against] = [0, opposed ? reviewWeight : 0];
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
