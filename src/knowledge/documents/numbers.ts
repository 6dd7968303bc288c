/** A word or a number of a text, lower case; a number has its value. */
export type Token = { word: string; value: number | null };

const small = new Map(
  `two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen`
    .split(" ")
    .map((word, index) => [word, index + 2]),
);
const tens = new Map(
  "twenty thirty forty fifty sixty seventy eighty ninety".split(" ").map((word, index) => [word, (index + 2) * 10]),
);
const scales = new Map([
  ["hundred", 1e2],
  ["thousand", 1e3],
  ["million", 1e6],
  ["billion", 1e9],
  ["trillion", 1e12],
]);

/** Splits a text into words and reads its numbers: digits with their sign, "nine", "twenty-five", "4.2 million". */
export function readTokens(text: string): Token[] {
  const found = text
    .normalize("NFKC")
    .toLowerCase()
    .match(/(?<![\p{L}\p{N}])[-−]?\p{N}+(?:[.,]\p{N}+)*|[\p{L}\p{M}]+|\p{N}+/gu);
  const tokens: Token[] = [];
  for (const word of found ?? []) {
    const last = tokens.at(-1);
    const scale = scales.get(word);
    if (scale !== undefined && last && (last.value !== null || last.word === "one" || last.word === "a"))
      tokens[tokens.length - 1] = { word: `${last.word} ${word}`, value: multiply(last.value ?? 1, scale) };
    else if (last && tens.has(last.word) && (word === "one" || (small.get(word) ?? 10) < 10))
      tokens[tokens.length - 1] = { word: `${last.word} ${word}`, value: (last.value ?? 0) + (small.get(word) ?? 1) };
    else tokens.push({ word, value: readValue(word) });
  }
  return tokens;
}

/** Finds the factor of a word such as "million"; null for other words. */
export function findScale(word: string): number | null {
  return scales.get(word.toLowerCase()) ?? null;
}

/** Multiplies without the noise of binary fractions (4.2 million is 4200000). */
export function multiply(value: number, scale: number): number {
  return Number((value * scale).toPrecision(15));
}

function readValue(word: string): number | null {
  if (!/\p{N}/u.test(word)) return small.get(word) ?? tens.get(word) ?? null;
  const value = Number(word.replaceAll(",", "").replace("−", "-"));
  return Number.isFinite(value) ? value : null;
}
