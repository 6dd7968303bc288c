import { readFileSync } from "node:fs";
import * as z from "zod";

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

/** The relations of a kind that hold between what one side cites and what the other cites. */
export function relationsBetween(kind: NormRelation["kind"], national: string[], adat: string[]): NormRelation[] {
  return normRelations.filter(
    (relation) =>
      relation.kind === kind &&
      relation.national.some((id) => national.includes(id)) &&
      (relation.adat.length === 0 ? adat.length > 0 : relation.adat.some((id) => adat.includes(id))),
  );
}
