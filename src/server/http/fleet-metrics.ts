import { Gauge, Registry } from "prom-client";
import type { FleetState } from "../../contract/api/index.ts";

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
