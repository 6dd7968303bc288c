import type { Command } from "commander";
import type { FleetState } from "../contract/api/index.ts";
import { ParleyError } from "../contract/error.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { findRun } from "../runs/read-run.ts";
import { formatCount, formatDuration, shortenText } from "../text/format.ts";
import { defineCommand, flag } from "./command.ts";
import type { Io } from "./io.ts";
import { configOption, storeOption } from "./options.ts";
import { withFleet } from "./stores.ts";

const examples = `
Examples:
  watch parley store fleet --store postgres://…
  parley store fleet cancel 2b9x1k        take a run out of the queue, or stop it where it is
  parley store fleet cancel nightly       the same with every run of a batch or a study
  parley store fleet retry                hand out again what was given up`;

const place = { ...storeOption, ...configOption };

export function fleetCommand(io: Io): Command {
  return defineCommand({
    name: "fleet",
    about: "Shows the workers of a shared store, the queue, the spending and failed runs.",
    options: { json: flag("as JSON"), ...place },
    examples,
    action: (options) =>
      withFleet(io, options, async (fleet) => {
        const { readFleet } = await import("../fleet/read-fleet.ts");
        const state = await readFleet(fleet);
        if (options.json) io.jsonLines([state]);
        else io.out(formatFleet(state));
      }),
    commands: [
      defineCommand({
        name: "cancel",
        about: "Takes runs out of the queue; a run being played is stopped and can be retried.",
        arguments: { "<run>": "a run, or the name of a batch or a study" },
        options: place,
        action: (options, named: string) =>
          withFleet(io, options, async (fleet) => {
            const cancelled = await fleet.queue.cancel(await findRuns(fleet, named));
            if (cancelled.length === 0) throw new ParleyError("bad_input", "no such run is in the queue");
            io.out(`${formatCount(cancelled.length, "run")} taken out of the queue.\n`);
          }),
      }),
      defineCommand({
        name: "retry",
        about: "Puts runs into the queue again.",
        arguments: { "[run]": "a run, or the name of a batch or a study (default: every run that was given up)" },
        options: place,
        action: (options, named: string | undefined) =>
          withFleet(io, options, async (fleet) => {
            const runs =
              named === undefined
                ? (await fleet.queue.listDead()).map(({ run: id, pack }) => ({ id, pack }))
                : await findRuns(fleet, named);
            for (const one of runs) await fleet.queue.enqueue(one);
            io.out(`${formatCount(runs.length, "run")} put into the queue.\n`);
          }),
      }),
    ],
  });
}

async function findRuns({ store }: Fleet, named: string): Promise<{ id: string; pack: string }[]> {
  const batch = await store.list({ batch: named });
  const found = batch.length > 0 ? batch : [await findRun(store, named)];
  return found
    .filter(({ status, outcome }) => status !== "finished" || outcome === "failed")
    .map(({ id, manifest }) => ({ id, pack: manifest.pack }));
}

export function formatFleet({ workers, queues, runs, limits, purses, dead, deadCount }: FleetState): string {
  const count = <K extends string>(of: readonly Record<K, number>[], key: K): number =>
    of.reduce((sum, one) => sum + one[key], 0);
  const places = `${workers.length} alive, ${count(workers, "playing")} of ${count(workers, "concurrency")} places taken`;
  const oldest = Math.max(0, ...queues.map(({ oldestSeconds }) => oldestSeconds ?? 0)) * 1000;
  const wait = count(queues, "ready") > 0 ? `, the oldest for ${formatDuration(oldest)}` : "";
  const sections: Record<string, string[]> = {
    Workers: [workers.length === 0 ? "none alive" : places, ...workers.map(describeWorker)],
    Queue: [
      `${count(queues, "ready")} waiting${wait} · ${count(queues, "later")} to be tried later · ${count(queues, "playing")} with a worker`,
    ],
    Runs: [runs.map((state) => `${state.count} ${state.state}`).join(" · ") || "none"],
    Minute: limits.map(({ name, requests, tokens, pausedMs }) => {
      const pause = pausedMs > 0 ? ` · paused for ${formatDuration(pausedMs)}` : "";
      return `${shortenText(name)}: ${formatShare(requests)} calls · ${formatShare(tokens)} tokens${pause}`;
    }),
    Budget: purses.map(
      ({ name, calls, tokens, usd }) =>
        `${name}: ${formatShare(calls)} calls · ${formatShare(tokens)} tokens · ${formatShare(usd)} USD`,
    ),
    "Given up": [
      deadCount === 0 ? "nothing" : `${formatCount(deadCount, "run")}; try again with: parley store fleet retry RUN`,
      ...dead.map(({ run, pack, reason }) => `${run}  ${pack}  ${reason}`),
    ],
  };
  const rows = Object.entries(sections).flatMap(([title, lines]) =>
    lines.map((line, index) => `${(index === 0 ? title : "").padEnd(10)}${line}\n`),
  );
  return rows.join("");
}

function describeWorker({ host, pid, concurrency, playing, packs, silentMs }: FleetState["workers"][number]): string {
  return `${host} ${pid}  ${playing}/${concurrency}  ${packs.join(" ")}  heard of ${formatDuration(silentMs)} ago`;
}

function formatShare({ used, most }: FleetState["limits"][number]["requests"]): string {
  const round = (value: number): number => Math.round(value * 10_000) / 10_000;
  return most === null ? `${round(used)}` : `${round(used)} of ${round(most)}`;
}
