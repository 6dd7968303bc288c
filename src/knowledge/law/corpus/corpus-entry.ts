import * as z from "zod";
import { findLawReferences } from "../citations/law-references.ts";
import { ConfidenceSchema, DomainSchema, type Evidence, ownSourceKind, RegimeSchema } from "../items/evidence.ts";

const text = z.string().trim().min(1, "is empty");

/** One article or norm of a user's own corpus, as JSON; `text` is its wording or a summary. */
export const CorpusEntrySchema = z.strictObject({
  id: text.optional(),
  title: text.optional(),
  text,
  text_en: text.optional(),
  /** The law it belongs to ("UU 11/2020") and its article ("5"): together they make the alias `UU-11-2020:5`. */
  law: text.optional(),
  article: z.union([text, z.int().transform(String)]).optional(),
  community: text.optional(),
  domain: DomainSchema.optional(),
  regime: RegimeSchema.optional(),
  topics: z.array(text).optional(),
  source: text.optional(),
  confidence: ConfidenceSchema.optional(),
});
export type CorpusEntry = z.infer<typeof CorpusEntrySchema>;

/** The evidence item of an entry; what it does not say follows from its community, or is the cautious choice. */
export function completeEntry(entry: CorpusEntry, corpus: string, place: string): Evidence {
  const isAdat =
    entry.domain === "adat" || entry.regime === "adat" || (entry.domain === undefined && entry.community !== undefined);
  const alias =
    entry.law !== undefined && entry.article !== undefined ? [`${writeLawKey(entry.law)}:${entry.article}`] : [];
  const title =
    entry.title ??
    ([entry.law, entry.article && `Pasal ${entry.article}`].filter(Boolean).join(" ") || `${corpus} ${place}`);
  return {
    id: entry.id ?? `OWN-${writeSlug(corpus)}-${writeSlug(alias[0] ?? entry.title ?? place)}`,
    aliases: alias,
    kind: isAdat ? "norm" : "provision",
    domain: isAdat ? "adat" : "national",
    regime: entry.regime ?? (isAdat ? "adat" : "national"),
    community: entry.community?.toLowerCase() ?? null,
    title,
    title_en: title,
    statement: joinLines(entry.text),
    statement_en: joinLines(entry.text_en ?? entry.text),
    scope: null,
    scope_en: null,
    topics: entry.topics ?? [],
    source: entry.source ?? `${corpus}, ${place}`,
    source_kind: ownSourceKind,
    confidence: entry.confidence ?? "unconfirmed",
    related: [],
  };
}

/** A wording that runs over several lines is one text. */
function joinLines(wording: string): string {
  return wording.trim().replaceAll(/\s+/g, " ");
}

/** "UU No. 11 Tahun 2020" and "UU 11/2020" → `UU-11-2020`, as is a name by which that law is known ("KUHP baru"); other names become words joined by hyphens. */
export function writeLawKey(law: string): string {
  const [known, ...others] = findLawReferences(law);
  if (known?.law && others.length === 0 && known.text.length === law.trim().length) return known.law.key;
  const match =
    /^(?:(UU|Undang-Undang|PP|Peraturan Pemerintah|Perpres|Perda|Permen\w*))\b[^\d]*(\d{1,4})\s*(?:\/|Tahun)\s*(\d{4})/iu.exec(
      law,
    );
  if (!match) return law.trim().replaceAll(/\s+/g, "-");
  const [, type = "", number = "", year = ""] = match;
  const short = /^undang/i.test(type) ? "UU" : /^peraturan pemerintah/i.test(type) ? "PP" : type;
  return `${short}-${Number(number)}-${year}`;
}

function writeSlug(name: string): string {
  return name
    .normalize("NFKD")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "")
    .toLowerCase();
}
