import type { EntryBody } from "../../src/contract/journal.ts";
import type { Run } from "../../src/contract/run.ts";
import { createRunId } from "../../src/runs/record/run-id.ts";
import { sqliteStore } from "../../src/store/sqlite.ts";
import { figureOf, quantile } from "../speed/figure.ts";
import { withFolder } from "../speed/with-folder.ts";
import { createEnd, createRun } from "../../test/support/stored-run.ts";
import { openBenchServer } from "./open-bench-server.ts";

const count = Number(process.env.PARLEY_BENCH_RUNS ?? 100_000);
const words =
  "coffee barista service railway mill trade court adat land heir timeout pool disk queue node latency".split(" ");
const pick = (n: number): string => words[n % words.length] ?? "";

function describeRun(n: number): Run {
  const text = Array.from({ length: 40 }, (_, k) => `${pick(n * 7 + k * k)}${(n * 31 + k) % 997}`).join(" ");
  const atMs = Date.UTC(2026, 0, 1) + n * 1_000;
  return createRun(createRunId(atMs), {
    pack: ["question", "sentiment", "law", "root-cause"][n % 4] ?? "",
    input: { question: `${pick(n)} ${text}` },
    caseId: `case-${n % 1_000}`,
    batch: n % 3 === 0 ? `batch-${n % 50}` : null,
    createdAt: new Date(atMs).toISOString(),
  });
}

const end = (n: number): EntryBody =>
  createEnd(
    { answer: `${pick(n * 3)} because of ${pick(n * 5)}${n % 333}` },
    n % 50 === 0 ? "escalated" : n % 7 === 0 ? "undecided" : "decided",
  );

const queries: Record<string, string[]> = {
  "list page": [
    "limit=50",
    "limit=50&pack=law",
    "limit=50&outcome=decided",
    "limit=50&outcome=escalated",
    "limit=50&batch=batch-3",
    "limit=50&case=case-7",
    "limit=50&pack=law&outcome=escalated",
    "limit=50&from=2026-01-01T12:00:00Z&to=2026-01-01T13:00:00Z",
  ],
  "list page by words": [
    "text=coffee",
    "text=coffee&pack=law",
    "text=barista12",
    "text=railway%20mill",
    "text=because%20adat",
    "text=nowhere",
    "text=coffee&outcome=escalated",
  ],
};

await withFolder(async (folder) => {
  const store = sqliteStore(`${folder}/parley.db`);
  const ids: string[] = [];
  for (let n = 0; n < count; n += 500)
    await Promise.all(
      Array.from({ length: Math.min(500, count - n) }, async (_, k) => {
        const run = describeRun(n + k);
        ids.push(run.id);
        await store.create(run);
        await (await store.journal(run.id)).append(end(n + k), []);
      }),
    );
  const server = openBenchServer(store);
  const figures = [];
  for (const [name, list] of Object.entries(queries)) {
    const times: number[] = [];
    for (let round = 0; round < 12; round += 1)
      for (const query of [...list, `${list[0]}&after=${ids[(round * 7_919) % ids.length]}`]) {
        const startedMs = performance.now();
        const response = await server.ask(`/api/runs?${query}`);
        await response.text();
        if (response.status !== 200) throw new Error(`${query}: ${response.status}`);
        if (round > 0) times.push(performance.now() - startedMs);
      }
    const note = `ms, p95 over ${times.length} requests to ${count.toLocaleString("en")} runs; median ${quantile(times, 0.5).toFixed(1)}`;
    figures.push(figureOf(`${name}, p95`, [quantile(times, 0.95)], { unit: "", target: { atMost: 100 }, note }));
  }
  await store.close();
  console.log(JSON.stringify(figures));
});
