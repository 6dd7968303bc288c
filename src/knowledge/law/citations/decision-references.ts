/** A court or assembly decision named in a text; `alias` is how the knowledge base would call it. */
export type DecisionReference = { start: number; end: number; text: string; alias: string | null };

const lead = String.raw`(?:(?:putusan|keputusan|penetapan|yurisprudensi|decision|ruling|judg(?:e)?ment)\s+)?(?:(?:of\s+the\s+)?(?:MA|MK|PN|PT|PA|Mahkamah\s+Agung|Mahkamah\s+Konstitusi|Supreme\s+Court|Constitutional\s+Court|Pengadilan\s+\p{L}+)\s+)?(?:RI\s+)?(?:(?:decision|ruling)\s+)?(?:(?:No\.?|Nomor|Number|Reg\.?(?:\s+No\.?)?)\s*)?`;
const supreme = new RegExp(
  String.raw`${lead}(\d{1,5})\s*(?:PK|K)\s*/\s*(Sip|Pdt|AG|Pid|TUN|Ag)[\p{L}.-]*\s*/\s*(\d{4})`,
  "giu",
);
const constitutional = new RegExp(String.raw`${lead}(\d{1,4})\s*/\s*PUU\s*-\s*([IVXLC]+)\s*/\s*(\d{4})`, "giu");
const lower = new RegExp(String.raw`${lead}\d{1,5}\s*/\s*(?:Pdt|Pid)[\p{L}.]*\s*/\s*\d{4}(?:\s*/\s*[\p{L}.]+)?`, "giu");
const assembly =
  /(?:keputusan\s+[^.?!]{0,60}?)?\d{1,3}\s*\/\s*Kep\s*\/\s*Psm-?\d\s*\/\s*MDP\s+Bali\s*\/\s*[IVX]+\s*\/\s*\d{4}/giu;
const loose =
  /(?:putusan|decision)\s+(?:of\s+the\s+)?(?:MA|MK|Mahkamah\s+Agung|Mahkamah\s+Konstitusi|Supreme\s+Court|Constitutional\s+Court)\s+(?:RI\s+)?(?:(?:No\.?|Nomor|Number)\s*)?\d{1,5}\s*(?:\/|Tahun|of)\s*\d{4}/giu;

/** The decisions that a text names. */
export function findDecisionReferences(text: string): DecisionReference[] {
  if (!/\d/.test(text)) return [];
  const found = text.includes("/")
    ? [...findNumbered(text), ...findMatches(text, loose, () => null)]
    : findMatches(text, loose, () => null);
  return found.filter(
    (one, index) => !found.slice(0, index).some((other) => one.start < other.end && other.start < one.end),
  );
}

/** Decisions by their number, which has a slash. */
function findNumbered(text: string): DecisionReference[] {
  return [
    ...findMatches(text, supreme, ([, number, chamber, year]) => `MA:${number}-K/${writeChamber(chamber)}/${year}`),
    ...findMatches(
      text,
      constitutional,
      ([, number, volume, year]) => `MK:${number}/PUU-${volume?.toUpperCase()}/${year}`,
    ),
    ...findMatches(text, lower, () => null),
    ...findMatches(
      text,
      assembly,
      ([whole]) => `MUDP:${whole?.slice(whole.search(/\d{1,3}\s*\/\s*Kep/iu)).replaceAll(/\s+/g, "-")}`,
    ),
  ];
}

function findMatches(
  text: string,
  pattern: RegExp,
  aliasOf: (match: RegExpMatchArray) => string | null,
): DecisionReference[] {
  return [...text.matchAll(pattern)].map((match) => {
    const offset = match[0].length - match[0].trimStart().length;
    const start = match.index + offset;
    return { start, end: match.index + match[0].length, text: match[0].trim(), alias: aliasOf(match) };
  });
}

function writeChamber(chamber = ""): string {
  return chamber.toLowerCase() === "ag" ? "AG" : chamber.charAt(0).toUpperCase() + chamber.slice(1).toLowerCase();
}
