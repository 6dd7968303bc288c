import type { FleetState } from "../../contract/api/index.ts";
import { formatDuration } from "../../text/duration.ts";
import { formatCount } from "../../text/number-text.ts";
import { shortenText } from "../../text/short-text.ts";

type Share = FleetState["limits"][number]["requests"];

/** A fleet for the terminal: who works, what waits, what was spent, what was given up. */
export function formatFleet(fleet: FleetState): string {
  const { paused } = fleet;
  const lines = [
    ...(paused.length > 0 ? [`PAUSED: ${paused.includes("*") ? "all packs" : paused.join(", ")}`] : []),
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
    `Given up  ${formatCount(deadCount, "run")}; try again with: parley fleet retry RUN`,
    ...dead.map(({ run, pack, reason }) => `          ${run}  ${pack}  ${reason}`),
    ...more,
  ];
}
