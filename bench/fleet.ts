/**
 * What a fleet does a second, for 1, 2 and 4 workers on one machine, and what a quota is used to by 1,000 simulated ones:
 * `node bench/fleet.ts`. Needs the PostgreSQL that `npm ci` brings. Only ratios within one run mean something.
 */
import { join } from "node:path";
import { Client } from "pg";
import { debateArgs, callsPerDebate, startFleetBench, writeCases } from "../test/support/fleet-bench.ts";
import { createRandom } from "../src/text/random.ts";
import { simulateQuota } from "./fleet/simulate-quota.ts";

const debates = 120;

console.log("| workers | debates/s | calls/s | database ms a call |\n|---|---|---|---|");
for (const workers of [1, 2, 4]) {
  const bench = await startFleetBench({ latencyMs: 100 });
  const started = Array.from({ length: workers }, () => bench.startWorker({ concurrency: 8 }));
  await Promise.all(started.map(({ child }) => new Promise((ready) => child.stderr?.once("data", ready))));
  const cases = writeCases(bench.folder, debates);
  const busyBefore = await readBusyMs(bench.address);
  const startedMs = performance.now();
  const args = ["run", "question", "--input", cases, ...debateArgs, "--quiet", "--fleet", "--concurrency", "128"];
  await bench.run([...args, "--out", join(bench.folder, "out.jsonl")]);
  const seconds = (performance.now() - startedMs) / 1000;
  const calls = debates * callsPerDebate;
  const busy = ((await readBusyMs(bench.address)) - busyBefore) / calls;
  console.log(
    `| ${workers} | ${(debates / seconds).toFixed(1)} | ${(calls / seconds).toFixed(0)} | ${busy.toFixed(2)} |`,
  );
  if (workers === 4) console.log(`\nbytes a debate: ${Math.round((await readBytes(bench.address)) / debates)}`);
  await bench.close();
}

const simulated = await simulateQuota(
  { workers: 1_000, requestsPerMinute: 10_000, minutes: 6, callMs: 3_000, tripMs: 2 },
  createRandom(1),
);
console.log(
  `\n1,000 simulated workers, quota 10,000 a minute: ${(simulated.utilisation * 100).toFixed(1)} % used, ${simulated.fullest} calls in the fullest minute, ${Math.round(simulated.asked)} questions a second to the database`,
);

async function readBusyMs(address: string): Promise<number> {
  const [row] = await query<{ ms: number }>(
    address,
    "SELECT active_time AS ms FROM pg_stat_database WHERE datname = current_database()",
  );
  return row?.ms ?? 0;
}

async function readBytes(address: string): Promise<number> {
  const [row] = await query<{ bytes: string }>(
    address,
    "SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class WHERE relnamespace = 'parley'::regnamespace AND relkind = 'r'",
  );
  return Number(row?.bytes ?? 0);
}

async function query<Row extends object>(address: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: address });
  await client.connect();
  const { rows } = await client.query<Row>(text).finally(() => client.end());
  return rows;
}
