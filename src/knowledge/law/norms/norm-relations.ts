import { readFileSync } from "node:fs";
import * as z from "zod";
import { languageOf } from "../mentions/language.ts";
import { mentionsIn } from "../mentions/mentions.ts";
import { termsOf } from "../mentions/terms.ts";

/**
 * How national and adat norms on one issue stand to each other. `conflict`: they answer it differently; `agreement`: alike;
 * `reference`: national law leaves it to adat or recognises it; `overriding`: national law settles it whatever adat says.
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
export function relationsBetween(kinds: NormRelation["kind"][], national: string[], adat: string[]): NormRelation[] {
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

/** How much of what a relation is about the question names: its persons, property, acts and norms, and its words. */
export function issueOverlap(query: string, relation: NormRelation): number {
  const asked = new Set(mentionsIn(query).flatMap(({ concept }) => [concept.id, ...concept.broader]));
  const about = mentionsIn(relation.issue).map(({ concept }) => concept);
  const named = about.filter(({ id, type }) => type !== "community" && type !== "law" && asked.has(id));
  const language = languageOf(query);
  const words = new Set(termsOf(language === "en" ? relation.issue_en : relation.issue, language));
  const shared = words.intersection(new Set(termsOf(query, language)));
  return new Set(named.map(({ id }) => id)).size + sharedWord * shared.size;
}

/** The relations that are most about the question. */
export function onIssue(query: string, relations: NormRelation[]): NormRelation[] {
  const overlaps = relations.map((relation) => issueOverlap(query, relation));
  const needed = Math.max(leastOverlap, nearlyAsMuch * Math.max(0, ...overlaps));
  return relations.filter((_, index) => (overlaps[index] ?? 0) >= needed);
}
