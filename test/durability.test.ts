import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newFolder, runCli, spawnCli } from "./support/cli.ts";
import { type ModelServer, type Respond, startModelServer } from "./support/model-server.ts";
import { asksJudge, followFirst, textOfRequest } from "./support/model-server-answer.ts";
import { shareOf } from "./support/share.ts";
import { callCount, essenceOf, newestRun, tenCalls } from "./support/ten-calls.ts";

type When = "on arrival" | "after the answer";
let server: ModelServer;
let kill: { at: number; when: When; now(): void } | null = null;
let seen: string[] = [];
/** Answers wait for it. */
let held: Promise<void> | null = null;

/** Answers by hash, so that equal requests get equal answers, and kills the client when it is time. */
const respond: Respond = async (request) => {
  const text = textOfRequest(request);
  seen.push(text);
  const killNow = seen.length === kill?.at ? kill.now : null;
  if (killNow && kill?.when === "on arrival") {
    killNow();
    return { stop: { how: "reset", at: "headers" } };
  }
  if (killNow) setTimeout(killNow, 0);
  await held;
  // Letters only: a word of digits may be read as a number, and then the answers need comparing.
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 6);
  const word = digest.replaceAll(/\d/g, (digit) => "ghijklmnop"[Number(digit)] ?? "");
  const reasoning = `because of ${word}`;
  const speech = { answer: `way ${word}`, reasoning, confidence: 0.5, quotes: [] };
  return {
    value: asksJudge(text) ? followFirst(text, reasoning) : speech,
  };
};

beforeAll(async () => {
  server = await startModelServer({ respond });
});
afterAll(() => server.close());

/** A working folder whose config lets one call through at a time, or all. */
function folderFor(mode: "sequential" | "parallel"): string {
  const folder = newFolder();
  const limit = mode === "sequential" ? "    max_concurrency: 1\n" : "";
  writeFileSync(
    join(folder, "parley.config.yaml"),
    `endpoints:\n  - name: compatible\n    base_url: ${server.baseUrl}\n${limit}`,
  );
  return folder;
}

/** The part of a request that tells which turn it was: its last lines differ a speaker, its history a round. */
const timesSeen = (prompt: string): number => seen.filter((text) => sameTurn(text, prompt)).length;
const squeeze = (text: string): string => text.replaceAll(/\s+/g, "");
const sameTurn = (text: string, prompt: string): boolean => squeeze(text).startsWith(squeeze(prompt));

describe.each(["sequential", "parallel"] as const)("a debate of ten %s calls", (mode) => {
  let whole: unknown;
  beforeAll(async () => {
    seen = [];
    const folder = folderFor(mode);
    const ran = await runCli(tenCalls, { cwd: folder });
    expect(ran.err).toMatch(/decided/);
    expect(seen).toHaveLength(callCount);
    whole = essenceOf(await newestRun(folder));
  });

  const points = (["on arrival", "after the answer"] as const).flatMap((when) =>
    Array.from({ length: callCount }, (_, index) => ({ when, at: index + 1 })),
  );
  const quick = mode === "sequential" ? [1, 6, callCount] : [6];
  it.each(shareOf(points, ({ at }) => quick.includes(at)))(
    "killed $when of call $at, resumes to the same result and repeats only what was in flight",
    async ({ when, at }) => {
      seen = [];
      const folder = folderFor(mode);
      const { child, ran } = spawnCli(tenCalls, { cwd: folder });
      kill = { at, when, now: () => void child.kill("SIGKILL") };
      await ran;
      kill = null;
      const before = await newestRun(folder);
      const resumed = await runCli(["resume", before?.run.id ?? "", "--json"], { cwd: folder });
      expect(resumed.code, resumed.err).toBe(0);
      const after = await newestRun(folder);
      expect(essenceOf(after)).toEqual(whole);
      for (const prompt of before?.prompts ?? []) expect(timesSeen(prompt), "a recorded call was made again").toBe(1);
      for (const prompt of after?.prompts ?? []) expect(timesSeen(prompt)).toBeLessThanOrEqual(2);
      expect(seen.length).toBeLessThanOrEqual(callCount + (mode === "parallel" ? 3 : 1));
    },
  );
});

it("two processes resuming the same run: one wins, the other says so", async () => {
  seen = [];
  const folder = folderFor("parallel");
  const first = spawnCli(tenCalls, { cwd: folder });
  kill = { at: 4, when: "on arrival", now: () => void first.child.kill("SIGKILL") };
  await first.ran;
  kill = null;
  const id = (await newestRun(folder))?.run.id ?? "";
  const answers = Promise.withResolvers<void>();
  held = answers.promise;
  const both = [1, 2].map(() => spawnCli(["resume", id, "--json"], { cwd: folder }).ran);
  const loser = await Promise.race(both);
  answers.resolve();
  expect(loser.code).toBe(1);
  expect(loser.err).toMatch(/is being run by process \d+/);
  expect((await Promise.all(both)).map((one) => one.code).toSorted((a, b) => a - b)).toEqual([0, 1]);
  expect(seen.length).toBeLessThanOrEqual(callCount + 3);
});

it("Ctrl-C leaves a run that can be resumed, and says how", async () => {
  seen = [];
  const folder = folderFor("sequential");
  const { child, ran } = spawnCli(tenCalls, { cwd: folder });
  kill = { at: 3, when: "on arrival", now: () => void child.kill("SIGINT") };
  const { code, err } = await ran;
  kill = null;
  expect(code).toBe(130);
  const id = (await newestRun(folder))?.run.id ?? "";
  expect(err).toContain(`Continue with: parley resume ${id}`);
  expect(await runCli(["resume", id], { cwd: folder })).toMatchObject({ code: 0 });
});
