import { isSameAnswer } from "../../src/packs/question/index.ts";
import { readLines, wordShare } from "./read-lines.ts";

type Pair = { id: string; a: string; b: string; same: boolean; language: string; question?: string };

/** Prints how often the rule tells rightly whether two answers say the same, and where it does not. */
export function measurePairs(file: string): void {
  const pairs = readLines<Pair>(file).map((pair) => ({
    ...pair,
    isFound: isSameAnswer(pair.a, pair.b, pair.question),
  }));
  const right = pairs.filter((pair) => pair.isFound === pair.same);
  const different = pairs.filter((pair) => !pair.same);
  const apart = different.filter((pair) => !pair.isFound);
  console.log(`same answer?      right in ${wordShare(right.length, pairs.length)}`);
  console.log(`  different ones kept apart ${wordShare(apart.length, different.length)}`);
  console.log(`  same ones recognised      ${wordShare(right.length - apart.length, pairs.length - different.length)}`);
  for (const [language, some] of Map.groupBy(pairs, (pair) => pair.language))
    console.log(`  ${language} ${wordShare(some.filter((pair) => pair.isFound === pair.same).length, some.length)}`);
  for (const { id, a, b, same } of pairs.filter((pair) => pair.isFound !== pair.same))
    console.log(`  ${id} ${same ? "taken for different" : "TAKEN FOR THE SAME"}: ${a} | ${b}`);
}
