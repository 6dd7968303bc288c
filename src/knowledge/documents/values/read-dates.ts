import { digit, type Need } from "./likely-forms.ts";
import type { DateParts } from "./value.ts";

const english = "january february march april may june july august september october november december".split(" ");
const indonesian = "januari februari maret april mei juni juli agustus september oktober november desember".split(" ");
const months = new Map<string, number>([
  ...english.flatMap((name, index) => [[name, index + 1] as const, [name.slice(0, 3), index + 1] as const]),
  ...indonesian.map((name, index) => [name, index + 1] as const),
  ["sept", 9],
  ["agu", 8],
  ["okt", 10],
  ["des", 12],
]);
const month = [...months.keys()].toSorted((a, b) => b.length - a.length).join("|");
const end = String.raw`(?![\p{L}\p{N}])`;
const start = String.raw`(?<![\p{L}\p{N}.,])`;

type DateForm = { pattern: RegExp; needs: Need; read(found: string[]): DateParts[] };

const parted = /\d[-/.]\d/;
const named: Need = { words: [...months.keys()], mark: digit };

/** The ways in which dates are written, the fullest first. */
export const dateForms: DateForm[] = [
  {
    pattern: find(String.raw`${start}(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${end}`),
    needs: { mark: parted },
    read: ([y, m, d]) => [date(y, m, d)],
  },
  {
    pattern: find(String.raw`${start}(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})${end}`),
    needs: { mark: parted },
    read: ([a, b, y]) => [date(y, b, a), date(y, a, b)].filter(isPossible),
  },
  {
    pattern: find(String.raw`(\d{4})\s*년\s*(?:(\d{1,2})\s*월)\s*(?:(\d{1,2})\s*일)?`),
    needs: { words: [] },
    read: ([y, m, d]) => [date(y, m, d)],
  },
  {
    pattern: find(String.raw`(?<!\d)(\d{1,2})\s*월\s*(\d{1,2})\s*일`),
    needs: { words: [] },
    read: ([m, d]) => [date(undefined, m, d)],
  },
  {
    pattern: find(String.raw`${start}(\d{1,2})(?:st|nd|rd|th)?(?:\s+of)?\s+(${month})\.?,?(?:\s+(\d{4}))?${end}`),
    needs: named,
    read: ([d, m, y]) => [date(y, m, d)],
  },
  {
    pattern: find(String.raw`(?<![\p{L}])(${month})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?${end}`),
    needs: named,
    read: ([m, d, y]) => [date(y, m, d)],
  },
  {
    pattern: find(String.raw`(?<![\p{L}])(${month})\.?\s+(\d{4})${end}`),
    needs: named,
    read: ([m, y]) => [date(y, m, undefined)],
  },
];

/** The names of months that are not cut short. */
export const monthNames: readonly string[] = [...english, ...indonesian];

/** A month by itself, with its capital letter: "may" and "march" are words too. */
export const monthAlone = new RegExp(
  String.raw`(?<![\p{L}])(?:${monthNames.map((name) => name[0]?.toUpperCase() + name.slice(1)).join("|")})(?![\p{L}])(?!\s+(?:not|be|I|he|she|we|they|it)\b)`,
  "gu",
);

/** Reads the name of a month. */
export function readMonth(name: string): number | null {
  return months.get(name.toLowerCase()) ?? null;
}

function date(year: string | undefined, monthText: string | undefined, day: string | undefined): DateParts {
  const number = (text: string | undefined): number | null => (text === undefined || text === "" ? null : Number(text));
  const named = monthText === undefined ? null : readMonth(monthText);
  return { year: number(year), month: named ?? number(monthText), day: number(day) };
}

function isPossible({ month: m, day: d }: DateParts): boolean {
  return (m ?? 1) <= 12 && (d ?? 1) <= 31;
}

function find(pattern: string): RegExp {
  return new RegExp(pattern, "giu");
}
