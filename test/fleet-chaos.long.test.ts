import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newFolder, runCli } from "./support/cli.ts";
import {
  callsPerDebate,
  debateArgs,
  type FleetBench,
  readResults,
  startFleetBench,
  type TestWorker,
  writeCases,
  writeConfig,
} from "./support/fleet-bench.ts";
import { findFullestMinute } from "./support/fullest-minute.ts";
import { postgresPrograms, sayWithoutPostgres } from "./support/postgres.ts";

if (postgresPrograms === null) sayWithoutPostgres();

const debates = 300;
const concurrency = 6;
const requestsPerMinute = 900;
/** How long a worker hangs. */
const stoppedMs = 60_000;
/** A debate has at most three calls in flight, and a worker that is gone had at most so many debates. */
const mostLost = concurrency * 3 * 2;

/**
 * Real processes and a real PostgreSQL: one worker is killed, another hangs for a minute and wakes up, the database restarts
 * once, and one worker's clock is an hour off.
 */
describe.skipIf(postgresPrograms === null)("a fleet in trouble", () => {
  let bench: FleetBench;
  let workers: TestWorker[] = [];
  const troubles: Promise<unknown>[] = [];
  const at = (share: number): number => Math.floor(debates * callsPerDebate * share);

  const makeTrouble = (count: number): void => {
    const [first, second] = workers;
    if (count === at(0.2)) first?.child.kill("SIGKILL");
    if (count === at(0.3)) troubles.push(hang(second));
    if (count === at(0.5)) troubles.push(bench.postgres.restart());
  };
  const hang = async (worker: TestWorker | undefined): Promise<void> => {
    worker?.child.kill("SIGSTOP");
    await pause(stoppedMs);
    worker?.child.kill("SIGCONT");
  };

  beforeAll(async () => {
    bench = await startFleetBench({ onCall: makeTrouble, latencyMs: 40, faultEvery: 37, requestsPerMinute });
  });
  afterAll(() => bench.close());

  it("decides every debate as one machine does, and makes no call twice but those that were in flight", async () => {
    const cases = writeCases(bench.folder, debates);
    workers = [bench.startWorker({ concurrency }), bench.startWorker({ concurrency })];
    workers.push(bench.startWorker({ concurrency, clockMs: 3_600_000 }));
    const out = join(bench.folder, "results.jsonl");
    const args = ["run", "question", "--input", cases, ...debateArgs, "--quiet"];
    const ran = await bench.run([...args, "--fleet", "--concurrency", "64", "--out", out]);
    await Promise.all(troubles);
    expect(ran.code, ran.err).toBe(0);

    const results = readResults(out);
    expect(results.map(({ case_id: id }) => id)).toEqual(Array.from({ length: debates }, (_, n) => `case ${n}`));
    const byText = Map.groupBy(bench.answered, (text) => text);
    const twice = [...byText.values()].filter((calls) => calls.length > 1);
    expect(Math.max(...[...byText.values()].map((calls) => calls.length))).toBeLessThanOrEqual(2);
    expect(twice.length).toBeLessThanOrEqual(mostLost);
    expect(byText.size).toBe(debates * callsPerDebate);
    expect(findFullestMinute(bench.model.seen.map(({ startedMs }) => startedMs))).toBeLessThanOrEqual(
      requestsPerMinute,
    );

    const alone = writeConfig(newFolder(), bench.model);
    const calm = join(alone, "results.jsonl");
    const single = await runCli([...args, "--concurrency", "16", "--out", calm], { cwd: alone });
    expect(single.code, single.err).toBe(0);
    const essence = ({ case_id: id, outcome, decision }: (typeof results)[number]) => ({ id, outcome, decision });
    expect(results.map(essence)).toEqual(readResults(calm).map(essence));

    const verified = await bench.run(["verify", "--all"]);
    expect(verified.out).toContain(`${debates} runs, 0 with problems`);
    const fleet = JSON.parse((await bench.run(["store", "fleet", "--json"])).out) as {
      deadCount: number;
      queues: unknown[];
    };
    expect(fleet).toMatchObject({ deadCount: 0, queues: [] });
  });
});
