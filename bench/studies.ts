/** A study of many cases with experts: runs a second, the most memory held, and how both grow with the number of cases. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadPack } from "../src/packs/registry.ts";
import { castOfStrings } from "../src/runs/start/cast-of.ts";
import { sqliteStore } from "../src/store/sqlite/sqlite-store.ts";
import { writeReports } from "../src/studies/report/study-report.ts";
import { runStudy } from "../src/studies/run/run-study.ts";
import { parseStudy } from "../src/studies/study-file.ts";

const things = ["soup", "screen", "room", "waiter", "battery", "bread", "pool", "keyboard"];
const praise = ["excellent", "lovely", "fast", "fresh", "bright"];
const blame = ["awful", "slow", "broken", "stale", "noisy"];

const sizes = process.argv.slice(2).map(Number);
const rows: string[][] = [["cases", "runs", "seconds", "runs/s", "report s", "peak RSS MB", "heap at end MB"]];
for (const cases of sizes.length > 0 ? sizes : [250, 500, 1000, 2000]) rows.push(await measure(cases));
const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
for (const row of rows) console.log(row.map((cell, i) => cell.padStart(widths[i] ?? 0)).join("  "));

async function measure(cases: number): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-study-"));
  const store = sqliteStore(join(folder, "parley.db"));
  writeFileSync(
    join(folder, "cases.jsonl"),
    Array.from({ length: cases }, (_, i) => JSON.stringify(reviewOf(i))).join("\n"),
  );
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 50);
  const study = parseStudy(
    "study: bench\npack: sentiment\ndataset: { path: cases.jsonl, format: absa }\nconcurrency: 8\ncontrols: [single]\narms: [{ name: full }, { name: no_debate, config: { enable_debate: false } }]",
    "bench.yaml",
  );
  const pack = await loadPack("sentiment");
  const started = performance.now();
  const done = await runStudy({
    study,
    pack,
    folder,
    out: join(folder, "out"),
    runs: { store, castOf: castOfStrings(store) },
  });
  const ran = performance.now();
  writeReports(join(folder, "out"), done, pack);
  const reported = performance.now();
  clearInterval(watch);
  globalThis.gc?.();
  const heap = process.memoryUsage().heapUsed / 1e6;
  await store.close();
  rmSync(folder, { recursive: true });
  const seconds = (ran - started) / 1000;
  const runs = done.scorecards.length;
  return [
    cases,
    runs,
    seconds.toFixed(1),
    (runs / seconds).toFixed(0),
    ((reported - ran) / 1000).toFixed(1),
    (peak / 1e6).toFixed(0),
    heap.toFixed(0),
  ].map(String);
}

/** A review that no other one equals. */
function reviewOf(i: number) {
  const [first, second] = [things[i % 8] as string, things[(i + 3) % 8] as string];
  const [good, bad] = [praise[i % 5] as string, blame[(i >> 2) % 5] as string];
  const text = `Visit ${i}: the ${first} was ${good}, but the ${second} was ${bad}.`;
  const at = (term: string) => ({ term, from: text.indexOf(term), to: text.indexOf(term) + term.length });
  return {
    id: `r${i}`,
    lang: "en",
    domain: i % 2 === 0 ? "even" : "odd",
    text,
    aspects: [
      { ...at(first), polarity: "positive" },
      { ...at(second), polarity: "negative" },
    ],
  };
}
