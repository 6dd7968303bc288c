import { expect, it } from "vitest";
import { isEmpty, textBlocks } from "./section-parts.ts";
import type { Section } from "./view.ts";

it("an empty line ends a paragraph, and marked lines are items", () => {
  expect(textBlocks("Readings:\n- one\n- two\n\nIn the end\nboth hold.\n\n1. first\n2. second")).toEqual([
    { kind: "lines", lines: ["Readings:"] },
    { kind: "list", ordered: false, items: ["one", "two"] },
    { kind: "lines", lines: ["In the end", "both hold."] },
    { kind: "list", ordered: true, items: ["first", "second"] },
  ]);
});

it("what only looks like a mark stays text", () => {
  expect(textBlocks("-5 degrees\n1.5 times\n- ")).toEqual([{ kind: "lines", lines: ["-5 degrees", "1.5 times", "-"] }]);
});

it("a verdict is never empty, nor is a group with one; a chart without points is", () => {
  const verdict: Section = { kind: "verdict", title: "", answer: "yes", tone: "good", points: [] };
  expect(isEmpty(verdict)).toBe(false);
  expect(isEmpty({ kind: "group", title: "", sections: [{ kind: "text", title: "", text: " " }, verdict] })).toBe(
    false,
  );
  expect(isEmpty({ kind: "chart", title: "", chart: { type: "line", says: "", points: [] } })).toBe(true);
});
