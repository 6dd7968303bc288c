import type { Command } from "commander";
import { ParleyError } from "../contract/error.ts";
import type { Section } from "../contract/view.ts";
import type { Fleet } from "../fleet/fleet.ts";
import type { FleetState } from "../fleet/read-fleet.ts";
import { findRun } from "../runs/read-run.ts";
import { formatCount, formatSeconds } from "../text/format.ts";
import { defineCommand, flag } from "./command.ts";
import type { Io } from "./io.ts";
import { configOption, storeOption } from "./options.ts";
import { withFleet } from "./stores.ts";

const place = { ...storeOption, ...configOption };

export function fleetCommand(io: Io): Command {
  return defineCommand({
    name: "fleet",
    options: { json: flag("as JSON"), ...place },
    action: (options) =>
      withFleet(io, options, async (fleet) => {
        const { readFleet } = await import("../fleet/read-fleet.ts");
        const state = await readFleet(fleet);
        if (options.json) io.jsonLines([state]);
        else io.show([{ kind: "text", title: "", text: describeFleet(state) }, ...buildSections(state)]);
      }),
    commands: [
      defineCommand({
        name: "cancel",
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

function describeFleet({ workers, queues, deadCount }: FleetState): string {
  const waits = queues.reduce((sum, { ready }) => sum + ready, 0);
  const works = queues.reduce((sum, { playing }) => sum + playing, 0);
  const who = workers.length === 0 ? "No worker is active" : formatCount(workers.length, "worker");
  return `${who}; ${waits} waiting, ${works} being played, ${deadCount} given up.`;
}

function buildSections({ queues, workers, budgets, dead }: FleetState): Section[] {
  const tables: Record<string, [columns: string[], rows: string[][]]> = {
    Queue: [
      ["pack", "ready", "later", "playing", "oldest waits"],
      queues.map(({ pack, ready, later, playing, oldestSeconds: oldest }) => [
        pack,
        ...[ready, later, playing].map(String),
        oldest === null ? "–" : formatSeconds(oldest * 1_000),
      ]),
    ],
    Workers: [
      ["machine", "packs", "plays", "last sign"],
      workers.map(({ host, pid, packs, concurrency, playing, silentMs }) => [
        `${host}, process ${pid}`,
        packs.join(", "),
        `${playing} of ${concurrency}`,
        `${formatSeconds(silentMs)} ago`,
      ]),
    ],
    Budgets: [
      ["budget", "calls", "tokens", "usd"],
      budgets.map(({ name, calls, tokens, usd }) => [name, ...[calls, tokens, usd].map(formatShare)]),
    ],
    "Given up": [["run", "pack", "reason"], dead.map(({ run, pack, reason }) => [run, pack, reason])],
  };
  return Object.entries(tables).map(([title, [columns, rows]]) => ({ kind: "table", title, columns, rows }));
}

function formatShare({ used, most }: { used: number; most: number | null }): string {
  const write = (value: number): string => Number(value.toFixed(4)).toLocaleString("en");
  return most === null ? write(used) : `${write(used)} of ${write(most)}`;
}
