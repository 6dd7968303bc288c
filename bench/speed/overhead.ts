/** What a call costs in a debate with a model that answers at once, as a share of what it costs in a bare AI SDK loop. */
import { memoryStore } from "../../src/store/sqlite.ts";
import { sqliteStore } from "../../src/store/sqlite.ts";
import { bareDebate } from "./bare-debate.ts";
import { callsPerDebate } from "./debate-case.ts";
import { type Figure, figureOf, progress, quantile, report } from "./figure.ts";
import { mockModel } from "./mock-model.ts";
import { castOfPlayer, parleyDebate, playerOfModel } from "./parley-debate.ts";
import { withFolder } from "./with-folder.ts";

const repetitions = 15;
const debates = 200;
const warmups = 5;

/** Microseconds of processor time per call over many debates: it holds still on a shared machine, wall time does not. */
async function measureCpu(debate: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let n = 0; n < debates; n += 1) await debate();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (debates * callsPerDebate);
}

type Costs = { bare: number; memory: number; sqlite: number }[];

async function measure(folder: string): Promise<Figure[]> {
  const model = mockModel(0);
  const castOf = castOfPlayer(playerOfModel(model));
  const disk = sqliteStore(`${folder}/parley.db`);
  const costs: Costs = [];
  for (let n = -warmups; n < repetitions; n += 1) {
    progress(`overhead ${Math.max(0, n + 1)}/${repetitions}`);
    const bare = await measureCpu(() => bareDebate(model, "parallel"));
    const memory = await measureCpu(() => parleyDebate(memoryStore(), castOf));
    const sqlite = await measureCpu(() => parleyDebate(disk, castOf));
    if (n >= 0) costs.push({ bare, memory, sqlite });
  }
  await disk.close();
  return [compare("journaled call / AI SDK call", "sqlite", 2), compare("call in memory / AI SDK call", "memory", 0.6)];

  function compare(name: string, arm: "memory" | "sqlite", atMost: number): Figure {
    const middle = (of: keyof Costs[number]): string =>
      `${quantile(
        costs.map((cost) => cost[of]),
        0.5,
      ).toFixed(0)} µs`;
    const ratios = costs.map((cost) => cost[arm] / cost.bare);
    const note = `CPU per call: debate ${middle(arm)}, AI SDK ${middle("bare")}`;
    return figureOf(name, ratios, { unit: "×", target: { atMost }, note });
  }
}

report(await withFolder(measure));
