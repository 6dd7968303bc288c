import fc from "fast-check";
import { expect, it } from "vitest";
import { hostileText, marks, sectionsWith } from "../../../test/support/sections.ts";
import type { Section } from "../../contract/view.ts";
import { drawPage } from "./draw-page.ts";
import { withMarks } from "./marks.ts";
import { listContents, renderHtml } from "./render-html.ts";

const kinds = new Set(sectionsWith("x").map(({ kind }) => kind));

const tag = /<\/?[a-z][a-z0-9]*((?: [a-zA-Z0-9-]+(?:="[^"<>]*")?)*)\/?>/g;

/** The markup without the tags that the renderer writes itself; an unescaped mark from the data would be left. */
function withoutTags(markup: string): string {
  return markup.replaceAll(tag, "");
}

/** The names of all attributes in the markup. */
function attributesIn(markup: string): Set<string> {
  const written = [...markup.matchAll(tag)].map(([, attributes = ""]) => attributes.replaceAll(/="[^"]*"/g, ""));
  return new Set(written.flatMap((names) => names.trim().split(" ")));
}

it.each([...kinds])("a section of kind %s shows its title and its text", (kind) => {
  const [section] = sectionsWith("the words").filter((one) => one.kind === kind);
  const markup = renderHtml(section ? [{ ...section, title: "The title" }] : []).markup;
  expect(markup).toContain('<h2 id="section-1">The title</h2>');
  expect(markup).toContain("the words");
});

it.each(sectionsWith(hostileText).map((section): [string, Section] => [section.kind, section]))(
  "hostile text in a section of kind %s stays text",
  (_kind, section) => {
    const { markup } = renderHtml([section]);
    expect(withoutTags(markup)).not.toMatch(/[<>"\u0000\u001B\u202E]/);
    expect(markup).not.toMatch(/<(?:script|img|style|link|iframe)/);
    expect([...attributesIn(markup)].filter((name) => /^on|^src$/.test(name))).toEqual([]);
    expect(markup).toContain("&lt;script&gt;alert(1)");
  },
);

it("no text ever opens a tag or leaves an attribute", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...marks), maxLength: 30 }), (text) => {
      const { markup } = renderHtml(sectionsWith(text));
      expect(withoutTags(markup)).not.toMatch(/[<>"]/);
    }),
    { numRuns: 60 },
  );
});

it("every link leads to something on the page", () => {
  const { markup } = renderHtml(sectionsWith(hostileText));
  const ids = new Set([...markup.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id));
  const targets = [...markup.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id);
  expect(targets.length).toBeGreaterThan(3);
  expect(targets.filter((target) => !ids.has(target ?? ""))).toEqual([]);
});

it("a card links to cards and turns that are on the page; others are only named", () => {
  const cards = [
    { id: "C1", title: "claim", body: "b", links: ["K1", "1/say/a", "gone"] },
    { id: "K1", title: "critique", body: "b" },
  ];
  const { markup } = renderHtml([{ kind: "cards", title: "t", cards }], { turns: new Set(["1/say/a"]) });
  expect(markup).toContain('<a href="#card-K1">K1</a> <a href="#turn-1/say/a">1/say/a</a> <span>gone</span>');
});

it("marks are cut out of the text exactly; overlapping and impossible ones are passed over", () => {
  const given = [
    { start: 4, end: 8, label: "good", tone: "good" as const },
    { start: 6, end: 9, label: "overlaps" },
    { start: 90, end: 99, label: "outside" },
  ];
  expect(withMarks("the <b> food", given).markup).toBe(
    'the <mark class="tone-good" title="good">&lt;b&gt; </mark>food',
  );
});

it("a number leads to its runs only where the page has them", () => {
  const table: Section = { kind: "table", title: "t", columns: ["a"], rows: [[{ text: "7", runs: "3" }]] };
  const run = { run: "r1", arm: "a", case: "c", seed: 1, outcome: "decided", score: null, right: null, tokens: 0 };
  const runs: Section = { kind: "runs", title: "Runs", rows: [run], sets: [{ id: "3", title: "seven", rows: [0] }] };
  expect(renderHtml([table]).markup).not.toContain("href");
  expect(renderHtml([table, runs]).markup).toContain('<a class="n" href="#runs-3">7</a>');
});

it("what is empty is left out, with its title and its link", () => {
  const sections: Section[] = [
    { kind: "text", title: "nothing", text: " " },
    { kind: "group", title: "nothing inside", sections: [{ kind: "table", title: "", columns: ["a"], rows: [] }] },
    { kind: "text", title: "something", text: "x" },
  ];
  expect(renderHtml(sections).markup).not.toContain("nothing");
  expect(listContents(sections)).toEqual([{ id: "section-3", title: "something" }]);
});

it("a page asks for nothing and runs nothing", () => {
  const sections = sectionsWith(hostileText);
  const main = renderHtml(sections);
  const page = drawPage({
    title: hostileText,
    language: "en",
    head: main,
    contents: listContents(sections),
    main,
    foot: main,
  });
  expect(page).not.toMatch(/<script|<link|<img|url\(|@import/);
  expect(page).toContain("default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'");
});
