import * as z from "zod";
import { ConfidenceSchema, DomainSchema, type Evidence, EvidenceKindSchema, RegimeSchema } from "./evidence.ts";

const HeaderSchema = z.strictObject({
  regime: RegimeSchema,
  domain: DomainSchema,
  community: z.string().nullable(),
  kind: EvidenceKindSchema,
  scope: z.string().nullable(),
  scope_en: z.string().nullable(),
  /** What comes before an article number or slug in aliases and titles. */
  alias: z.string().optional(),
  title: z.string().optional(),
  title_en: z.string().optional(),
});
type Header = z.infer<typeof HeaderSchema>;

const RecordSchema = z.strictObject({
  id: z.string().min(1),
  article: z.string().optional(),
  /** How many numbered paragraphs the article has; each becomes an alias: `UU-1-1974:35(2)`. */
  paragraphs: z.int().positive().optional(),
  slug: z.string().optional(),
  aliases: z.array(z.string()).optional(),
  title: z.string().optional(),
  title_en: z.string().optional(),
  community: z.string().optional(),
  topics: z.array(z.string()).min(1),
  statement: z.string().min(1),
  statement_en: z.string().min(1),
  scope: z.string().optional(),
  scope_en: z.string().optional(),
  source: z.string().min(1),
  source_kind: z.string().min(1),
  confidence: ConfidenceSchema,
  /** A provision that its topic starts from; ranks before details of the same topic. */
  leading: z.literal(true).optional(),
  related: z.array(z.string()).optional(),
});
type Record = z.infer<typeof RecordSchema>;

/** A file of `data/law/items`: what its items have in common, and the items. */
export const CollectionSchema = z.strictObject({ collection: HeaderSchema, items: z.array(RecordSchema) });
export type Collection = z.infer<typeof CollectionSchema>;

/** The ids of a collection's leading provisions. */
export function listLeading({ items }: Collection): string[] {
  return items.filter((item) => item.leading).map(({ id }) => id);
}

/** The items of a collection with what they share filled in. */
export function completeItems({ collection, items }: Collection): Evidence[] {
  return items.map((item) => completeItem(collection, item));
}

function completeItem(header: Header, item: Record): Evidence {
  const key = item.article ?? item.slug;
  const alias = header.alias !== undefined && key !== undefined ? [header.alias + key] : [];
  const names = [...alias, ...(item.aliases ?? [])];
  return {
    id: item.id,
    aliases: [...names, ...aliasParagraphs(names, item)],
    kind: header.kind,
    domain: header.domain,
    regime: header.regime,
    community: item.community ?? header.community,
    title: (header.title ?? "") + (item.title ?? item.article ?? ""),
    title_en: (header.title_en ?? "") + (item.title_en ?? item.article ?? ""),
    statement: item.statement,
    statement_en: item.statement_en,
    scope: item.scope ?? header.scope,
    scope_en: item.scope_en ?? header.scope_en,
    topics: item.topics,
    source: item.source,
    source_kind: item.source_kind,
    confidence: item.confidence,
    related: item.related ?? [],
  };
}

/** Every article has a first paragraph; further ones only where their number is recorded. */
function aliasParagraphs(names: string[], item: Record): string[] {
  const articles = names.filter((name) => /:\d+[A-Za-z]*$/.test(name) && !names.includes(`${name}(1)`));
  return articles.flatMap((name) =>
    Array.from({ length: item.paragraphs ?? 1 }, (_, index) => `${name}(${index + 1})`).filter(
      (one) => !names.includes(one),
    ),
  );
}
