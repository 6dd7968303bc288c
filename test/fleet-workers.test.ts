import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { debateArgs, type FleetBench, readResults, startFleetBench, writeCases } from "./support/fleet-bench.ts";
import { postgresPrograms, sayWithoutPostgres } from "./support/postgres.ts";

if (postgresPrograms === null) sayWithoutPostgres();

/** Two worker processes, a real PostgreSQL and a model that counts what it is asked. */
describe.skipIf(postgresPrograms === null)("two workers", () => {
  let bench: FleetBench;
  let onCall: (count: number) => void = () => undefined;
  beforeAll(async () => {
    bench = await startFleetBench({ latencyMs: 30, onCall: (count) => onCall(count) });
  });
  afterAll(() => bench.close());

  const showFleet = async () =>
    JSON.parse((await bench.run(["store", "fleet", "--json"])).out) as {
      queues: unknown[];
      workers: { pid: number }[];
      budgets: { name: string; calls: { used: number; most: number | null } }[];
    };

  it("share the budget of a batch and of a study to the last call", async () => {
    const workers = [bench.startWorker(), bench.startWorker()];
    const cases = writeCases(bench.folder, 12);
    const out = join(bench.folder, "batch.jsonl");
    const args = ["run", "question", "--input", cases, ...debateArgs, "--quiet", "--fleet", "--concurrency", "12"];
    const before = bench.answered.length;
    const ran = await bench.run([...args, "--batch", "limited", "--budget", "calls=21", "--out", out]);
    expect(ran.code, ran.err).toBe(4);
    expect(bench.answered.length - before).toBe(21);
    const outcomes = readResults(out).map(({ outcome }) => outcome);
    expect(outcomes).toHaveLength(12);
    expect(outcomes.filter((outcome) => outcome === "decided").length).toBeLessThanOrEqual(5);
    const budget = (await showFleet()).budgets.find(({ name }) => name === "batch limited");
    expect(budget?.calls).toEqual({ used: 21, most: 21 });

    const study = `study: shared
pack: question
dataset: {path: cases.jsonl, map: {id: id, input: {question: question}}}
cast: compatible/m
budget: {calls: 17}
arms:
  - name: debate
    config: {max_rounds: 1, judge: true, same_answer: false}
`;
    writeFileSync(join(bench.folder, "shared.yaml"), study);
    const asked = bench.answered.length;
    const studied = await bench.run(["study", "run", "shared.yaml", "--fleet", "--quiet", "--concurrency", "12"]);
    expect(studied.err + studied.out).toContain("budget");
    expect(bench.answered.length - asked).toBe(17);
    for (const { child } of workers) child.kill("SIGTERM");
    const codes = await Promise.all(workers.map(async ({ ran: done }) => (await done).code));
    expect(codes).toEqual([143, 143]);
    expect((await showFleet()).workers).toEqual([]);
  });

  it("a busy one that is told to stop ends or gives back what it plays; nothing is lost, and no answered call is made again", async () => {
    const [first, second] = [bench.startWorker({ concurrency: 6 }), bench.startWorker({ concurrency: 2 })];
    const before = bench.answered.length;
    let isStopped = false;
    onCall = (count) => {
      if (count < before + 10 || isStopped) return;
      isStopped = true;
      first.child.kill("SIGTERM");
    };
    const cases = writeCases(bench.folder, 14);
    const out = join(bench.folder, "stopped.jsonl");
    const args = ["run", "question", "--input", cases, ...debateArgs, "--seed", "7", "--quiet", "--fleet"];
    const ran = await bench.run([...args, "--concurrency", "14", "--out", out]);
    expect(ran.code, ran.err).toBe(0);
    const { code, err } = await first.ran;
    expect(code, err).toBe(143);
    expect(err).toContain("the worker was stopped");
    const calls = bench.answered.slice(before);
    expect(new Set(calls).size).toBe(14 * 4);
    expect(calls.length).toBe(14 * 4);
    expect(readResults(out).every(({ outcome }) => outcome === "decided")).toBe(true);
    expect((await bench.run(["verify", "--all"])).out).toContain("0 with problems");
    second.child.kill("SIGTERM");
    await second.ran;
    expect(await showFleet()).toMatchObject({ queues: [], workers: [] });
  });
});
