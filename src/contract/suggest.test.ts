import { expect, it } from "vitest";
import { suggest, unknownMessage } from "./suggest.ts";

it.each([
  ["lww", ["law", "question"], "law"],
  ["min_totl", ["min_total", "min_margin"], "min_total"],
  ["zebra", ["law", "question"], null],
  ["x", [], null],
])("%s among %j suggests %s", (word, known, expected) => expect(suggest(word, known)).toBe(expected));

it("the message names the word, the suggestion and what is known", () => {
  expect(unknownMessage("pack", "lww", ["law", "question"])).toBe(
    'unknown pack "lww"; did you mean "law"? Known: law, question',
  );
});
