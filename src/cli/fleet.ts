import { Command } from "commander";
import { setTimeout as pause } from "node:timers/promises";
import type { FleetState } from "../contract/api/index.ts";
import { ParleyError } from "../contract/error.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { findRun } from "../runs/read-run.ts";
import { formatCount, formatDuration, shortenText } from "../text/format.ts";
import type { Io } from "./io.ts";
import { withStoreOption } from "./options.ts";
import { type StoreOptions, withFleet } from "./stores.ts";

type Options = StoreOptions & { json?: boolean; watch?: boolean };
type RunsOptions = StoreOptions & { batch?: string; dead?: boolean };
type RunToPlay = { id: string; pack: string };

const examples = `
Examples:
  parley store fleet --store postgres://… --watch
  parley store fleet cancel 2b9x1k        take a run out of the queue, or stop it where it is
  parley store fleet cancel --batch nightly
  parley store fleet retry --dead         hand out again what was given up`;

/** `parley store fleet [cancel | retry]` */
export function createFleetCommand(io: Io): Command {
  const placed = (name: string, about: string): Command =>
    withStoreOption(new Command(name).description(about)).option("--config <file>", "configuration file");
  return placed("fleet", "Shows the workers of a shared store, the queue, the spending and failed runs.")
    .option("--json", "as JSON")
    .option("--watch", "again every two seconds")
    .addHelpText("after", examples)
    .action((options: Options) => withFleet(io, options, (opened) => show(io, opened, options)))
    .addCommand(
      placed("cancel", "Takes runs out of the queue; a run being played is stopped and can be retried.")
        .argument("[run]", "a run's id, or the first characters of it")
        .option("--batch <name>", "every run of a batch or a study")
        .action((run: string | undefined, options: RunsOptions) => cancel(io, run, options)),
    )
    .addCommand(
      placed("retry", "Puts runs into the queue again.")
        .argument("[run]", "a run's id, or the first characters of it")
        .option("--batch <name>", "every run of a batch or a study that has not ended")
        .option("--dead", "every run that was given up")
        .action((run: string | undefined, options: RunsOptions) => retry(io, run, options)),
    );
}

async function show(io: Io, fleet: Fleet, { json, watch }: Options): Promise<void> {
  const { readFleet } = await import("../fleet/read-fleet.ts");
  for (;;) {
    const state = await readFleet(fleet);
    io.out(json ? `${JSON.stringify(state)}\n` : formatFleet(state));
    if (!watch) return;
    await pause(2_000, undefined, { signal: io.signal }).catch(() => undefined);
    if (io.signal.aborted || io.unread.aborted) return;
    if (!json) io.out("\n");
  }
}

async function cancel(io: Io, run: string | undefined, options: RunsOptions): Promise<void> {
  await withFleet(io, options, async (fleet) => {
    const cancelled = await fleet.queue.cancel(await findRuns(fleet, run, options));
    if (cancelled.length === 0) throw new ParleyError("bad_input", "no such run is in the queue");
    io.out(`${formatCount(cancelled.length, "run")} taken out of the queue.\n`);
  });
}

async function retry(io: Io, run: string | undefined, options: RunsOptions): Promise<void> {
  await withFleet(io, options, async (fleet) => {
    const runs = await findRuns(fleet, run, options);
    for (const one of runs) await fleet.queue.enqueue(one);
    io.out(`${formatCount(runs.length, "run")} put into the queue.\n`);
  });
}

/** The runs that a command is about: one, those of a batch that have not ended, or those that were given up. */
async function findRuns(
  { store, queue }: Fleet,
  run: string | undefined,
  { batch, dead }: RunsOptions,
): Promise<RunToPlay[]> {
  if ([run, batch, dead].filter((given) => given !== undefined).length !== 1)
    throw new ParleyError("bad_input", "name a run, or a batch with --batch");
  if (dead) return (await queue.listDead()).map(({ run: id, pack }) => ({ id, pack }));
  const found = run === undefined ? await store.list({ batch }) : [await findRun(store, run)];
  return found
    .filter(({ status, outcome }) => status !== "finished" || outcome === "failed")
    .map(({ id, manifest }) => ({ id, pack: manifest.pack }));
}

type Share = FleetState["limits"][number]["requests"];

/** A fleet for the terminal: who works, what waits, what was spent, what was given up. */
export function formatFleet(fleet: FleetState): string {
  const lines = [
    ...listWorkers(fleet),
    ...listQueues(fleet),
    `Runs      ${fleet.runs.map(({ state, count }) => `${count} ${state}`).join(" · ") || "none"}`,
    ...listShares(fleet),
    ...listDead(fleet),
  ];
  return `${lines.join("\n")}\n`;
}

function listWorkers({ workers }: FleetState): string[] {
  const places = workers.reduce((sum, { concurrency }) => sum + concurrency, 0);
  const playing = workers.reduce((sum, one) => sum + one.playing, 0);
  const head = `Workers   ${workers.length === 0 ? "none alive" : `${workers.length} alive, ${playing} of ${places} places taken`}`;
  return [head, ...workers.map((one) => `          ${describeWorker(one)}`)];
}

function describeWorker({ host, pid, concurrency, playing, packs, silentMs }: FleetState["workers"][number]): string {
  return `${host} ${pid}  ${playing}/${concurrency}  ${packs.join(" ")}  heard of ${formatDuration(silentMs)} ago`;
}

function listQueues({ queues }: FleetState): string[] {
  const total = (of: "ready" | "later" | "playing"): number => queues.reduce((sum, one) => sum + one[of], 0);
  const oldest = Math.max(0, ...queues.map(({ oldestSeconds }) => oldestSeconds ?? 0));
  const wait = total("ready") > 0 ? `, the oldest for ${formatDuration(oldest * 1000)}` : "";
  const head = `Queue     ${total("ready")} waiting${wait} · ${total("later")} to be tried later · ${total("playing")} with a worker`;
  const rows = queues.length > 1 ? queues : [];
  return [
    head,
    ...rows.map(
      ({ pack, ready, later, playing }) => `          ${pack}: ${ready} waiting · ${later} later · ${playing} playing`,
    ),
  ];
}

function listShares({ limits, purses }: FleetState): string[] {
  const rates = limits.map(({ name, requests, tokens, pausedMs }) => {
    const pause = pausedMs > 0 ? ` · paused for ${formatDuration(pausedMs)}` : "";
    return `Minute    ${shortenText(name)}: ${formatShare(requests)} calls · ${formatShare(tokens)} tokens${pause}`;
  });
  const spent = purses.map(
    ({ name, calls, tokens, usd }) =>
      `Budget    ${name}: ${formatShare(calls)} calls · ${formatShare(tokens)} tokens · ${formatShare(usd)} USD`,
  );
  return [...rates, ...spent];
}

function formatShare({ used, most }: Share): string {
  const round = (value: number): number => Math.round(value * 10_000) / 10_000;
  return most === null ? `${round(used)}` : `${round(used)} of ${round(most)}`;
}

function listDead({ dead, deadCount }: FleetState): string[] {
  if (deadCount === 0) return ["Given up  nothing"];
  const more = deadCount > dead.length ? [`          and ${deadCount - dead.length} more`] : [];
  return [
    `Given up  ${formatCount(deadCount, "run")}; try again with: parley store fleet retry RUN`,
    ...dead.map(({ run, pack, reason }) => `          ${run}  ${pack}  ${reason}`),
    ...more,
  ];
}
