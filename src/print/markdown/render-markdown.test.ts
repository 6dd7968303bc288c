import fc from "fast-check";
import { expect, it } from "vitest";
import { hostileText, marks, sectionsWith } from "../../../test/support/sections.ts";
import type { Chart, Section } from "../../contract/view.ts";
import { renderMarkdown } from "./render-markdown.ts";

/** What a Markdown reader would still act on: fenced code, escaped characters and our own folds are taken away. */
function actedOn(markdown: string): string {
  return markdown
    .replaceAll(/^(`{3,})\n[^]*?\n\1$/gm, "")
    .replaceAll(/^<details><summary>[^<>\n]*<\/summary>$|^<\/details>$/gm, "")
    .replaceAll("`parley show RUN`", "")
    .replaceAll(/\\[^\n]/g, "·");
}

const dangerous = /[<`[\]@]|:\/\/|www\./i;

it.each(sectionsWith("the words").map((section): [string, Section] => [section.kind, section]))(
  "a section of kind %s shows its title and its text",
  (_kind, section) => {
    const markdown = renderMarkdown([{ ...section, title: "The title" }]);
    expect(markdown).toContain("The title");
    expect(markdown.replaceAll("The title", "")).toContain("the words");
  },
);

it.each(sectionsWith(hostileText).map((section): [string, Section] => [section.kind, section]))(
  "hostile text in a section of kind %s stays text",
  (_kind, section) => {
    const markdown = renderMarkdown([section]);
    expect(actedOn(markdown)).not.toMatch(dangerous);
    expect(markdown).not.toMatch(/[\u0000\u001B\u202E]/);
    expect(
      actedOn(markdown)
        .split("\n")
        .filter((line) => line.startsWith("#")).length,
    ).toBeLessThanOrEqual(section.kind === "group" ? section.sections.length + 1 : 1);
  },
);

it("no text ever opens a tag, a link, a code span or a mention", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...marks), maxLength: 30 }), (text) => {
      const markdown = actedOn(renderMarkdown(sectionsWith(text)));
      expect(markdown).not.toMatch(dangerous);
      expect(markdown).not.toMatch(/^(?:=+|-+)\s*$/m);
    }),
    { numRuns: 60 },
  );
});

it("groups are headings one level down, and folded ones are opened on demand", () => {
  const inner: Section = { kind: "text", title: "inner", text: "words" };
  expect(renderMarkdown([{ kind: "group", title: "outer", sections: [inner] }])).toBe("## outer\n\n### inner\n\nwords");
  expect(renderMarkdown([{ kind: "group", title: "a < b", folded: true, sections: [inner] }])).toBe(
    "<details><summary>a &#60; b</summary>\n\n### inner\n\nwords\n\n</details>",
  );
});

it("a table says what a cell notes, and numbers stand flush right", () => {
  const section: Section = {
    kind: "table",
    title: "",
    columns: ["arm", { name: "score", numeric: true }],
    rows: [
      [
        { text: "vote", tag: "control" },
        { text: "85.0%", note: "64.0 to 94.8" },
      ],
    ],
  };
  expect(renderMarkdown([section])).toBe("| arm | score |\n| --- | ---: |\n| vote (control) | 85.0% (64.0 to 94.8) |");
});

it("code stays as it is, between fences that it cannot close", () => {
  expect(renderMarkdown([{ kind: "code", title: "", text: "a: 1\n```\n<b>\n" }])).toBe("````\na: 1\n```\n<b>\n````");
});

it("a picture whose numbers stand in a table beside it is left out", () => {
  const chart: Chart = { type: "line", says: "good", points: [{ name: "a", value: 1 }] };
  expect(renderMarkdown([{ kind: "chart", title: "t", chart, repeats: true }])).toBe("");
});
