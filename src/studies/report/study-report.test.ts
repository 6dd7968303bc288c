import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { colourPack, colours } from "../../../test/support/colour-pack.ts";
import { castOfStrings } from "../../runs/cast.ts";
import { memoryStore } from "../../store/sqlite.ts";
import { runStudy } from "../run/run-study.ts";
import { parseStudy } from "../run/study-file.ts";
import { summariseStudy } from "../summary/summarise-study.ts";
import { renderTerminal } from "../../print/terminal/render-terminal.ts";
import { buildStudySections, htmlReport, markdownReport } from "./study-sections.ts";

const evil = '<script>alert("x")</script>&"\'';

/** A study whose every text from outside tries to break out of the page. */
async function reports() {
  const folder = mkdtempSync(join(tmpdir(), "parley-report-"));
  const rows = Array.from({ length: 40 }, (_, i) => ({
    id: `${evil}-${i}`,
    input: { text: `a ${colours[i % 3]} thing ${i} ${evil}` },
    gold: colours[i % 3],
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
  const sections = buildStudySections(summary, done.scorecards);
  const { manifest } = done;
  return {
    page: await htmlReport(manifest, sections),
    markdown: markdownReport(manifest, sections),
    sections,
    summary,
    done,
  };
}

it("is one file: no request leaves it, no script runs in it, and nothing from outside becomes markup", async () => {
  const { page } = await reports();
  expect(page).not.toMatch(/<script|<link|<img|@import|url\(/);
  expect(page).not.toMatch(/href="(?!#)/);
  expect(
    [...page.matchAll(/https?:\/\/[^"'\s]+/g)]
      .map(([url]) => url)
      .filter((url) => !url.startsWith("http://www.w3.org/")),
  ).toEqual([]);
  expect(page).toContain("default-src 'none'; style-src 'unsafe-inline'");
});

it("has the verdict, every plot and every table, and the debate stands next to its controls", async () => {
  const { page, summary } = await reports();
  expect(page).toContain("Was the debate worth it?");
  for (const id of ["scores", "flips", "panels", "metrics", "method", "runs"])
    expect(page).toContain(`<section class="section" id="${id}">`);
  for (const type of ["cost"]) expect(page).toContain(`<figure class="chart-${type}">`);
  expect(summary.comparisons.map((one) => one.arm)).toEqual(["single", "vote", "strict"]);
  expect(page).toContain("decided on recorded turns, which saved");
  expect(page).toContain("self_consistency was left out");
});

it("sections are plain data, and the same results give the same bytes", async () => {
  const { page, sections, summary, done } = await reports();
  const again = buildStudySections(summariseStudy(done.manifest, done.scorecards, colourPack.measure), done.scorecards);
  expect(JSON.parse(JSON.stringify(sections))).toEqual(JSON.parse(JSON.stringify(again)));
  expect(await htmlReport(done.manifest, JSON.parse(JSON.stringify(again)) as typeof again)).toBe(page);
  expect(summary.missing).toBe(0);
});

it("Markdown and the terminal carry the same numbers, and texts from outside cannot break their tables", async () => {
  const { markdown, sections, summary } = await reports();
  expect(markdown).not.toContain("<script>");
  const text = renderTerminal(sections, { width: 120, color: false });
  for (const { arm, primary } of summary.arms) {
    expect(markdown).toContain(`| ${arm.name} | ${arm.kind} |`);
    const score = `${((primary?.estimate ?? 0) * 100).toFixed(1)}%`;
    expect(text).toMatch(new RegExp(`^ +${arm.name} +${arm.kind} +${score}`, "m"));
  }
});
