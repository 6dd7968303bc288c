/** 200 debates, 64 at once, over HTTP to an endpoint that takes 64 calls at once and 50 ms for each, kept in SQLite. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { question as pack } from "../../src/packs/question/pack.ts";
import { type CaseRow, mapInOrder, runBatch } from "../../src/runs/batch.ts";
import { castOfStrings } from "../../src/runs/cast.ts";
import { sqliteStore } from "../../src/store/sqlite.ts";
import { bareDebate } from "./bare-debate.ts";
import { config, question } from "./debate-case.ts";
import { type Figure, figureOf, progress, quantile, report } from "./figure.ts";
import { withFolder } from "./with-folder.ts";

const debates = 200;
const concurrency = 64;
const latencyMs = 50;
const repetitions = 4;

async function* rows(): AsyncGenerator<CaseRow> {
  for (let line = 1; line <= debates; line += 1)
    yield { id: String(line), line, input: { question: `${question} (${line})` }, problem: null };
}

async function runParley(file: string, baseUrl: string): Promise<void> {
  const store = sqliteStore(file);
  const endpoints = [{ name: "bench", base_url: baseUrl, max_concurrency: concurrency }];
  const setting = { store, castOf: castOfStrings(store, { env: {}, endpoints }) };
  let decided = 0;
  const batch = { pack, rows: rows(), request: { config, cast: "bench/m" }, concurrency };
  for await (const { outcome } of runBatch(setting, batch)) decided += outcome === "decided" ? 1 : 0;
  await store.close();
  if (decided !== debates) throw new Error(`only ${decided} of ${debates} debates were decided`);
}

/** The bare loop's own 64 calls at once: as many debates as keep so many in flight, one call at a time each. */
async function runBare(baseUrl: string): Promise<void> {
  const provider = createOpenAICompatible({ name: "bench", baseURL: baseUrl, supportsStructuredOutputs: true });
  const work = () => bareDebate(provider.chatModel("m"), "sequential");
  for await (const _ of mapInOrder(rows(), concurrency, work));
}

async function measureRate(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return debates / ((performance.now() - startedMs) / 1000);
}

async function measure(folder: string): Promise<Figure[]> {
  const server = fork(new URL("./model-process.ts", import.meta.url).pathname, [String(latencyMs)]);
  const [baseUrl] = (await once(server, "message")) as [string];
  const own: number[] = [];
  const bare: number[] = [];
  try {
    for (let n = 0; n < repetitions; n += 1) {
      progress(`throughput ${n + 1}/${repetitions}`);
      own.push(await measureRate(() => runParley(`${folder}/${n}.db`, baseUrl)));
      bare.push(await measureRate(() => runBare(baseUrl)));
    }
  } finally {
    server.kill();
  }
  const middle = (rates: number[]): string => quantile(rates, 0.5).toFixed(0);
  return [
    figureOf(
      "64 debates at once / bare loop",
      own.map((rate, index) => rate / (bare[index] ?? Number.NaN)),
      { unit: "×", target: { atLeast: 0.88 }, note: `debates a second: ${middle(own)}, the bare loop ${middle(bare)}` },
    ),
  ];
}

report(await withFolder(measure));
