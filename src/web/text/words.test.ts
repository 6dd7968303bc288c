import fc from "fast-check";
import { expect, it } from "vitest";
import { readPartial, sayName } from "./words.ts";

it.each([
  ['{"reasoning"', ""],
  ['{"reasoning": "Water cl', "reasoning: Water cl"],
  ['{"reasoning": "It is \\"wet\\".\\nYes", "confidence": 0.7}', 'reasoning: It is "wet".\nYes\nconfidence: 0.7'],
  ['{"best_quotes": ["one", "two', "best quotes: one\ntwo"],
  ["\uD3EC장은", "\uD3EC장은"],
  ['{"a": "\\ud3ec', "a: \uD3EC"],
  ["Plain words { stay", "Plain words { stay"],
])("of %j a reader sees %j", (raw, said) => {
  expect(readPartial(raw)).toBe(said);
});

it("whatever has come so far can be read, and no text value is lost when all has come", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string({ minLength: 1 })), fc.nat(), (value, cut) => {
      const raw = JSON.stringify(value);
      readPartial(raw.slice(0, cut % (raw.length + 1)));
      const words = readPartial(raw);
      for (const text of Object.values(value)) if (/^[\w ]+$/.test(text)) expect(words).toContain(text);
    }),
  );
});

it.each([
  ["log_focused", "log focused"],
  ["round-table", "round table"],
  ["Log-Focused", "Log-Focused"],
  ["GPT-5", "GPT-5"],
])("the name %j is read as %j: what was written as a name stays", (name, said) => {
  expect(sayName(name)).toBe(said);
});
