import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { FleetState } from "../../contract/api/index.ts";
import type { DebateEvent } from "../../contract/event.ts";
import type { Run } from "../../contract/run.ts";
import { writeFleetMetrics } from "./fleet-metrics.ts";

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
