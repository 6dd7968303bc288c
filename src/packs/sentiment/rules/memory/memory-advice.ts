import type { Episode } from "../../schemas/memory.ts";
import type { Polarity } from "../../schemas/stage1.ts";
import type { AspectMatcher } from "../tuples/aspect-matcher.ts";

/** Tells whether memory that was shown to a speaker advises against a polarity for an aspect (gate step 9b, sentiment spec §6). */
export function createMemoryAdvice(injected: readonly Episode[], matcher: AspectMatcher) {
  return (aspect: string, polarity: Polarity): boolean => {
    const group = matcher.group(aspect) ?? "other";
    return injected.some(
      (episode) => episode.aspect_group === group && episode.advice !== null && episode.advice !== polarity,
    );
  };
}
