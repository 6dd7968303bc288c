import { readdirSync, readFileSync } from "node:fs";
import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";

const DomainSchema = z.enum(["national", "adat"]);
export type Domain = z.infer<typeof DomainSchema>;
/** `national` binds everyone; `civil_code` (KUHPerdata) and `islamic` (KHI) those subject to them; `adat` a people. */
export const RegimeSchema = z.enum(["national", "civil_code", "islamic", "adat"]);
export const ConfidenceSchema = z.enum(["confirmed", "unconfirmed"]);

const HeaderSchema = z.strictObject({
  regime: RegimeSchema,
  domain: DomainSchema,
  community: z.string().nullable(),
  kind: z.enum(["provision", "norm", "jurisprudence", "rule", "kg"]),
  scope: z.string().nullable(),
  scope_en: z.string().nullable(),
  alias: z.string().optional(),
  title: z.string().optional(),
  title_en: z.string().optional(),
});

const RecordSchema = z.strictObject({
  id: z.string().min(1),
  article: z.string().optional(),
  /** The number of numbered paragraphs; each becomes an alias: `UU-1-1974:35(2)`. */
  paragraphs: z.int().positive().optional(),
  slug: z.string().optional(),
  aliases: z.array(z.string()).default([]),
  title: z.string().optional(),
  title_en: z.string().optional(),
  community: z.string().optional(),
  topics: z.array(z.string()).min(1),
  statement: z.string().min(1),
  statement_en: z.string().min(1),
  scope: z.string().optional(),
  scope_en: z.string().optional(),
  /** A citable source; null if none is known. */
  source: z.string().min(1).nullable(),
  confidence: ConfidenceSchema,
  /** A main provision of its topic; ranks before details. */
  leading: z.literal(true).optional(),
  mandatory: z.literal(true).optional(),
  related: z.array(z.string()).default([]),
});

type Header = Omit<z.infer<typeof HeaderSchema>, "alias">;
type Fields = Omit<z.infer<typeof RecordSchema>, "article" | "paragraphs" | "slug" | "mandatory" | keyof Header>;

/** One citable item (law spec §2). `statement` is a paraphrase; a `mandatory` provision prevails over adat. */
export type Evidence = Required<Header> & Fields & { mandatory: boolean };

const CollectionSchema = z.strictObject({ collection: HeaderSchema, items: z.array(RecordSchema) });

export type Knowledge = {
  items: Evidence[];
  find(reference: string): Evidence | null;
};

const folder = new URL("../../../data/law/items/", import.meta.url);
let shipped: Knowledge | null = null;

export function loadKnowledge(): Knowledge {
  if (shipped) return shipped;
  const collections = readdirSync(folder)
    .toSorted()
    .map((name) => CollectionSchema.parse(JSON.parse(readFileSync(new URL(name, folder), "utf8"))));
  shipped = buildKnowledge(collections.flatMap(completeItems));
  return shipped;
}

export function addItems(knowledge: Knowledge, added: Evidence[]): Knowledge {
  return added.length === 0 ? knowledge : buildKnowledge([...knowledge.items, ...added]);
}

export function buildKnowledge(items: Evidence[]): Knowledge {
  const byName = new Map<string, Evidence>();
  for (const item of items) {
    for (const name of [item.id, ...item.aliases]) {
      const holder = byName.get(writeKey(name));
      if (holder && holder !== item)
        throw new ParleyError(
          "bad_input",
          `"${name}" names both ${holder.id} and ${item.id}; ids and aliases must be unique`,
        );
      byName.set(writeKey(name), item);
    }
  }
  return { items, find: (reference) => byName.get(writeKey(reference)) ?? null };
}

function writeKey(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/g, "-");
}

function completeItems({ collection, items }: z.infer<typeof CollectionSchema>): Evidence[] {
  const { alias, title = "", title_en = "", ...header } = collection;
  return items.map(({ article, paragraphs = 1, slug, aliases, mandatory = false, ...record }) => {
    const key = article ?? slug;
    const names = [...(alias !== undefined && key !== undefined ? [alias + key] : []), ...aliases];
    const articles = names.filter((name) => /:\d+[A-Za-z]*$/.test(name));
    const parts = articles.flatMap((name) => Array.from({ length: paragraphs }, (_, at) => `${name}(${at + 1})`));
    return {
      ...header,
      ...record,
      mandatory,
      community: record.community ?? header.community,
      scope: record.scope ?? header.scope,
      scope_en: record.scope_en ?? header.scope_en,
      aliases: [...new Set([...names, ...parts])],
      title: title + (record.title ?? article ?? ""),
      title_en: title_en + (record.title_en ?? article ?? ""),
    };
  });
}
