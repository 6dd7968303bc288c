/**
 * What a call costs with a model that answers at once, as a share of what it costs in a bare AI SDK loop. Orchestration is
 * what a debate costs a call beyond making the call: prompts, journal, reading, checks, rules, budget, the run's record.
 */
import { memoryStore } from "../../src/store/memory-store.ts";
import { sqliteStore } from "../../src/store/sqlite.ts";
import { openSync, closeSync } from "node:fs";
import { bareDebate } from "./bare-debate.ts";
import { callsPerDebate } from "./debate-case.ts";
import { type Figure, figureOf, progress, quantile, report } from "./figure.ts";
import { appendTo } from "./floor.ts";
import { mockModel } from "./mock-model.ts";
import { callsAlone, castOfPlayer, parleyDebate, playerOfModel } from "./parley-debate.ts";
import { withFolder } from "./with-folder.ts";

const repetitions = 15;
const debates = 200;
const warmups = 5;

type Cost = { cpu: number; wall: number };

/**
 * Microseconds a call of `debates` debates in a row, with the garbage they make. CPU time holds still on a shared machine;
 * wall time does not.
 */
async function costPerCall(debate: () => Promise<unknown>): Promise<Cost> {
  const started = performance.now();
  const before = process.cpuUsage();
  for (let n = 0; n < debates; n += 1) await debate();
  const { user, system } = process.cpuUsage(before);
  const calls = debates * callsPerDebate;
  return { cpu: (user + system) / calls, wall: ((performance.now() - started) * 1000) / calls };
}

async function measure(): Promise<Figure[]> {
  const model = mockModel(0);
  const player = playerOfModel(model);
  const castOf = castOfPlayer(player);
  return withFolder(async (folder) => {
    const disk = sqliteStore(`${folder}/parley.db`);
    const journal = openSync(`${folder}/floor.jsonl`, "a");
    const costs = await costsOf({
      bare: () => bareDebate(model, "parallel"),
      floor: () => bareDebate(model, "parallel", appendTo(journal)),
      calls: await callsAlone(player),
      memory: () => parleyDebate(memoryStore(), castOf),
      sqlite: () => parleyDebate(disk, castOf),
    });
    await disk.close();
    closeSync(journal);
    return computeFigures(costs);
  });
}

type Arm = "bare" | "floor" | "calls" | "memory" | "sqlite";
type Costs = Record<Arm, Cost>[];

async function costsOf(arms: Record<Arm, () => Promise<unknown>>): Promise<Costs> {
  const costs: Costs = [];
  for (let n = -warmups; n < repetitions; n += 1) {
    progress(`overhead ${Math.max(0, n + 1)}/${repetitions}`);
    const bare = await costPerCall(arms.bare);
    const floor = await costPerCall(arms.floor);
    const calls = await costPerCall(arms.calls);
    const memory = await costPerCall(arms.memory);
    const sqlite = await costPerCall(arms.sqlite);
    if (n >= 0) costs.push({ bare, floor, calls, memory, sqlite });
  }
  return costs;
}

function computeFigures(costs: Costs): Figure[] {
  const cpu = (arm: Arm): string =>
    `${quantile(
      costs.map((cost) => cost[arm].cpu),
      0.5,
    ).toFixed(0)} µs`;
  const whole = (arm: Arm): number[] => costs.map((cost) => cost[arm].cpu / cost.bare.cpu);
  const added = (arm: Arm): number[] => costs.map((cost) => (cost[arm].cpu - cost.calls.cpu) / cost.bare.cpu);
  const wall = (arm: Arm): string =>
    quantile(
      costs.map((cost) => cost[arm].wall / cost.bare.wall),
      0.5,
    ).toFixed(2);
  const note = (arm: Arm): string =>
    `CPU a call: debate ${cpu(arm)}, its calls alone ${cpu("calls")}, AI SDK ${cpu("bare")}`;
  const against = (arm: Arm): string => `everything, the calls included; wall time ${wall(arm)} ×`;
  return [
    figureOf("the floor: bare loop that appends its answers to a file", whole("floor"), {
      unit: "×",
      target: null,
      note: `of the bare loop; CPU a call ${cpu("floor")}`,
    }),
    figureOf("orchestration a call, memory store", added("memory"), {
      unit: "×",
      target: { atMost: 0.4 },
      note: note("memory"),
    }),
    figureOf("orchestration a call, SQLite journal", added("sqlite"), {
      unit: "×",
      target: { atMost: 0.9 },
      note: note("sqlite"),
    }),
    figureOf("whole debate / bare loop, memory store", whole("memory"), {
      unit: "×",
      target: null,
      note: against("memory"),
    }),
    figureOf("whole debate / bare loop, SQLite journal", whole("sqlite"), {
      unit: "×",
      target: null,
      note: against("sqlite"),
    }),
  ];
}

report(await measure());
