import { readFileSync } from "node:fs";
import * as z from "zod";
import { detectLanguage } from "../mentions/language.ts";
import { findMentions } from "../mentions/mentions.ts";
import { extractTerms } from "../mentions/terms.ts";

/**
 * How national and adat norms on one issue relate (law spec §2.7). `conflict`: they answer it differently; `agreement`: alike;
 * `reference`: national law leaves it to adat or recognises it; `overriding`: national law decides it whatever adat says.
 * An empty `adat` means any norm.
 */
export const NormRelationSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(["conflict", "agreement", "reference", "overriding"]),
  national: z.array(z.string()).min(1),
  adat: z.array(z.string()),
  issue: z.string().min(1),
  issue_en: z.string().min(1),
});
export type NormRelation = z.infer<typeof NormRelationSchema>;

const file = new URL("../../../../data/law/norm-relations.json", import.meta.url);

/** The relations between norms that ship with the product. */
export const normRelations: NormRelation[] = z.array(NormRelationSchema).parse(JSON.parse(readFileSync(file, "utf8")));

/** The relations of these kinds that hold between what one side cites and what the other cites. */
export function findRelations(kinds: NormRelation["kind"][], national: string[], adat: string[]): NormRelation[] {
  return normRelations.filter(
    (relation) =>
      kinds.includes(relation.kind) &&
      relation.national.some((id) => national.includes(id)) &&
      (relation.adat.length === 0 ? adat.length > 0 : relation.adat.some((id) => adat.includes(id))),
  );
}

const sharedWord = 0.25;
const nearlyAsMuch = 0.9;
/** Below this a relation only happens to share a source with the question. */
const leastOverlap = 0.75;

/** How much of a relation's subject the question names: persons, property, acts, norms, and words. */
export function measureOverlap(query: string, relation: NormRelation): number {
  const asked = new Set(findMentions(query).flatMap(({ concept }) => [concept.id, ...concept.broader]));
  const about = findMentions(relation.issue).map(({ concept }) => concept);
  const named = about.filter(({ id, type }) => type !== "community" && type !== "law" && asked.has(id));
  const language = detectLanguage(query);
  const words = new Set(extractTerms(language === "en" ? relation.issue_en : relation.issue, language));
  const shared = words.intersection(new Set(extractTerms(query, language)));
  return new Set(named.map(({ id }) => id)).size + sharedWord * shared.size;
}

/** The relations that are closest to what the question asks. */
export function selectOnIssue(query: string, relations: NormRelation[]): NormRelation[] {
  const overlaps = relations.map((relation) => measureOverlap(query, relation));
  const needed = Math.max(leastOverlap, nearlyAsMuch * Math.max(0, ...overlaps));
  return relations.filter((_, index) => (overlaps[index] ?? 0) >= needed);
}
