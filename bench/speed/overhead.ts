/** What a call costs with a model that answers at once: all of Parley's work, against the AI SDK's own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore } from "../../src/store/memory-store.ts";
import { sqliteStore } from "../../src/store/sqlite-store.ts";
import { bareDebate } from "./bare-debate.ts";
import { callsPerDebate } from "./debate-case.ts";
import { type Figure, figureOf, progress, quantile, report } from "./figure.ts";
import { mockModel } from "./mock-model.ts";
import { castOfModel, parleyDebate } from "./parley-debate.ts";

const repetitions = 15;
const debates = 60;
const warmups = 4;

type Cost = { cpu: number; wall: number };

/** Microseconds a call of `debates` debates in a row. CPU time holds still on a shared machine; wall time does not. */
async function costPerCall(debate: () => Promise<unknown>): Promise<Cost> {
  globalThis.gc?.();
  const started = performance.now();
  const before = process.cpuUsage();
  for (let n = 0; n < debates; n += 1) await debate();
  const { user, system } = process.cpuUsage(before);
  const calls = debates * callsPerDebate;
  return { cpu: (user + system) / calls, wall: ((performance.now() - started) * 1000) / calls };
}

async function measure(): Promise<Figure[]> {
  const model = mockModel(0);
  const castOf = castOfModel(model);
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-"));
  const disk = sqliteStore(join(folder, "parley.db"));
  const costs = { bare: [] as Cost[], memory: [] as Cost[], sqlite: [] as Cost[] };
  for (let n = -warmups; n < repetitions; n += 1) {
    progress(`overhead ${Math.max(0, n + 1)}/${repetitions}`);
    const bare = await costPerCall(() => bareDebate(model, "parallel"));
    const memory = await costPerCall(() => parleyDebate(memoryStore(), castOf));
    const sqlite = await costPerCall(() => parleyDebate(disk, castOf));
    if (n < 0) continue;
    costs.bare.push(bare);
    costs.memory.push(memory);
    costs.sqlite.push(sqlite);
  }
  await disk.close();
  rmSync(folder, { recursive: true });
  const against = (own: Cost[], of: keyof Cost): number[] =>
    own.map((cost, index) => cost[of] / (costs.bare[index]?.[of] ?? Number.NaN));
  const middle = (own: Cost[]): string =>
    `${quantile(
      own.map((cost) => cost.cpu),
      0.5,
    ).toFixed(0)} µs`;
  const note = (own: Cost[]): string =>
    `CPU: ${middle(own)} against the AI SDK's ${middle(costs.bare)}; wall ${quantile(against(own, "wall"), 0.5).toFixed(2)} ×`;
  return [
    figureOf("overhead a call, memory store", against(costs.memory, "cpu"), {
      unit: "×",
      target: { atMost: 0.5 },
      note: note(costs.memory),
    }),
    figureOf("overhead a call, SQLite journal", against(costs.sqlite, "cpu"), {
      unit: "×",
      target: { atMost: 1.5 },
      note: note(costs.sqlite),
    }),
  ];
}

report(await measure());
