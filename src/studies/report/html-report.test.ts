import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { colourPack, colours } from "../../../test/support/colour-pack.ts";
import { castOfStrings } from "../../runs/cast-of.ts";
import { memoryStore } from "../../store/memory-store.ts";
import { runStudy } from "../run/run-study.ts";
import { parseStudy } from "../study-file/read-study.ts";
import { summariseStudy } from "../summary/summarise-study.ts";
import { html, scriptJson, trusted } from "../../text/html.ts";
import { htmlReport } from "./html-report.ts";
import { markdownReport } from "./markdown-report.ts";

const evil = '<script>alert("x")</script>&"\'';

/** A study whose every text from outside tries to break out of the page. */
async function reports() {
  const folder = mkdtempSync(join(tmpdir(), "parley-report-"));
  const rows = Array.from({ length: 40 }, (_, i) => ({
    id: `${evil}-${i}`,
    input: { text: `a ${colours[i % 3]} thing ${i} ${evil}` },
    gold: colours[i % 3],
    strata: { group: i % 2 === 0 ? evil : "plain | text" },
  }));
  writeFileSync(join(folder, "cases.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"));
  const store = memoryStore();
  const text = JSON.stringify({
    study: "colours",
    about: evil,
    pack: "colour",
    dataset: { path: "cases.jsonl" },
    arms: [
      { name: "debate", about: evil },
      { name: "strict", redecide: "debate", config: { quorum: 3 } },
    ],
    seeds: [1, 2],
  });
  const study = parseStudy(text, "s.yaml");
  const done = await runStudy({
    study,
    pack: colourPack,
    folder,
    out: join(folder, "out"),
    runs: { store, castOf: castOfStrings(store) },
  });
  const summary = summariseStudy(done.manifest, done.scorecards, colourPack.measure);
  return { page: htmlReport(summary, done.scorecards), markdown: markdownReport(summary), summary, done };
}

it("is one file: no request leaves it, and nothing from outside becomes markup", async () => {
  const { page } = await reports();
  expect(page).not.toContain("<script>alert");
  const outside = page.replaceAll(/<svg[^]*?<\/svg>/g, "");
  expect(outside).not.toMatch(/(?:src|href)="(?!#|data:,")/);
  expect(page).not.toMatch(/@import|url\((?!#)/);
  expect(
    [...page.matchAll(/https?:\/\/[^"'\s]+/g)]
      .map(([url]) => url)
      .filter((url) => !url.startsWith("http://www.w3.org/")),
  ).toEqual([]);
  expect(page).toContain("default-src &#39;none&#39;");
});

it("has the verdict, every plot and every table, and the debate stands next to its controls", async () => {
  const { page, summary } = await reports();
  expect(page).toContain("Was the debate worth it?");
  for (const id of ["scores", "comparisons", "cost", "flips", "confidence", "rates", "strata", "method", "runs"])
    expect(page).toContain(`id="${id}"`);
  expect(page.match(/<figure>/g)?.length).toBeGreaterThanOrEqual(6);
  expect(summary.comparisons.map((one) => one.arm)).toEqual(["single", "vote", "strict"]);
  expect(page).toContain("calls were saved");
  expect(page).toContain("self_consistency</strong> was left out");
});

it("every linked number leads to a set of runs that exists", async () => {
  const { page, done } = await reports();
  const data = JSON.parse(/id="runs-data">([^]*?)<\/script>/.exec(page)?.[1] ?? "") as {
    rows: unknown[];
    sets: { rows: number[] }[];
  };
  expect(data.rows).toHaveLength(done.scorecards.length);
  const links = [...page.matchAll(/href="#runs-(\d+)"/g)].map((match) => Number(match[1]));
  expect(links.length).toBeGreaterThan(30);
  for (const link of links) expect(data.sets[link]).toBeDefined();
  for (const set of data.sets) for (const row of set.rows) expect(data.rows[row]).toBeDefined();
});

it("the same results give the same bytes", async () => {
  const { page, summary, done } = await reports();
  expect(htmlReport(summariseStudy(done.manifest, done.scorecards, colourPack.measure), done.scorecards)).toBe(page);
  expect(summary.missing).toBe(0);
});

it("Markdown carries the same numbers, and texts from outside cannot break its tables", async () => {
  const { markdown, summary } = await reports();
  expect(markdown).toContain("plain \\| text");
  expect(markdown).not.toContain("<script>");
  for (const { arm } of summary.arms) expect(markdown).toContain(`| ${arm.name} |`);
});

it("html escapes what it is given and leaves markup alone", () => {
  expect(html`<p title="${'"<&'}">${["a<", trusted("<b>x</b>"), null, 3]}</p>`.markup).toBe(
    '<p title="&#34;&#60;&#38;">a&#60;<b>x</b>3</p>',
  );
  expect(scriptJson({ a: "</script>" }).markup).toBe('{"a":"\\u003c/script>"}');
});
