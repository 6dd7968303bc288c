import type { Section } from "../view.ts";
import type { FleetState } from "./routes.ts";

/** The queue, the workers, the limits and the budgets of a fleet, for the terminal and the viewer. */
export function buildFleetSections({ queues, workers, runs, limits, budgets }: FleetState): Section[] {
  return [
    {
      kind: "table",
      title: "Queue",
      columns: ["pack", "ready", "later", "playing", "oldest waits"],
      rows: queues.map(({ pack, ready, later, playing, oldestSeconds }) => [
        pack,
        ...[ready, later, playing].map(String),
        oldestSeconds === null ? "–" : formatWait(oldestSeconds * 1_000),
      ]),
    },
    {
      kind: "table",
      title: "Workers",
      columns: ["machine", "packs", "plays", "last sign"],
      rows: workers.map(({ host, pid, packs, concurrency, playing, silentMs }) => [
        `${host}, process ${pid}`,
        packs.join(", "),
        `${playing} of ${concurrency}`,
        `${formatWait(silentMs)} ago`,
      ]),
    },
    { kind: "facts", title: "Runs", rows: runs.map(({ state, count }) => ({ label: state, value: String(count) })) },
    {
      kind: "table",
      title: "Endpoints, last minute",
      columns: ["endpoint", "calls", "tokens", "pauses for"],
      rows: limits.map(({ name, requests, tokens, pausedMs }) => [
        name,
        formatShare(requests),
        formatShare(tokens),
        pausedMs > 0 ? formatWait(pausedMs) : "–",
      ]),
    },
    {
      kind: "table",
      title: "Budgets",
      columns: ["budget", "calls", "tokens", "usd"],
      rows: budgets.map(({ name, calls, tokens, usd }) => [name, ...[calls, tokens, usd].map(formatShare)]),
    },
  ];
}

export function describeFleet({ workers, queues, deadCount }: FleetState): string {
  const waits = queues.reduce((sum, { ready }) => sum + ready, 0);
  const works = queues.reduce((sum, { playing }) => sum + playing, 0);
  const who = `${workers.length} ${workers.length === 1 ? "worker" : "workers"}`;
  return `${workers.length === 0 ? "No worker has given a sign of life" : who}; ${waits} waiting, ${works} being played, ${deadCount} given up.`;
}

function formatWait(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`;
}

function formatShare({ used, most }: { used: number; most: number | null }): string {
  const write = (value: number): string => Number(value.toFixed(4)).toLocaleString("en");
  return most === null ? write(used) : `${write(used)} of ${write(most)}`;
}
