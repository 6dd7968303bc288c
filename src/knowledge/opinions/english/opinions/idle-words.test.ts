import { expect, it } from "vitest";
import { findContextWord, findWordValue } from "../words/lexicon.ts";
import { repairTags } from "../words/tag-repair.ts";
import { type Token, tokenize } from "../words/token.ts";
import { isIdle, openIdleRows, readPlace } from "./idle-words.ts";

function read(text: string): Token[] {
  return repairTags(tokenize(text), (token) => findWordValue(token) !== undefined);
}

it("every row says where in words that are understood, and has an example", () => {
  const places = /^(always|first|(not )?(after|before|as) (\S+ ?)+)$/;
  expect(openIdleRows().filter(({ where, example }) => !places.test(where) || example === "")).toEqual([]);
  const keys = openIdleRows().map(({ word, where }) => `${word} ${where}`);
  expect(new Set(keys).size).toBe(keys.length);
});

it.each(openIdleRows())("$word evaluates nothing $where: $example", (row) => {
  const tokens = read(row.example);
  const token = tokens.findLast((one) => one.lower === row.word) as Token;
  expect(findContextWord(token.lower) ?? findWordValue(token)).toBeDefined();
  expect(row.holds(tokens, token.index)).toBe(true);
  expect(isIdle(tokens, token.index)).toBe(true);
});

it.each([
  ["well", "The phone works well."],
  ["kind", "The waiter was kind."],
  ["right", "The price is right."],
  ["hard", "The bed was hard."],
  ["light", "The laptop is light."],
  ["like", "I like the soup."],
  ["plus", "The price is a plus."],
  ["pretty", "The room was pretty."],
])("%s evaluates in: %s", (word, text) => {
  const tokens = read(text);
  expect(
    isIdle(
      tokens,
      tokens.findIndex((token) => token.lower === word),
    ),
  ).toBe(false);
});

it.each([
  ["not after a", "a", false],
  ["not after the", "a", true],
  ["after a the", "a", true],
  ["after DET", "a", true],
  ["as NOUN", "a", true],
  ["not as NOUN", "a", false],
  ["before .", "a", true],
  ["first", "a", false],
  ["always", "a", true],
])("the place %j holds for the second word of “%s lamp.”: %s", (where, first, holds) => {
  expect(readPlace(where)(read(`${first} lamp.`), 1)).toBe(holds);
});
