import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { FleetState } from "../../contract/api/index.ts";
import type { DebateEvent } from "../../contract/event.ts";
import type { Run } from "../../contract/run.ts";

/** What a server counts, for Prometheus. */
export type Metrics = {
  onEvent(event: DebateEvent, run: Run): void;
  onStopped(reason: string): void;
  onRequest(route: string, status: number, ms: number): void;
  write(): Promise<string>;
  contentType: string;
};

const seconds = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Counts from now on; `state` tells what is under way when someone looks. */
export function createMetrics(
  state: () => { running: number; queued: number; followers: number },
  readFleet: () => Promise<FleetState | null> = async () => null,
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const ended = counter("parley_runs_ended_total", "Runs that ended, by pack and outcome", ["pack", "outcome"]);
  const stopped = counter("parley_runs_stopped_total", "Runs that stopped before their end, by why", ["reason"]);
  const turns = counter("parley_turns_total", "Turns, by pack and status", ["pack", "status"]);
  const calls = counter("parley_calls_total", "Calls of models and people", ["pack"]);
  const tokens = counter("parley_tokens_total", "Tokens, by pack and kind", ["pack", "kind"]);
  const cost = counter("parley_cost_usd_total", "What models cost, where prices are known", ["pack"]);
  const requests = counter("parley_http_requests_total", "Requests, by route and status", ["route", "status"]);
  const turnSeconds = histogram("parley_turn_seconds", "How long turns took", ["pack"]);
  const requestSeconds = histogram("parley_http_request_seconds", "How long answers took to begin", ["route"]);
  gauge("parley_runs_running", "Runs under way", () => state().running);
  gauge("parley_runs_queued", "Runs that wait for their turn", () => state().queued);
  gauge("parley_followers", "Open event streams", () => state().followers);
  gauge("parley_memory_bytes", "Resident memory of the process", () => process.memoryUsage.rss());

  function counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers });
  }
  function histogram(name: string, help: string, labelNames: string[]): Histogram {
    return new Histogram({ name, help, labelNames, registers, buckets: seconds });
  }
  function gauge(name: string, help: string, read: () => number): void {
    const made: Gauge = new Gauge({ name, help, registers, collect: () => made.set(read()) });
  }
  return {
    onEvent(event, { manifest: { pack } }) {
      if (event.type === "ended") ended.inc({ pack, outcome: event.result.outcome });
      if (event.type !== "turn" || event.replayed) return;
      const { status, usage, attempts } = event.turn;
      turns.inc({ pack, status });
      calls.inc({ pack }, usage.calls);
      tokens.inc({ pack, kind: "input" }, usage.inputTokens);
      tokens.inc({ pack, kind: "output" }, usage.outputTokens);
      cost.inc({ pack }, usage.costUsd ?? 0);
      turnSeconds.observe({ pack }, attempts.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000);
    },
    onStopped: (reason) => stopped.inc({ reason }),
    onRequest(route, status, ms) {
      requests.inc({ route, status });
      requestSeconds.observe({ route }, ms / 1000);
    },
    async write() {
      const fleet = await readFleet();
      return (await registry.metrics()) + (fleet ? await writeFleetMetrics(fleet) : "");
    },
    contentType: registry.contentType,
  };
}

/** A fleet as Prometheus reads it. */
export async function writeFleetMetrics(fleet: FleetState): Promise<string> {
  const registers = [new Registry()];
  const gauge = (name: string, help: string, labels: string[] = []): Gauge =>
    new Gauge({ name: `parley_fleet_${name}`, help, labelNames: labels, registers });
  const total = (of: "concurrency" | "playing"): number => fleet.workers.reduce((sum, one) => sum + one[of], 0);
  gauge("workers", "Workers alive").set(fleet.workers.length);
  gauge("places", "Runs that all workers can play at once").set(total("concurrency"));
  gauge("playing", "Runs that are being played").set(total("playing"));
  const ready = gauge("queue_ready", "Runs that wait for a worker", ["pack"]);
  const later = gauge("queue_later", "Runs that are to be tried again later", ["pack"]);
  const oldest = gauge("queue_oldest_seconds", "How long the oldest has waited", ["pack"]);
  for (const { pack, ...queue } of fleet.queues) {
    ready.set({ pack }, queue.ready);
    later.set({ pack }, queue.later);
    oldest.set({ pack }, queue.oldestSeconds ?? 0);
  }
  const runs = gauge("runs", "Runs of the store, by how they stand", ["state"]);
  for (const { state, count } of fleet.runs) runs.set({ state }, count);
  const used = gauge("minute_used", "Calls and tokens of the last minute", ["endpoint", "of"]);
  const most = gauge("minute_limit", "The most of them in a minute", ["endpoint", "of"]);
  for (const { name: endpoint, requests, tokens } of fleet.limits)
    for (const [of, share] of Object.entries({ requests, tokens })) {
      used.set({ endpoint, of }, share.used);
      if (share.most !== null) most.set({ endpoint, of }, share.most);
    }
  const spent = gauge("spent", "What a shared budget has spent or set aside", ["purse", "of"]);
  for (const { name: purse, ...shares } of fleet.purses)
    for (const [of, share] of Object.entries(shares)) spent.set({ purse, of }, share.used);
  gauge("dead_letters", "Runs that were given up").set(fleet.deadCount);
  return (await registers[0]?.metrics()) ?? "";
}

/** What is logged of an event: names and numbers, never the text of a case, a reply or a token. */
export type LogLine = Record<string, string | number | boolean | null>;

/** Writes one event as a line of JSON. */
export type Log = (event: string, line?: LogLine) => void;

/** A log that writes to `write`, with the time. */
export function createLog(write: (text: string) => void, now: () => Date): Log {
  return (event, line = {}) => write(`${JSON.stringify({ time: now().toISOString(), event, ...line })}\n`);
}
