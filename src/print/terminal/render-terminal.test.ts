import fc from "fast-check";
import { expect, it } from "vitest";
import { hostileText, marks, sectionsWith } from "../../../test/support/sections.ts";
import type { Section } from "../../contract/view.ts";
import { measureDisplayWidth } from "../../text/layout.ts";
import { renderTerminal } from "./render-terminal.ts";

const plain = { width: 80, color: false };
const everyKind = (text: string): [string, Section][] => sectionsWith(text).map((section) => [section.kind, section]);

// oxlint-disable-next-line no-control-regex
const colours = /\u001B\[\d+m/g;
// oxlint-disable-next-line no-control-regex
const steering = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/;

it.each(everyKind("the words"))("a section of kind %s shows its title and its text", (_kind, section) => {
  const text = renderTerminal([{ ...section, title: "The title" }], plain);
  expect(text).toContain("The title");
  expect(text).toContain("the words");
});

it.each(everyKind("음식이 정말 맛있고 서비스도 친절했어요 incomprehensibilities ".repeat(6)))(
  "a section of kind %s keeps within the terminal, also with wide letters and long words",
  (_kind, section) => {
    for (const width of [40, 80])
      for (const line of renderTerminal([section], { width, color: true }).split("\n"))
        expect(measureDisplayWidth(line), line).toBeLessThanOrEqual(width);
  },
);

it.each(everyKind("the words"))(
  "in a section of kind %s colour changes the looks and not the words",
  (_kind, section) => {
    const painted = renderTerminal([section], { ...plain, color: true });
    expect(painted).toMatch(colours);
    expect(painted.replaceAll(colours, "")).toBe(renderTerminal([section], plain));
  },
);

it.each(everyKind(hostileText))("hostile text in a section of kind %s cannot steer the terminal", (_kind, section) => {
  expect(renderTerminal([section], { ...plain, color: true })).not.toMatch(steering);
});

it("no text ever steers the terminal", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...marks), maxLength: 30 }), (text) => {
      const shown = renderTerminal(sectionsWith(text), { ...plain, color: true });
      expect(shown.replaceAll(colours, "")).not.toMatch(steering);
    }),
    { numRuns: 60 },
  );
});

it("the verdict stands at the margin with how sure it is, and what follows is indented under its title", () => {
  const sections: Section[] = [
    {
      kind: "verdict",
      title: "Was it worth it?",
      answer: "No",
      tone: "bad",
      confidence: 0.72,
      points: ["it cost more"],
    },
    {
      kind: "facts",
      title: "Cost",
      rows: [
        { label: "calls", value: "12" },
        { label: "tokens used", value: "90" },
      ],
    },
    { kind: "text", title: "nothing", text: "" },
  ];
  expect(renderTerminal(sections, plain)).toBe(`Was it worth it?

● No   confidence 0.72 ▮▮▮▮▮▮▮▯▯▯
  · it cost more

Cost
  calls        12
  tokens used  90
`);
});

it("a table that is too wide is wrapped in its widest columns, and one with too many columns becomes blocks", () => {
  const columns = ["arm", { name: "score", numeric: true }, "why"];
  const row = ["vote", "85.0%", "because the openings agree in every case that was looked at"];
  expect(renderTerminal([{ kind: "table", title: "", columns, rows: [row] }], { width: 46, color: false })).toBe(
    `  arm   score  why
  vote  85.0%  because the openings agree in
               every case that was looked at
`,
  );
  const many = Array.from({ length: 9 }, (_, i) => `column ${i + 1}`);
  const wide = many.map((name) => `value of ${name}`);
  const text = renderTerminal([{ kind: "table", title: "", columns: many, rows: [wide] }], { width: 46, color: false });
  expect(text).toContain("  value of column 1\n    column 2  value of column 2\n");
});

it("marks stand under their words, also under wide letters", () => {
  const section: Section = {
    kind: "highlight",
    title: "",
    text: "배송은 빨라 ok",
    marks: [
      { start: 0, end: 2, label: "배송", tone: "good", kind: "subject" },
      { start: 4, end: 6, label: "배송", tone: "good" },
    ],
  };
  expect(renderTerminal([section], plain)).toBe("  배송은 빨라 ok\n  ^^^^   ++++\n");
});
