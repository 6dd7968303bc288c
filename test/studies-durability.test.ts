import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Scorecard } from "../src/studies/results/results.ts";
import { newFolder, runCli, spawnCli } from "./support/cli.ts";
import { type ModelServer, type Respond, startModelServer } from "./support/model-server.ts";
import { textOfRequest } from "./support/model-server-answer.ts";

let server: ModelServer;
let seen: string[] = [];
let onCall: ((count: number) => void) | null = null;

/** Answers A or B by hash, so that equal requests get equal answers. */
const respond: Respond = (request) => {
  const text = textOfRequest(request);
  seen.push(text);
  onCall?.(seen.length);
  const word = createHash("sha256").update(text).digest("hex");
  return {
    value: {
      answer: Number.parseInt(word.slice(0, 2), 16) % 2 === 0 ? "A" : "B",
      reasoning: `because of ${word.slice(0, 6)}`,
      confidence: 0.6,
      quotes: [],
    },
  };
};

beforeAll(async () => {
  server = await startModelServer({ respond });
});
afterAll(() => server.close());

const caseCount = 6;

/** A folder with a study of questions for a model behind the loopback server. */
function folderWithStudy(): string {
  const folder = newFolder();
  const cases = Array.from({ length: caseCount }, (_, i) => ({
    id: `q${i}`,
    input: { question: `Which side, number ${i}?`, choices: ["left", "right"] },
    gold: { answer: i % 2 === 0 ? "A" : "B", choices: ["left", "right"] },
  }));
  writeFileSync(join(folder, "cases.jsonl"), cases.map((one) => JSON.stringify(one)).join("\n"));
  writeFileSync(
    join(folder, "parley.config.yaml"),
    `endpoints:\n  - name: compatible\n    base_url: ${server.baseUrl}\n`,
  );
  writeFileSync(
    join(folder, "sides.yaml"),
    `study: sides
pack: question
dataset: { path: cases.jsonl }
cast: compatible/m
arms:
  - name: table
    config: { max_rounds: 2 }
  - name: two_of_three
    redecide: table
    config: { max_rounds: 2, stop: { agreement: 1 } }
concurrency: 3
`,
  );
  return folder;
}

const args = ["study", "run", "sides.yaml", "--json"];
const lines = <T>(folder: string, name: string): T[] =>
  readFileSync(join(folder, ".parley/studies/sides", name), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);

/** What a study found, without ids and times. */
function essence(folder: string): unknown {
  return lines<Scorecard>(folder, "results.jsonl").map(({ run_id: _run, cost, ...card }) => ({
    ...card,
    usage: cost.usage,
  }));
}

it("killed with SIGKILL again and again, a study ends as if it had never been: nothing lost, nothing paid twice but what was in flight", async () => {
  seen = [];
  const whole = folderWithStudy();
  const ran = await runCli(args, { cwd: whole });
  expect(ran.code, ran.err).toBe(0);
  const calls = seen.length;
  expect(calls).toBeGreaterThan(50);

  seen = [];
  const folder = folderWithStudy();
  let kills = 0;
  for (const at of [4, 13, 29, 41]) {
    const { child, ran: stopped } = spawnCli(args, { cwd: folder });
    onCall = (count) => void (count === at && child.kill("SIGKILL"));
    await stopped;
    kills += 1;
  }
  onCall = null;
  const last = await runCli(args, { cwd: folder });
  expect(last.code, last.err).toBe(0);
  expect(essence(folder)).toEqual(essence(whole));
  expect(seen.length - calls).toBeLessThanOrEqual(kills * 9);
  expect(seen.length).toBeGreaterThanOrEqual(calls);
});

it("a finished study runs again without a call, and the files stay as they are", async () => {
  seen = [];
  const folder = folderWithStudy();
  await runCli(args, { cwd: folder });
  const before = readFileSync(join(folder, ".parley/studies/sides/results.jsonl"), "utf8");
  seen = [];
  const again = await runCli(args, { cwd: folder });
  expect(again.code).toBe(0);
  expect(seen).toEqual([]);
  expect(readFileSync(join(folder, ".parley/studies/sides/results.jsonl"), "utf8")).toBe(before);
});

it("self-consistency spends about the tokens of the debate, and the redecision none", async () => {
  const folder = folderWithStudy();
  await runCli(args, { cwd: folder });
  const cards = lines<Scorecard>(folder, "results.jsonl");
  const tokens = (arm: string): number =>
    cards
      .filter((card) => card.arm === arm)
      .reduce((sum, { cost }) => sum + cost.usage.inputTokens + cost.usage.outputTokens, 0);
  expect(tokens("two_of_three")).toBe(0);
  expect(tokens("self_consistency") / tokens("table")).toBeGreaterThan(0.8);
  expect(tokens("self_consistency") / tokens("table")).toBeLessThan(1.25);
  expect(tokens("single")).toBeLessThan(tokens("vote"));
});

it("a budget for the whole study gives exit code 4 and partial reports; a larger one completes it", async () => {
  const folder = folderWithStudy();
  const first = await runCli([...args, "--budget", "calls=15"], { cwd: folder });
  expect(first.code).toBe(4);
  expect(first.err).toContain("budget is used up");
  expect(existsSync(join(folder, ".parley/studies/sides/report.html"))).toBe(true);
  seen = [];
  const second = await runCli([...args, "--budget", "calls=500"], { cwd: folder });
  expect(second.code, second.err).toBe(0);
  expect(JSON.parse(second.out)).toMatchObject({ missing: 0, failed: 0 });
});

it("an endpoint that fails some cases: they are recorded and counted, exit code 1, and --retry-failed mends them", async () => {
  const folder = folderWithStudy();
  const down = await startModelServer({
    respond: (request, index) =>
      textOfRequest(request).includes("number 3")
        ? { raw: { status: 400, body: '{"error":{"message":"this question is not allowed"}}' } }
        : respond(request, index),
  });
  const config = readFileSync(join(folder, "parley.config.yaml"), "utf8");
  writeFileSync(join(folder, "parley.config.yaml"), config.replace(server.baseUrl, down.baseUrl));
  const first = await runCli(args, { cwd: folder });
  await down.close();
  expect(first.code, first.err).toBe(1);
  const failed = lines<Scorecard>(folder, "results.jsonl").filter((row) => row.outcome === "failed");
  expect(new Set(failed.map((row) => row.case_id))).toEqual(new Set(["q3"]));
  writeFileSync(join(folder, "parley.config.yaml"), config);
  const second = await runCli([...args, "--retry-failed"], { cwd: folder });
  expect(second.code, second.err).toBe(0);
});
