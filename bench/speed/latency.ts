/** One debate whose model takes 50 ms a call: against its critical path in process, against the bare AI SDK loop over HTTP. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { castOfStrings } from "../../src/runs/start/cast-of.ts";
import { sqliteStore } from "../../src/store/sqlite.ts";
import { bareDebate, type Pace } from "./bare-debate.ts";
import { callsPerDebate, stepsPerDebate } from "./debate-case.ts";
import { type Figure, figureOf, progress, quantile, report } from "./figure.ts";
import { mockModel } from "./mock-model.ts";
import { castOfPlayer, parleyDebate, playerOfModel } from "./parley-debate.ts";
import { startServerProcess } from "./server-process.ts";
import { withFolder } from "./with-folder.ts";

const latencyMs = 50;
const repetitions = 15;
const paces: Pace[] = ["parallel", "sequential"];

/** The time that the calls of a debate take by themselves: those of a round side by side, or one after the other. */
const criticalPathMs = { parallel: stepsPerDebate * latencyMs, sequential: callsPerDebate * latencyMs };
const width = { parallel: Number.POSITIVE_INFINITY, sequential: 1 };

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** The times of two ways to do the same, taken in turns. */
async function inTurns(name: string, own: () => Promise<unknown>, other: () => Promise<unknown>) {
  const times = { own: [] as number[], other: [] as number[] };
  for (let n = -2; n < repetitions; n += 1) {
    progress(`${name} ${Math.max(0, n + 1)}/${repetitions}`);
    const first = await millisecondsOf(n % 2 === 0 ? own : other);
    const second = await millisecondsOf(n % 2 === 0 ? other : own);
    if (n < 0) continue;
    times.own.push(n % 2 === 0 ? first : second);
    times.other.push(n % 2 === 0 ? second : first);
  }
  return times;
}

async function inProcess(pace: Pace, folder: string): Promise<Figure> {
  const model = mockModel(latencyMs);
  const store = sqliteStore(`${folder}/in-process-${pace}.db`);
  const castOf = castOfPlayer(playerOfModel(model, width[pace]));
  const name = `50 ms a call, in process, ${pace}`;
  const times = await inTurns(
    name,
    () => parleyDebate(store, castOf),
    () => bareDebate(model, pace),
  );
  await store.close();
  const path = criticalPathMs[pace];
  return figureOf(
    name,
    times.own.map((time) => time / path),
    {
      unit: "×",
      target: { atMost: 1.05 },
      note: `of its critical path, ${path} ms; the bare loop ${(quantile(times.other, 0.5) / path).toFixed(3)} ×`,
    },
  );
}

async function overHttp(pace: Pace, folder: string, baseUrl: string): Promise<Figure> {
  const store = sqliteStore(`${folder}/http-${pace}.db`);
  const limit = pace === "sequential" ? { max_concurrency: 1 } : {};
  const castOf = castOfStrings(store, { env: {}, endpoints: [{ name: "bench", base_url: baseUrl, ...limit }] });
  const provider = createOpenAICompatible({ name: "bench", baseURL: baseUrl, supportsStructuredOutputs: true });
  const bare = () => bareDebate(provider.chatModel("m"), pace);
  const name = `50 ms a call, over HTTP, ${pace}`;
  const times = await inTurns(name, () => parleyDebate(store, castOf, "bench/m"), bare);
  await store.close();
  const path = criticalPathMs[pace];
  return figureOf(
    name,
    times.own.map((time, index) => time / (times.other[index] ?? Number.NaN)),
    {
      unit: "×",
      target: { atMost: 1.03 },
      note: `of the bare loop; critical path: debate ${(quantile(times.own, 0.5) / path).toFixed(3)} ×, loop ${(quantile(times.other, 0.5) / path).toFixed(3)} ×`,
    },
  );
}

async function measure(): Promise<Figure[]> {
  const server = await startServerProcess(latencyMs);
  try {
    return await withFolder(async (folder) => {
      const figures: Figure[] = [];
      for (const pace of paces) figures.push(await inProcess(pace, folder));
      for (const pace of paces) figures.push(await overHttp(pace, folder, server.baseUrl));
      return figures;
    });
  } finally {
    server.stop();
  }
}

report(await measure());
