import { describe, expect, it } from "vitest";
import type { Section } from "../../contract/view.ts";
import { question } from "../../packs/question/pack.ts";
import { memoryStore } from "../../store/memory-store.ts";
import { castOfStrings } from "../cast-of.ts";
import { readRun } from "../read-run.ts";
import { startRun } from "../start-run.ts";
import { exportHtml } from "./export-html.ts";
import { exportJsonl } from "./export-jsonl.ts";
import { exportMarkdown } from "./export-markdown.ts";
import { exportPage } from "./export-page.ts";
import { markedHtml, sectionHtml } from "./html-sections.ts";

const hostile = `</style></script><script>alert(1)</script><img src=x onerror="alert(2)"> javascript:alert(3) \u202Eevil\u0000 [x](javascript:alert(4)) \`\`\`\`\n# heading`;

async function hostilePage() {
  const store = memoryStore();
  const docs = [{ id: `${hostile} a.txt`, text: `Ida Holm sold the mill because ${hostile}` }];
  const setting = { store, castOf: castOfStrings(store) };
  const { runId } = await startRun(setting, {
    pack: question,
    input: { question: `Why did Ida Holm sell the mill? ${hostile}`, docs },
    config: { protocol: "courtroom" },
    cast: "expert",
  });
  return exportPage(store, question, await readRun(store, runId));
}

describe("the HTML export", () => {
  it("holds hostile text as text: no script, handler, link or outside resource of its making", async () => {
    const html = exportHtml(await hostilePage());
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(html).not.toMatch(
      /<(?:script|img|iframe|link|object|base|form)|<[^>]*\s(?:on\w+|src)=|<a href="(?!#)|url\(|@import/i,
    );
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(html).not.toContain("\u202E");
  });

  it("shows the decision, the rounds, each turn with its prompt, the rules and the cost", async () => {
    const html = exportHtml(await hostilePage());
    for (const text of [
      "The debate",
      "Round 1",
      "Round 3",
      "rebuttal",
      "prompt and raw reply",
      "Cost and settings",
      "[QUESTION]",
    ])
      expect(html).toContain(text);
  });

  it("marks are cut out of the text exactly; overlapping and impossible ones are passed over", () => {
    const marks = [
      { start: 4, end: 8, label: "good", tone: "good" as const },
      { start: 6, end: 9, label: "overlaps" },
      { start: 90, end: 99, label: "outside" },
    ];
    expect(markedHtml("the <b> food", marks)).toBe('the <mark class="tone-good" title="good">&lt;b&gt; </mark>food');
  });

  it.each<Section>([
    { kind: "facts", title: "t", rows: [{ label: "l", value: "v", tone: "good" }] },
    { kind: "text", title: "t", text: "a\n\nb" },
    { kind: "table", title: "t", columns: ["c"], rows: [["x"]] },
    { kind: "highlight", title: "t", text: "text", marks: [{ start: 0, end: 4, label: "all" }] },
    { kind: "lines", title: "t", lines: [{ ref: "app.log:3", text: "boom" }] },
    { kind: "steps", title: "t", steps: [{ label: "gate", outcome: "skip", detail: "low", numbers: { total: 1.6 } }] },
    { kind: "cards", title: "t", cards: [{ id: "C1", title: "claim", body: "b", links: ["K1"] }] },
    { kind: "series", title: "t", points: [{ label: "round 1", value: 85 }] },
  ])("draws a section of kind $kind", (section) => expect(sectionHtml(section)).toContain("<h2>t</h2>"));
});

it("the Markdown export keeps hostile text from becoming markup", async () => {
  const markdown = exportMarkdown(await hostilePage());
  expect(markdown.split("\n").filter((line) => line.startsWith("# "))).toHaveLength(1);
  const outsideCode = markdown.replaceAll(/(`{3,})json[\s\S]*?\n\1\n/g, "").replaceAll(/(?<!\\)`[^`]*`/g, "");
  expect(outsideCode).not.toMatch(/<script|(?<!\\)\]\(javascript|\u202E/);
});

it("the JSON Lines export is a line an event, ending with the end", async () => {
  const events = exportJsonl(await hostilePage())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string });
  expect(events.map((event) => event.type)).toEqual(["run", "turn", "turn", "turn", "turn", "turn", "ended"]);
});
