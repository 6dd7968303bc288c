import fc from "fast-check";
import { expect, it } from "vitest";
import type { Prompt } from "../contract/prompt.ts";
import { buildPieces, renderBlock, renderPrompt } from "./prompt.ts";

it("no content can close its own fence", () => {
  const hostile = fc.string({ unit: fc.constantFrom("`", "\n", "a", "[", "]") });
  fc.assert(
    fc.property(hostile, (text) => {
      const [, fence = "", inside] =
        /^\[DOC\]\n(`{3,})text\n([\s\S]*)\n\1\n$/.exec(renderBlock({ label: "DOC", text })) ?? [];
      expect(inside).toBe(text);
      expect(text).not.toContain(fence);
    }),
  );
});

it("a label is one short line, whoever named it", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("`", "\n", "\r", "\u2028", "\u202E", "]", "[", "a", "\u{1F600}") }),
      (label) => {
        const [first = "", second] = renderBlock({ label, text: "x" }).split("\n");
        expect(first).toMatch(/^\[[^[\]`\p{Cc}\p{Cf}\p{Zl}]{0,120}\]$/u);
        expect(second).toBe("```text");
      },
    ),
  );
});

it("prompts that begin alike share their pieces, and any change gives other names", () => {
  const build = (prompt: Prompt) => buildPieces(renderPrompt(prompt));
  const history = [
    { label: "H1", text: "one" },
    { label: "H2", text: "two" },
  ];
  const first = build({ instructions: "i", blocks: history.slice(0, 1), own: [{ label: "YOU", text: "a" }] });
  const second = build({ instructions: "i", blocks: history, own: [{ label: "YOU", text: "a" }] });
  expect(second.slice(0, 2)).toEqual(first.slice(0, 2));
  expect(second[3]?.hash).not.toBe(first[2]?.hash);
  expect(build({ instructions: "j", blocks: history, own: [] })[1]?.hash).not.toBe(first[1]?.hash);
});
