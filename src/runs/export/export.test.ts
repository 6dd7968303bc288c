import { describe, expect, it } from "vitest";
import { question } from "../../packs/question/pack.ts";
import { loadPageRenderer } from "../../print/viewer-build.ts";
import { memoryStore } from "../../store/sqlite.ts";
import { castOfStrings } from "../cast.ts";
import { readRun } from "../read-run.ts";
import { startRun } from "../start.ts";
import { makeWhySections } from "../why.ts";
import { exportHtml } from "./export-run.ts";
import { exportMarkdown } from "./export-run.ts";
import { exportPage } from "./export-run.ts";

const pages = await loadPageRenderer();
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
  return exportPage(question, await readRun(store, runId));
}

describe("the HTML export", () => {
  it("holds hostile text as text: no script, handler, link or outside resource of its making", async () => {
    const html = exportHtml(await hostilePage(), pages);
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(html).not.toMatch(/<(?:script|img|iframe|link|object|base|form)|href="(?!#)|url\(|@import/i);
    const withoutAttributeValues = html.replaceAll(/(<[^>"]*(?:"[^"]*"[^>"]*)*>)/g, (tag) =>
      tag.replaceAll(/"[^"]*"/g, ""),
    );
    expect(withoutAttributeValues).not.toMatch(/<[^>]*\s(?:on\w+|src)=/i);
    expect(html).toContain(
      `content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"`,
    );
    expect(html).not.toContain("\u202E");
  });

  it("shows the decision, the rounds, each turn, the rules and the cost", async () => {
    const html = exportHtml(await hostilePage(), pages);
    for (const text of ["The debate", "Round 1", "rebuttal", "Cost and settings"]) expect(html).toContain(text);
  });

  it("every link leads to something on the page, and no id is there twice", async () => {
    const html = exportHtml(await hostilePage(), pages);
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = [...html.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id);
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
    expect(targets.length).toBeGreaterThan(8);
  });

  it("what decided comes first, then what it depends on", async () => {
    const change = { kind: "setting", setting: "max_rounds", from: 3, to: 1 } as const;
    const flips = [{ name: "answer", before: "yes", after: "no" }];
    const none = { turns: [], parts: [], scores: [] };
    const weighed = { run: "r", headline: { answer: "yes" }, ...none, tried: 3, untried: 2 };
    const page = { ...(await hostilePage()), why: makeWhySections({ ...weighed, settings: [{ change, flips }] }) };
    const html = exportHtml(page, pages);
    const order = ["outcome-line", "What does the decision depend on?</h2>", "The debate</h2>"];
    const places = order.map((text) => html.indexOf(text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(html).toMatch(/<th[^>]*scope="row"><span[^>]*>max_rounds is 1 instead of 3<.*answer: yes → no/);
    expect(html).toContain("2 more changes were not tried");
    expect(exportMarkdown(page)).toContain("| max\\_rounds is 1 instead of 3 | answer: yes → no |");
  });

  it("the last round is open, the earlier ones on demand", async () => {
    const page = await hostilePage();
    const stages = Array.from({ length: 12 }, (_, index) => ({ title: `Round ${index + 1}`, turns: [] }));
    const html = exportHtml({ ...page, story: { ...page.story, stages } }, pages);
    const open = [...html.matchAll(/class="stage" open=""><summary>Round (\d+)/g)].map(([, round]) => Number(round));
    expect(open).toEqual([12]);
    expect(html.match(/<details class="stage"/g)).toHaveLength(12);
  });

  it.each([
    ["id", ["Jalannya debat", "5 dari 5 giliran dijawab", "Dibuat oleh Parley"]],
    ["ko", ["토론", "발언 5회 중 5회 답변", "작성"]],
  ] as const)("a page in %s has its frame in that language", async (language, said) => {
    const hostileRun = await hostilePage();
    const stages = hostileRun.story.stages.map((stage) => ({ ...stage, title: "–" }));
    const page = { ...hostileRun, language, story: { ...hostileRun.story, stages } };
    for (const text of [exportHtml(page, pages), exportMarkdown(page)]) {
      for (const words of said) expect(text).toContain(words);
      expect(text).not.toMatch(
        /The debate|What the rules decided|turns answered|no model calls|Written by|Cost and settings|Round \d|raw repl/,
      );
    }
  });

  it("a run that has not ended says so, and how to go on", async () => {
    const page = await hostilePage();
    const waiting = {
      ...page,
      result: null,
      headline: {},
      sections: [],
      run: { ...page.run, status: "waiting" as const },
    };
    expect(exportHtml(waiting, pages)).toContain(
      `not finished</span> waiting for a person: <code>parley review ${page.run.id}`,
    );
    expect(exportMarkdown(waiting)).toContain(
      `**not finished** · 5 turns so far; waiting for a person: \`parley review`,
    );
  });
});

it("the Markdown export keeps hostile text from becoming markup", async () => {
  const markdown = exportMarkdown(await hostilePage());
  expect(markdown.split("\n").filter((line) => line.startsWith("# "))).toHaveLength(1);
  expect(markdown).not.toMatch(/<script|<img|(?<!\\)\]\(javascript|\u202E|(?<!\\)`{3}/);
});
