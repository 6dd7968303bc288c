import { type Law, findLaw, laws, isForeignTitle } from "./law-names.ts";

/** A law named in a text, with the key of its aliases where its name gives one. `law` is null when no shipped item belongs to it. */
export type LawReference = {
  key: string | null;
  start: number;
  end: number;
  text: string;
  law: Law | null;
  form: "name" | "number" | "title";
};

const types = String.raw`(?:UU|U\.U\.|Undang[- ]?Undang(?: Republik Indonesia| RI)?|Perppu|PP|Peraturan Pemerintah|Perpres|Peraturan Presiden|Keppres|Keputusan Presiden|Inpres|Instruksi Presiden|Permen[A-Za-z]*|Peraturan Menteri|Kepmen[A-Za-z]*|Perda|Peraturan Daerah|Pergub|Qanun|PERMA|SEMA|POJK|PBI|Peraturan Bank Indonesia|Peraturan OJK|Law|Act|Government Regulation|Presidential Regulation|Ministerial Regulation|Regional Regulation)`;
const name = String.raw`(?:(?:[ -](?!No\b|Nomor\b|Number\b|Tahun\b|Pasal\b|of\b)[\p{L}.&/]+){0,6}?)`;
const numbered = new RegExp(
  String.raw`\b(${types})${name}(?:[ ,]+(?:No\.?|Nomor|Number|Nr\.?))?[ .]*(\d{1,4})(?:\s*/\s*|,?\s+(?:Tahun|Th\.?|of|Year)\s+)(\d{4})\b(?:\s+(?:tentang|on|concerning|regarding)\s+([^.,;?!()]{3,80}))?`,
  "giu",
);
const word = String.raw`(?:\p{Lu}[\p{L}\d.-]*|\d\.\d|dan|di|atas|tentang|untuk|and|on|of the)`;
const titled = new RegExp(
  String.raw`\b(${types}|Regulation|[A-Z]{2,6} Regulation)((?:[ -]+${word}){1,10})(?:[ ,]+(?:(?:[Tt]ahun|[Yy]ear|of)\s+)?(\d{4}))?`,
  "gu",
);
const shortTypes: Record<string, string> = { "government regulation": "PP", "peraturan pemerintah": "PP", pp: "PP" };

/** The laws that a text names: by a known name, by number and year, or by a title. */
export function findLawReferences(text: string): LawReference[] {
  const found: LawReference[] = [];
  for (const makeReference of [...findByNumber(text), ...findByName(text), ...findByTitle(text)]) {
    if (!found.some((one) => makeReference.start < one.end && one.start < makeReference.end)) found.push(makeReference);
  }
  return found.toSorted((a, b) => a.start - b.start);
}

function findByNumber(text: string): LawReference[] {
  if (!/\d/.test(text)) return [];
  return [...text.matchAll(numbered)].map((match) => {
    const [whole, type = "", number = "", year = "", about] = match;
    const named = findNamed(whole);
    const key = named?.key ?? `${writeTypeKey(type)}-${Number(number)}-${year}`;
    const law = named ?? findLaw(key);
    const foreign = law !== null && about !== undefined && isForeignTitle(law, about);
    const shown = about !== undefined && !foreign && law ? whole.slice(0, whole.lastIndexOf(year) + 4) : whole;
    return { ...makeReference(match.index, shown.trim(), foreign ? null : law, "number"), key: foreign ? null : key };
  });
}

/** The known names, longest first, each with the pattern that finds it as a word of its own. */
const nameIndex = laws
  .flatMap((law) => law.names.map((known) => ({ law, known })))
  .toSorted((a, b) => b.known.length - a.known.length)
  .map(({ law, known }) => ({
    law,
    lower: known.toLowerCase(),
    pattern: new RegExp(
      String.raw`(?<![\p{L}\p{N}])${known.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)}(?![\p{L}\p{N}])`,
      known === known.toUpperCase() ? "gu" : "giu",
    ),
  }));

function findByName(text: string): LawReference[] {
  const lower = text.toLowerCase();
  return nameIndex
    .filter((one) => lower.includes(one.lower))
    .flatMap(({ law, pattern }) =>
      [...text.matchAll(pattern)].map((match) => makeReference(match.index, match[0], law, "name")),
    )
    .filter((one, index, all) => !all.slice(0, index).some((other) => one.start < other.end && other.start < one.end));
}

function findByTitle(text: string): LawReference[] {
  return [...text.matchAll(titled), ...text.matchAll(otherCodes)].map((match) =>
    makeReference(match.index, match[0].trim(), null, "title"),
  );
}

const otherCodes =
  /\b(?:KUHP|KUHAP|KUHD|KUHDagang|HIR|RBg|Criminal Code|Penal Code|Commercial Code|Code of Criminal Procedure)\b/gu;

function findNamed(text: string): Law | null {
  return laws.find((law) => law.names.some((known) => known.toLowerCase() === text.trim().toLowerCase())) ?? null;
}

function writeTypeKey(type: string): string {
  return shortTypes[type.toLowerCase()] ?? (/^(?:uu|u\.u\.|undang|law|act)/i.test(type) ? "UU" : type);
}

function makeReference(start: number, text: string, law: Law | null, form: LawReference["form"]): LawReference {
  return { key: law?.key ?? null, start, end: start + text.length, text, law, form };
}
