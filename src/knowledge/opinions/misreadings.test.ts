import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { viewAspects } from "./index.ts";

type Row = { text: string; lang: "en" | "ko"; aspects: { term: string; from: number; to: number; polarity: string }[] };

const file = new URL("../../../examples/sentiment/misreadings.jsonl", import.meta.url);
const rows = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Row);

/** The reading that Stage 1 states, over all rows of a language. */
function countRight(lang: "en" | "ko"): { right: number; all: number } {
  const said = rows
    .filter((row) => row.lang === lang)
    .flatMap(({ text, aspects }) => {
      const named = aspects.map(({ term, from, to }) => ({
        term,
        span: { start: from, end: to },
        normalized: null,
        confidence: 1,
      }));
      const views = viewAspects(text, lang, named);
      return aspects.map(({ term, polarity }) => {
        const view = views.find((one) => one.term === term);
        return ((view?.learnt ?? view?.near)?.polarity ?? "neutral") === polarity;
      });
    });
  return { right: said.filter(Boolean).length, all: said.length };
}

describe("kinds of misreading seen", () => {
  it("the English texts, which the layer was taught, are read right but for two", () => {
    expect(countRight("en").right).toBeGreaterThanOrEqual(countRight("en").all - 2);
  });
  it("of the Korean texts at least thirty of thirty-eight are read right by the rules", () => {
    expect(countRight("ko").right).toBeGreaterThanOrEqual(30);
  });
});

const told: [text: string, term: string, polarity: string | null][] = [
  ["교통은 10점 만점에 8점이에요.", "교통", "positive"],
  ["음질은 별 두 개.", "음질", "negative"],
  ["창문이 잘 열려요.", "창문", "positive"],
  ["창문이 잘 안 열려요.", "창문", "negative"],
  ["동생이 냉면이 맛있다고 해서 왔어요.", "냉면", null],
  ["메뉴가 더 다양했으면 싶어요.", "메뉴", "negative"],
];

it.each(told)("%s", (text, term, polarity) => {
  const span = { start: text.indexOf(term), end: text.indexOf(term) + term.length };
  const [view] = viewAspects(text, "ko", [{ term, span, normalized: null, confidence: 1 }]);
  expect(view?.near.polarity).toBe(polarity);
});

const compared: [text: string, term: string, polarity: string][] = [
  ["There are better hotels around the corner.", "hotels", "negative"],
  ["I have never had a better massage.", "massage", "positive"],
  ["We never had a rude waiter or a dirty fork.", "fork", "positive"],
];

it.each(compared)("%s", (text, term, polarity) => {
  const span = { start: text.indexOf(term), end: text.indexOf(term) + term.length };
  const [view] = viewAspects(text, "en", [{ term, span, normalized: null, confidence: 1 }]);
  expect(view?.near.polarity).toBe(polarity);
});
