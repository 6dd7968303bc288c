import { canonicalisePolarity } from "../../rules/tuples/canonical-polarity.ts";
import type { Reviewed } from "../../schemas/role-inputs.ts";
import type { Polarity } from "../../schemas/stage1.ts";
import { pickOwn } from "../../rules/tuples/pick-own.ts";

/** True when the votes of the debate on an aspect weigh against this polarity; without a debate nothing does. */
export function isOpposedByDebate({ review_context }: Reviewed, aspect: string, polarity: Polarity): boolean {
  const hints = pickOwn(review_context?.aspect_hints ?? {}, aspect) ?? [];
  const votes = hints.filter((hint) => hint.removal || hint.polarity_hint !== null);
  const sum = (list: typeof votes) => list.reduce((total, hint) => total + hint.weight, 0);
  const inFavour = votes.filter((hint) => !hint.removal && canonicalisePolarity(hint.polarity_hint) === polarity);
  return votes.length > 0 && sum(inFavour) * 2 < sum(votes);
}

/** True when the debate votes to remove an aspect. */
export function isRemovedByDebate({ review_context }: Reviewed, aspect: string): boolean {
  const hints = pickOwn(review_context?.aspect_hints ?? {}, aspect) ?? [];
  const removal = hints.filter((hint) => hint.removal).reduce((total, hint) => total + hint.weight, 0);
  return removal > 0 && removal * 2 >= hints.reduce((total, hint) => total + hint.weight, 0);
}
