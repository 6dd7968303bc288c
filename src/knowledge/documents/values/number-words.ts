/** What a number word does to the number being read: it is added, makes the part so far so many times larger, or is a teen. */
type NumberWord = { add: number } | { times: number };

const english =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
const englishTens = "twenty thirty forty fifty sixty seventy eighty ninety";
const indonesian = "nol satu dua tiga empat lima enam tujuh delapan sembilan sepuluh sebelas";
const koreanCounts = "하나 둘 셋 넷 다섯 여섯 일곱 여덟 아홉 열";

const words = new Map<string, NumberWord>([
  ...english.split(" ").map((word, index) => [word, { add: index }] as const),
  ...englishTens.split(" ").map((word, index) => [word, { add: (index + 2) * 10 }] as const),
  ...indonesian.split(" ").map((word, index) => [word, { add: index }] as const),
  ...koreanCounts.split(" ").map((word, index) => [word, { add: index + 1 }] as const),
  ...["한", "두", "세", "네"].map((word, index) => [word, { add: index + 1 }] as const),
  ["스무", { add: 20 }],
  ["스물", { add: 20 }],
  ["서른", { add: 30 }],
  ["belas", { add: 10 }],
  ["puluh", { times: 10 }],
  ["seratus", { add: 100 }],
  ["seribu", { add: 1000 }],
  ["hundred", { times: 100 }],
  ["ratus", { times: 100 }],
]);

/** The words that make all before them larger. */
const scales = new Map<string, number>([
  ["hundred", 1e2],
  ["thousand", 1e3],
  ["million", 1e6],
  ["billion", 1e9],
  ["trillion", 1e12],
  ["ratus", 1e2],
  ["ribu", 1e3],
  ["juta", 1e6],
  ["miliar", 1e9],
  ["triliun", 1e12],
  ["천", 1e3],
  ["만", 1e4],
  ["억", 1e8],
]);

/** Matches a word that makes a number in digits larger ("2.5 million", "3만"). */
export const scaleAfter = String.raw`(?:hundred|thousand|million|billion|trillion|ratus|ribu|juta|miliar|triliun)(?![\p{L}])|[천만억]`;

/** Shares in words. */
export const shareWords = new Map<string, number>([
  ["half", 0.5],
  ["a quarter", 0.25],
  ["one quarter", 0.25],
  ["three quarters", 0.75],
  ["a third", 1 / 3],
  ["one third", 1 / 3],
  ["two thirds", 2 / 3],
  ["절반", 0.5],
  ["setengah", 0.5],
  ["separuh", 0.5],
]);

/** Places in an order. */
export const ordinalWords = new Map<string, number>([
  ...`first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth`
    .split(" ")
    .map((word, index) => [word, index + 1] as const),
  ["pertama", 1],
  ["kedua", 2],
  ["ketiga", 3],
  ["keempat", 4],
  ["kelima", 5],
  ["첫째", 1],
  ["둘째", 2],
  ["셋째", 3],
]);

/** Spans of days that Korean has words for. */
export const daySpans = new Map<string, number>([
  ["하루", 1],
  ["이틀", 2],
  ["사흘", 3],
  ["나흘", 4],
  ["열흘", 10],
]);

const known = [...words.keys(), ...scales.keys()].filter((word) => !["천", "만", "억"].includes(word));
const latin = known.filter((word) => /^[a-z]/.test(word)).join("|");
/** Korean counts are words of their own in front of what is counted ("일곱 권"). */
const hangul = known
  .filter((word) => !/^[a-z]/.test(word))
  .toSorted((a, b) => b.length - a.length)
  .join("|");

/** The words without which there is no run of number words. */
export const countingWords: readonly string[] = known;

/** Matches a run of number words ("two hundred and fifty", "dua puluh lima", "일곱"). */
export const numberWords = String.raw`(?<![\p{L}\p{N}])(?:(?:${latin})(?:(?:[\s-]+|\s+and\s+)(?:${latin})(?![\p{L}]))*(?![\p{L}])|(?:${hangul})(?:\s?(?:${hangul}))?(?=\s|$))`;

const eachWord = new RegExp(String.raw`[a-z]+|${hangul}`, "g");

/** Finds the factor of a word such as "million"; 1 for none. */
export function findScale(word: string): number {
  return scales.get(word.toLowerCase()) ?? 1;
}

/** Reads a run of number words. */
export function readNumberWords(text: string): number {
  let total = 0;
  let part = 0;
  for (const word of text.toLowerCase().match(eachWord) ?? []) {
    const meaning = words.get(word);
    const scale = scales.get(word) ?? 1;
    if (meaning && "times" in meaning) part = Math.max(part, 1) * meaning.times;
    else if (meaning) part += meaning.add;
    else if (scale > 1) {
      total += Math.max(part, 1) * scale;
      part = 0;
    }
  }
  return total + part;
}
