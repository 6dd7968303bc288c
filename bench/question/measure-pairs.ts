import { isSameAnswer } from "../../src/packs/question/index.ts";
import { readLines, wordShare } from "./read-lines.ts";

type Pair = { id: string; a: string; b: string; same: boolean; language: string; question?: string };

/** Prints how often the rule tells rightly whether two answers say the same, and where it does not. */
export function measurePairs(file: string): void {
  const told = readLines<Pair>(file).map((pair) => ({ ...pair, told: isSameAnswer(pair.a, pair.b, pair.question) }));
  const right = told.filter((pair) => pair.told === pair.same);
  const different = told.filter((pair) => !pair.same);
  const apart = different.filter((pair) => !pair.told);
  console.log(`same answer?      right in ${wordShare(right.length, told.length)}`);
  console.log(`  different ones kept apart ${wordShare(apart.length, different.length)}`);
  console.log(`  same ones recognised      ${wordShare(right.length - apart.length, told.length - different.length)}`);
  for (const [language, pairs] of Map.groupBy(told, (pair) => pair.language))
    console.log(`  ${language} ${wordShare(pairs.filter((pair) => pair.told === pair.same).length, pairs.length)}`);
  for (const { id, a, b, same } of told.filter((pair) => pair.told !== pair.same))
    console.log(`  ${id} ${same ? "taken for different" : "TAKEN FOR THE SAME"}: ${a} | ${b}`);
}
