import { readFileSync } from "node:fs";
import * as z from "zod";

/** A thing that questions speak of: a person's role, a class of property, an institution, a norm, an act, a body of law. */
export const ConceptSchema = z.strictObject({
  id: z.string(),
  type: z.enum(["community", "person", "property", "institution", "norm", "act", "law"]),
  /** The side of law that alone uses this word; null when both do. */
  domain: z.enum(["national", "adat"]).nullable(),
  /** The community that alone uses this word. */
  community: z.string().nullable(),
  /** True for everyday words that alone do not place a question in this field. */
  generic: z.boolean(),
  /** Ids of wider concepts: a daughter is a child. */
  broader: z.array(z.string()),
  label: z.string(),
  label_en: z.string(),
  /** Words and phrases; one in capitals matches capitals only, one after `~` is everyday language too and needs company. */
  terms: z.array(z.string()),
  terms_en: z.array(z.string()),
});
export type Concept = z.infer<typeof ConceptSchema>;

/** A concept found in a text, with the range of words that names it (end exclusive). */
export type Mention = { concept: Concept; start: number; end: number; term: string };

const file = new URL("../../../../data/law/concepts.json", import.meta.url);
const peoplesFile = new URL("../../../../data/law/peoples.json", import.meta.url);
/** `places` are names of towns and islands too: they mean the people only in company (law spec §1.2). */
const PeopleSchema = ConceptSchema.pick({ id: true, label: true, label_en: true, terms: true, terms_en: true }).extend({
  places: z.array(z.string()).default([]),
});
let loaded: Concept[] | null = null;
let peoples: Concept[] | null = null;

/** The concepts that ship with the product; loaded once. */
export function loadConcepts(): Concept[] {
  loaded ??= [...z.array(ConceptSchema).parse(JSON.parse(readFileSync(file, "utf8"))), ...loadPeoples()];
  return loaded;
}

/** The peoples of Indonesia by their names and spellings, beside those whose adat the concepts describe in detail. */
export function loadPeoples(): Concept[] {
  peoples ??= z
    .array(PeopleSchema)
    .parse(JSON.parse(readFileSync(peoplesFile, "utf8")))
    .map(({ places, ...people }) => ({
      ...people,
      terms: [...people.terms, ...places.flatMap(writeCompany)],
      terms_en: [...people.terms_en, ...places.flatMap(writeEnglishCompany)],
      type: "community",
      domain: "adat",
      community: people.id,
      generic: false,
      broader: [],
    }));
  return peoples;
}

const people = ["orang", "suku", "keluarga", "masyarakat"];
const customs = ["adat", "hukum adat", "masyarakat adat", "tradisi", "kebiasaan", "menurut adat"];

/** "Orang Nias" and "adat di Nias" name a people, a family that lives in Makassar does not. */
function writeCompany(place: string): string[] {
  return [...people, ...customs, ...customs.map((one) => `${one} di`)].map((company) => `${company} ${place}`);
}

const englishCustoms = ["custom", "customs", "adat", "customary law", "tradition"];

function writeEnglishCompany(place: string): string[] {
  const before = englishCustoms.flatMap((one) => [`${one} of ${place}`, `${one} in ${place}`, `${one} on ${place}`]);
  return [...englishCustoms, "people"].map((one) => `${place} ${one}`).concat(before);
}

/** The shipped concept with this id; an unknown id is a bug of the caller. */
export function getConcept(id: string): Concept {
  const concept = loadConcepts().find((one) => one.id === id);
  if (!concept) throw new Error(`no concept "${id}" in data/law`);
  return concept;
}

/** A people by its name; a word that only a people has ("pauseang", "tongkonan") is something to ask about, not a name. */
export function isNameOfPeople({ concept: { type, label, label_en: english }, term }: Mention): boolean {
  return type === "community" && [label, english].some((name) => term.includes(name.toLowerCase()));
}
