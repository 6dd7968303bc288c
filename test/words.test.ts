/** What people are told when something is not as they thought, tried as they would. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runDebate } from "../src/index.ts";
import { question } from "../src/packs/question/index.ts";
import { newFolder, runCli } from "./support/cli.ts";
import { startModelServer } from "./support/model-server.ts";

it("who was asked and gave no answer is told why: the replies were not JSON", async () => {
  const server = await startModelServer({ respond: () => ({ content: "I think it was the railway." }) });
  const env = { PARLEY_BASE_URL: server.baseUrl };
  const { code, out, err } = await runCli(["ask", "Why?", "--cast", "compatible/m"], { env });
  await server.close();
  expect(code).toBe(3);
  expect(out).toContain("none of the 3 speakers gave an answer");
  expect(err).toMatch(/^3 turns gave no usable reply \(analyst, skeptic, generalist\): .*JSON/m);
});

it("who left a field out of its reply is said to have left out that field", async () => {
  const content = JSON.stringify({ reasoning: "So it is.", quotes: [], answer: "Four.", short_answer: "4" });
  const server = await startModelServer({ respond: () => ({ content }) });
  const { err } = await runCli(["ask", "Why?", "--cast", "compatible/m"], { env: { PARLEY_BASE_URL: server.baseUrl } });
  await server.close();
  expect(err).toContain("gave no usable reply (analyst, skeptic, generalist): `confidence`: missing");
});

it("logs: --until is before --since", async () => {
  const cwd = newFolder();
  writeFileSync(join(cwd, "app.log"), "2024-05-14T09:30:00Z INFO started\n2024-05-14T09:31:00Z ERROR broke\n");
  const times = ["--since", "2024-05-14T10:00", "--until", "2024-05-14T09:00"];
  const { code, err } = await runCli(["rca", "parse", "app.log", ...times], { cwd });
  expect(code).toBe(2);
  expect(err).toContain("--until is before --since");
});

it.each([
  [["ask", "Which?", "--choice", "Mars"], "choice"],
  [["ask", "Is", "it", "so?"], "Put a text of several words in quotes."],
  [["ask", "Why?", "--budget", "0.10"], "Write usd=0.10"],
])("%j is answered with %s", async (args, message) => {
  const { code, err } = await runCli(args);
  expect(code).toBe(2);
  expect(err).toContain(message);
  expect(err).not.toContain("too small");
});

it("a case with one choice is told how many it needs, and a ragged table which line is wrong", async () => {
  const cwd = newFolder();
  writeFileSync(join(cwd, "one.jsonl"), '{"question": "Which?", "choices": ["Mars"]}\n');
  writeFileSync(join(cwd, "ragged.csv"), "id,comment\n1,fine,really\n");
  const batch = await runCli(["run", "question", "--input", "one.jsonl"], { cwd });
  expect([batch.code, batch.err]).toEqual([3, expect.stringContaining("choices: needs at least 2 entries")]);
  const table = await runCli(["sentiment", "ragged.csv", "--out", "out.csv"], { cwd });
  expect([table.code, table.err]).toEqual([3, expect.stringContaining("line 2 has 3 values, the header has 2")]);
});

it("a budget that is too small says so in money that people read", async () => {
  const server = await startModelServer();
  const cwd = newFolder();
  const prices = "prices: { compatible/m: { input: 3.3333333, output: 7.7777777 } }\n";
  writeFileSync(join(cwd, "parley.config.yaml"), prices);
  const args = ["ask", "Why?", "--cast", "compatible/m", "--budget", "usd=0.0197810001"];
  const { out, err } = await runCli(args, { cwd, env: { PARLEY_BASE_URL: server.baseUrl } });
  await server.close();
  expect(out + err).toMatch(/\$?0\.0\d+/);
  expect(out + err).not.toMatch(/\d\.\d{7,}/);
});

it("the last run is shown, explained and exported without its id", async () => {
  const cwd = newFolder();
  await runCli(["ask", "First?"], { cwd });
  for (const args of [["show"], ["show", "--why"], ["export", "--format", "md"]]) {
    expect((await runCli([...args, "--last"], { cwd })).code).toBe(0);
    expect((await runCli(args, { cwd })).err).toContain("name a run, or give --last");
  }
  expect((await runCli(["export", "--last", "--format", "md"], { cwd })).out).toContain("First?");
});

it("a turn that waits for a person throws with the id of its run", async () => {
  const waiting = runDebate(
    question,
    { question: "Why?" },
    { cast: "expert,analyst=person", config: { max_rounds: 1 } },
  );
  await expect(waiting).rejects.toMatchObject({
    code: "parked",
    details: { runId: expect.stringMatching(/^\w{7}-\w{6}$/) },
  });
});

it("runs are listed newest first, with filters and without", async () => {
  const cwd = newFolder();
  const asked = ["First?", "Second?", "Third?"];
  for (const one of asked) await runCli(["ask", one], { cwd });
  const newestFirst = asked.toReversed();
  for (const filters of [
    [],
    ["--pack", "question"],
    ["--outcome", "undecided"],
    ["--since", "1h"],
    ["--since", "2020-02-01"],
  ]) {
    const { out } = await runCli(["runs", ...filters], { cwd });
    expect(out.match(/\w+\?/g), filters.join(" ")).toEqual(newestFirst);
  }
});
