import type { Mention } from "./concept.ts";

/** What a question says about whose law it asks for. */
export type Frame = { communities: string[]; concepts: Set<string> };

/** The communities that a question names, or whose own words it uses, and its concepts. */
export function readFrame(mentions: Mention[]): Frame {
  const communities = mentions.flatMap(({ concept }) => (concept.community ? [concept.community] : []));
  return { communities: [...new Set(communities)], concepts: new Set(mentions.map(({ concept }) => concept.id)) };
}
