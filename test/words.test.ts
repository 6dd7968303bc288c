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
  expect(err).toMatch(/^3 turns came to nothing \(analyst, skeptic, generalist\): .*JSON/m);
});

it.each([
  [["--since", "2024-05-14T10:00", "--until", "2024-05-14T09:00"], "--since is after --until"],
  [["--since", "2024-05-14T10:00", "--until", "30 minutes before end"], "--until is before --since"],
])("logs %j: %s", async (options, message) => {
  const cwd = newFolder();
  writeFileSync(join(cwd, "app.log"), "2024-05-14T09:30:00Z INFO started\n2024-05-14T09:31:00Z ERROR broke\n");
  const { code, err } = await runCli(["logs", "parse", "app.log", ...options], { cwd });
  expect(code).toBe(2);
  expect(err).toContain(message);
});

it.each([
  [["ask", "Which?", "--choice", "Mars"], "choice"],
  [["ask", "Is", "it", "so?"], "Put a text of several words in quotes."],
  [["ask", "Why?", "--budget", "0.10"], "Write usd=0.10"],
  [["kg", "show", "nosuch"], 'no incident "nosuch" (`parley kg list` lists them)'],
])("%j is answered with %s", async (args, message) => {
  const { code, err } = await runCli(args);
  expect(code).toBe(2);
  expect(err).toContain(message);
  expect(err).not.toContain("too small");
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
    ["--status", "finished"],
  ]) {
    const { out } = await runCli(["runs", ...filters], { cwd });
    expect(out.match(/\w+\?/g), filters.join(" ")).toEqual(newestFirst);
  }
});
