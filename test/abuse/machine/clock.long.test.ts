import { resolve } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createRunId } from "../../../src/runs/start.ts";
import { runCli, spawnCli } from "../../support/cli.ts";
import { startModelServer } from "../../support/model-server.ts";
import { essenceOf, newestRun, startTenCalls, tenCalls, wholeDebate } from "../../support/ten-calls.ts";

const node = ["--import", resolve(import.meta.dirname, "../../support/jumping-clock.ts")];
const dayMs = 86_400_000;
const atDays = (days: number) => ({ PARLEY_TEST_CLOCK_MS: String(days * dayMs) });

const ten = await startTenCalls();
const whole = await wholeDebate(ten);
afterAll(() => ten.close());

it("a clock that jumps by years changes nothing: order, times and budget are of another clock", async () => {
  ten.begin();
  const cwd = ten.folder();
  const { code, err } = await spawnCli([...tenCalls, "--budget", "time=10m"], { cwd, node }).ran;
  expect(code, err).toBe(0);
  const run = await newestRun(cwd);
  expect(essenceOf(run)).toEqual(whole);
  const attempts = run?.entries.flatMap(({ body }) => (body.kind === "attempt" ? [body.attempt] : [])) ?? [];
  expect(attempts).toHaveLength(10);
  for (const { startedMs, durationMs } of attempts) {
    expect(durationMs).toBeGreaterThanOrEqual(0);
    expect(durationMs).toBeLessThan(600_000);
    expect(startedMs).toBeGreaterThanOrEqual(0);
  }
  const starts = attempts.map(({ startedMs }) => startedMs);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  expect((await runCli(["verify", "--all"], { cwd })).code).toBe(0);
});

it("a run stopped today and resumed yesterday goes on, within what is left of its time", async () => {
  const cwd = ten.folder();
  const { child, ran } = spawnCli([...tenCalls, "--budget", "time=10m"], { cwd, node, env: atDays(0) });
  ten.begin((count) => void (count === 5 && child.kill("SIGINT")));
  await ran;
  ten.calm();
  const id = (await newestRun(cwd))?.run.id ?? "";
  const resumed = await spawnCli(["resume", id, "--json"], { cwd, node, env: atDays(-1) }).ran;
  expect(resumed.code, resumed.err).toBe(0);
  expect(essenceOf(await newestRun(cwd))).toEqual(whole);
  expect((await runCli(["verify", "--all"], { cwd })).code).toBe(0);
});

it("runs are listed in the order they were made, also when the clock went back between them", async () => {
  const cwd = ten.folder();
  for (const days of [0, -1, -400, 30]) await spawnCli(["ask", `Day ${days}?`], { cwd, node, env: atDays(days) }).ran;
  const { out } = await runCli(["runs"], { cwd });
  expect([...out.matchAll(/Day (\S+)\?/g)].map((match) => match[1])).toEqual(["30", "-400", "-1", "0"]);
});

it("two processes whose clocks are years apart do not take one run both", async () => {
  const cwd = ten.folder();
  const first = spawnCli(tenCalls, { cwd });
  ten.begin((count) => void (count === 3 && first.child.kill("SIGKILL")));
  await first.ran;
  const id = (await newestRun(cwd))?.run.id ?? "";
  let answerIt = (): void => undefined;
  const lost = new Promise<void>((done) => (answerIt = done));
  ten.begin(() => lost);
  const both = [-4000, 4000].map((days) => spawnCli(["resume", id, "--json"], { cwd, node, env: atDays(days) }).ran);
  const loser = await Promise.race(both);
  expect(loser.code).toBe(1);
  expect(loser.err).toMatch(/is being run by process \d+/);
  answerIt();
  expect((await Promise.all(both)).map((one) => one.code).toSorted((a, b) => a - b)).toEqual([0, 1]);
});

it("how long an endpoint asks to wait is read by the endpoint's clock", async () => {
  let calls = 0;
  const busy = await startModelServer({
    respond: () => {
      calls += 1;
      const at = new Date(Math.ceil(Date.now() / 1000) * 1000).toUTCString();
      if (calls === 1)
        return { raw: { status: 429, headers: { "retry-after": at }, body: '{"error":{"message":"later"}}' } };
      return { value: { answer: "x", reasoning: "y", confidence: 0.5, quotes: [] } };
    },
  });
  const args = ["ask", "Why?", "--cast", "compatible/m", "--protocol", "single", "--json"];
  const { code, err } = await spawnCli(args, { node, env: { ...atDays(-365), PARLEY_BASE_URL: busy.baseUrl } }).ran;
  await busy.close();
  expect(code, err).toBe(0);
  expect(calls).toBe(2);
});

it("ids of one second are never equal, and those of a later second come after", () => {
  const second = 1_700_000_000_000;
  const ids = Array.from({ length: 50_000 }, () => createRunId(second));
  expect(new Set(ids).size).toBe(ids.length);
  expect(createRunId(second + 1000) > createRunId(second)).toBe(true);
  expect(createRunId(-5)).toMatch(/^0{7}-/);
});
