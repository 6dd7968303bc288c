/**
 * 200 debates, 64 at once, over HTTP to an endpoint that takes 64 calls at once, kept in SQLite; at 200 ms a call,
 * which is quick for a hosted model, and at 50 ms. Possible
 * are 64 calls in flight from the first call to the last answer; the share is how many there were on average, the ramp at
 * the start and the tail at the end included. A call is in flight from its request to its answer, as its client sees it;
 * the server's view leaves out the time an answer waits to be read.
 */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { question as pack } from "../../src/packs/question/pack.ts";
import { runBatch } from "../../src/runs/batch/batch.ts";
import { type CaseRow, mapInOrder } from "../../src/runs/batch/case-rows.ts";
import { castOfStrings } from "../../src/runs/start/cast-of.ts";
import { sqliteStore } from "../../src/store/sqlite.ts";
import { bareDebate } from "./bare-debate.ts";
import { countCallsInFlight } from "./calls-in-flight.ts";
import { callsPerDebate, config, question } from "./debate-case.ts";
import { type Figure, figureOf, progress, quantile, report } from "./figure.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";
import { withFolder } from "./with-folder.ts";

const debates = 200;
const concurrency = 64;
const latencies = [
  { latencyMs: 200, repetitions: 2 },
  { latencyMs: 50, repetitions: 4 },
];

type Taken = { share: number; serverShare: number; cpuMs: number; perSecond: number };
const inFlight = countCallsInFlight();

async function taken(server: ServerProcess, work: () => Promise<void>): Promise<Taken> {
  await server.load();
  inFlight.reset();
  const before = process.cpuUsage();
  const started = performance.now();
  await work();
  const perSecond = debates / ((performance.now() - started) / 1000);
  const { user, system } = process.cpuUsage(before);
  const share = inFlight.meanSince() / concurrency;
  const { calls, inFlightMs, windowMs } = await server.load();
  if (calls !== debates * callsPerDebate) throw new Error(`the server saw ${calls} calls`);
  const cpuMs = (user + system) / 1000 / calls;
  return { share, serverShare: inFlightMs / (windowMs * concurrency), cpuMs, perSecond };
}

async function* rows(): AsyncGenerator<CaseRow> {
  for (let line = 1; line <= debates; line += 1)
    yield { id: String(line), line, input: { question: `${question} (${line})` }, problem: null };
}

async function runParley(folder: string, baseUrl: string, repetition: number): Promise<void> {
  const store = sqliteStore(`${folder}/${repetition}.db`);
  const endpoints = [{ name: "bench", base_url: baseUrl, max_concurrency: concurrency }];
  const setting = { store, castOf: castOfStrings(store, { env: {}, endpoints }) };
  const request = { config, cast: "bench/m" };
  let decided = 0;
  for await (const { outcome } of runBatch(setting, { pack, rows: rows(), request, concurrency }))
    decided += outcome === "decided" ? 1 : 0;
  await store.close();
  if (decided !== debates) throw new Error(`only ${decided} of ${debates} debates were decided`);
}

/** The bare loop's own 64 calls at once: as many debates as keep so many in flight, one call at a time each. */
async function runBare(baseUrl: string): Promise<void> {
  const provider = createOpenAICompatible({ name: "bench", baseURL: baseUrl, supportsStructuredOutputs: true });
  const work = () => bareDebate(provider.chatModel("m"), "sequential");
  for await (const _ of mapInOrder(rows(), concurrency, work));
}

async function measure(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { latencyMs, repetitions } of latencies) figures.push(...(await measureAt(latencyMs, repetitions)));
  return figures;
}

async function measureAt(latencyMs: number, repetitions: number): Promise<Figure[]> {
  const server = await startServerProcess(latencyMs);
  const own: Taken[] = [];
  const bare: Taken[] = [];
  try {
    await withFolder(async (folder) => {
      for (let n = 0; n < repetitions; n += 1) {
        progress(`throughput at ${latencyMs} ms ${n + 1}/${repetitions}`);
        own.push(await taken(server, () => runParley(folder, server.baseUrl, n)));
        bare.push(await taken(server, () => runBare(server.baseUrl)));
      }
    });
  } finally {
    server.stop();
  }
  return [
    figureOf(`${debates} debates at 64, ${latencyMs} ms: with journal / bare loop`, ratesOf(own, bare), {
      unit: "×",
      target: { atLeast: 0.88 },
      note: `debates a second: ${middleOf(own, "perSecond").toFixed(0)}, the bare loop ${middleOf(bare, "perSecond").toFixed(0)}`,
    }),
    figureOf(`  calls in flight`, sharesOf(own), {
      unit: "%",
      target: null,
      note: noteOf(own),
    }),
    figureOf(`  the same by the bare loop`, sharesOf(bare), { unit: "%", target: null, note: noteOf(bare) }),
  ];
}

function ratesOf(own: Taken[], bare: Taken[]): number[] {
  return own.map(({ perSecond }, index) => perSecond / (bare[index]?.perSecond ?? Number.NaN));
}

function sharesOf(all: Taken[]): number[] {
  return all.map((one) => one.share);
}

function noteOf(all: Taken[]): string {
  const share = middleOf(all, "serverShare") * 100;
  return `server's view ${share.toFixed(0)} %; ${middleOf(all, "cpuMs").toFixed(2)} ms of CPU a call`;
}

function middleOf(all: Taken[], what: keyof Taken): number {
  return quantile(
    all.map((one) => one[what]),
    0.5,
  );
}

report(await measure());
