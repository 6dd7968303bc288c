import type { Command } from "commander";
import { hostname } from "node:os";
import { ParleyError } from "../contract/error.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { dayBudget } from "../store/store.ts";
import type { NextStep } from "../fleet/run-worker.ts";
import { listPackNames, requirePackName } from "../packs/registry.ts";
import { budgetOfBatch, withBudgets } from "../runs/budgets.ts";
import { readServerSettings, type UserConfig } from "../runs/settings.ts";
import { castOfStrings } from "../runs/cast.ts";
import { formatDuration } from "../text/format.ts";
import { defineCommand, flag, type Given, parsed, text, withDefault } from "./command.ts";
import type { Io } from "./io.ts";
import { configOption, parseConcurrency, parseDuration, serverSetOption, storeOption } from "./options.ts";
import { pickCastOptions, reportKeyUse } from "./settings.ts";
import { withFleet } from "./stores.ts";

const options = {
  concurrency: withDefault(parsed("<number>", "runs at once", parseConcurrency), 8),
  packs: text("<names>", "only runs of these packs, e.g. law,question"),
  ...serverSetOption,
  quiet: flag("no log"),
  ...storeOption,
  ...configOption,
};

export function command(io: Io): Command {
  return defineCommand({
    name: "worker",
    options,
    async action(given) {
      const packs = readPacks(given.packs);
      const connections = Math.min(12, 4 + Math.ceil(given.concurrency / 8));
      await withFleet(io, given, (fleet, config) => work(io, { ...given, packs }, fleet, config), {
        supervise: true,
        connections,
      });
    },
  });
}

type Work = Omit<Given<typeof options>, "packs"> & { packs: string[] };

async function work(io: Io, given: Work, fleet: Fleet, config: UserConfig): Promise<void> {
  const { runWorker } = await import("../fleet/run-worker.ts");
  const { createSharedLimiters, createPostgresLimits } = await import("../fleet/shared-limiters.ts");
  const { createRollCall } = await import("../fleet/read-fleet.ts");
  const graceMs = parseDuration(readServerSettings(config, given.set).grace ?? "20s");
  // A second signal still ends it at once.
  if (io.grace) io.grace.ms = graceMs + 5_000;
  const { concurrency, packs } = given;
  const { database, store, queue, budgets } = fleet;
  const limiters = createSharedLimiters(createPostgresLimits(database));
  const rollCall = createRollCall(database);
  const castOf = castOfStrings(store, { ...pickCastOptions(io, config), person: null, limiters }, reportKeyUse(io));
  const say = given.quiet ? () => undefined : io.err;
  say(`parley worker ${process.pid}: up to ${concurrency} runs of ${packs.join(", ")} from ${store.location}\n`);
  try {
    await runWorker({
      store,
      queue,
      castFor: ({ batch }) =>
        withBudgets(castOf, [budgets.level(batch === null ? [dayBudget] : [dayBudget, budgetOfBatch(batch)])]),
      packs,
      concurrency,
      signal: io.signal,
      graceMs,
      onAlive: (playing) => rollCall.answer({ host: hostname(), pid: process.pid, packs, concurrency, playing }),
      onStep: (run, step) => say(`run ${run} ${describeStep(step)}\n`),
    });
  } finally {
    await limiters.close();
    await rollCall.leave().catch(() => undefined);
  }
  throw new ParleyError("interrupted", "the worker was stopped; another worker continues its unfinished runs");
}

function readPacks(text: string | undefined): string[] {
  if (text === undefined) return listPackNames();
  return [...new Set(text.split(",").map((name) => requirePackName(name.trim())))];
}

function describeStep(step: NextStep): string {
  if (step.step === "done") return "ended, or waits for a person";
  if (step.step === "give_up") return `is given up: ${step.reason}`;
  if (step.step === "leave") return "is left to another";
  return `is given back${step.delayMs > 0 ? `, to be tried in ${formatDuration(step.delayMs)}` : ""}`;
}
