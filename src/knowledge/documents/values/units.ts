/** A unit: what it measures, and how many of that measure's base it is. */
export type Unit = { measure: string; factor: number };

/** The units by their spellings in English, Korean and Indonesian: measure, factor, spellings (`_` stands for a space). */
const spellings: [measure: string, factor: number, names: string][] = [
  ["time", 1, "s sec secs second seconds 초 detik"],
  ["time", 60, "min mins minute minutes 분 menit"],
  ["time", 3600, "h hr hrs hour hours 시간 jam"],
  ["time", 86_400, "day days 일 일간 hari"],
  ["working days", 1, "working_day working_days business_day business_days 영업일 hari_kerja"],
  ["time", 604_800, "week weeks 주 주일 주간 minggu pekan"],
  ["months", 1, "month months 개월 달 bulan"],
  ["months", 12, "year years yr yrs 년 년간 tahun"],
  ["length", 0.001, "mm millimetre millimetres millimeter millimeters"],
  ["length", 0.01, "cm centimetre centimetres centimeter centimeters 센티미터"],
  ["length", 1, "m metre metres meter meters 미터"],
  ["length", 1000, "km kilometre kilometres kilometer kilometers 킬로미터 kilometernya"],
  ["length", 1609.344, "mi mile miles 마일 mil"],
  ["length", 0.3048, "ft foot feet kaki"],
  ["mass", 0.001, "g gram grams gramme grammes 그램"],
  ["mass", 1, "kg kilo kilos kilogram kilograms 킬로그램"],
  ["mass", 1000, "t ton tons tonne tonnes 톤"],
  ["mass", 0.453_592_37, "lb lbs pound-weight"],
  ["volume", 0.001, "ml millilitre millilitres milliliter milliliters 밀리리터"],
  ["volume", 1, "l litre litres liter liters 리터"],
  ["share", 0.01, "% percent percents 퍼센트 프로 persen"],
  ["bytes", 1, "b byte bytes 바이트"],
  ["bytes", 1e6, "mb megabyte megabytes"],
  ["bytes", 1e9, "gb gigabyte gigabytes"],
  ["celsius", 1, "°c celsius 도"],
  ["fahrenheit", 1, "°f fahrenheit"],
  ["degrees", 1, "° degree degrees derajat"],
  ["USD", 1, "$ usd dollar dollars 달러 dolar"],
  ["EUR", 1, "€ eur euro euros 유로"],
  ["GBP", 1, "£ gbp pound pounds 파운드"],
  ["JPY", 1, "¥ jpy yen 엔"],
  ["KRW", 1, "₩ krw won 원"],
  ["CHF", 1, "chf franc francs"],
  ["INR", 1, "₹ inr rupee rupees"],
  ["CNY", 1, "cny yuan renminbi 위안"],
  ["IDR", 1, "rp idr rupiah"],
];

const units = new Map(
  spellings.flatMap(([measure, factor, names]) =>
    names.split(" ").map((name) => [name.replace("_", " "), { measure, factor }] as const),
  ),
);

const inOrder = [...units.keys()].toSorted((a, b) => b.length - a.length);
const escape = (text: string): string => text.replaceAll(/[$.*+?^{}()|[\]\\]/g, String.raw`\$&`);
const isHangul = (text: string): boolean => /\p{Script=Hangul}/u.test(text);
const isWord = (text: string): boolean => /\p{L}$/u.test(text) && !isHangul(text);

/** Matches a unit behind a number; a unit in Hangul may have endings, others end with the word. */
export const unitAfter: string = [
  ...inOrder.filter((name) => isHangul(name)).map((name) => `${escape(name)}(?![요월])`),
  ...inOrder
    .filter((name) => !isHangul(name))
    .map((name) => escape(name) + (isWord(name) ? String.raw`(?![\p{L}])` : "")),
].join("|");

/** Matches a currency in front of a number. */
export const unitBefore = String.raw`[$€£¥₩]|(?<![\p{L}])(?:rp|usd|eur|idr|krw|gbp)\.?`;

/** Finds a unit by its spelling; null when there is none. */
export function findUnit(spelling: string): Unit | null {
  if (spelling === "") return null;
  return units.get(spelling.toLowerCase().replace(/\.$/, "").replaceAll(/\s+/g, " ").trim()) ?? null;
}
