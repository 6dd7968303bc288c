import { expect, it } from "vitest";
import { findWordValue } from "./lexicon.ts";
import { opinionRepairs, repairs, repairTags } from "./tag-repair.ts";
import { tokenize } from "./token.ts";

const rows = [...repairs, ...opinionRepairs];

it.each(rows)("$word is a $tag in: $example", (repair) => {
  const tokens = repairTags(tokenize(repair.example), (token) => findWordValue(token) !== undefined);
  expect(tokens.find((token) => token.lower === repair.word)?.pos).toBe(repair.tag);
});

it.each(rows)("this repair is the one that applies to: $example", (repair) => {
  const tokens = tokenize(repair.example);
  const token = tokens.find((one) => one.lower === repair.word) as (typeof tokens)[number];
  const place = { token, tokens, before: tokens[token.index - 1], after: tokens[token.index + 1] };
  expect(rows.find((one) => one.applies(place))).toBe(repair);
});
