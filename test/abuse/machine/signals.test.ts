import { stripVTControlCharacters } from "node:util";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { cliCommand, newFolder, runCli, spawnCli } from "../../support/cli.ts";
import {
  answerOf,
  expectGoesOn,
  expectPlain,
  newestRun,
  startTenCalls,
  tenCalls,
  wholeDebate,
} from "../../support/ten-calls.ts";
import { shareOf } from "../../support/share.ts";

const ten = await startTenCalls();
const whole = await wholeDebate(ten);
afterAll(() => ten.close());

const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** No process holds a run of this store. */
function expectNoLocks(cwd: string): void {
  const database = new DatabaseSync(join(cwd, ".parley", "parley.db"));
  expect(database.prepare("SELECT count(*) AS n FROM lease WHERE holder IS NOT NULL").get()).toEqual({ n: 0 });
  database.close();
}

describe("a debate, stopped", () => {
  const stops = [
    { signal: "SIGINT", at: 1, when: "on arrival" },
    { signal: "SIGTERM", at: 9, when: "after the answer" },
    { signal: "SIGHUP", at: 7, when: "on arrival" },
    { signal: "SIGINT", at: 2, when: "after the answer" },
    { signal: "SIGTERM", at: 4, when: "on arrival" },
    { signal: "SIGINT", at: 10, when: "after the answer" },
  ] as const;
  it.each(shareOf(stops, (_, at) => at < 3))(
    "by $signal $when of call $at: its exit code, how to go on, and the same result then",
    async ({ signal, at, when }) => {
      const cwd = ten.folder();
      const { child, ran } = spawnCli(tenCalls, { cwd });
      const stop = (): void => void child.kill(signal);
      ten.begin(async (count) => {
        if (count === at && when === "after the answer") setTimeout(stop, 0);
        if (count !== at || when === "after the answer") return;
        stop();
        await once(child, "exit");
      });
      const { code, err } = await ran;
      ten.calm();
      expectPlain(err);
      const run = await newestRun(cwd);
      if (run?.result) expect([0, codes[signal]]).toContain(code);
      else {
        expect(code).toBe(codes[signal]);
        expect(err).toContain(`Continue with: parley resume ${run?.run.id}`);
      }
      expectNoLocks(cwd);
      await expectGoesOn(ten, cwd, whole);
    },
  );

  it.each(shareOf([0, 60, 140, 220, 300], (ms) => ms === 140))(
    "%i ms after its start: nothing half done is left",
    async (afterMs) => {
      const cwd = ten.folder();
      const { child, ran } = spawnCli(tenCalls, { cwd });
      ten.begin();
      setTimeout(() => child.kill("SIGINT"), afterMs);
      const { code, err } = await ran;
      expectPlain(err);
      expect([0, 130]).toContain(code);
      await expectGoesOn(ten, cwd, whole);
    },
  );

  it("while its result is printed: the result is whole, or the run can be shown", async () => {
    const cwd = ten.folder();
    ten.begin();
    const { child, ran } = spawnCli(tenCalls, { cwd });
    child.stdout?.once("data", () => child.kill("SIGINT"));
    const { code, err } = await ran;
    expectPlain(err);
    expect([0, 130]).toContain(code);
    const run = await newestRun(cwd);
    const shown = await runCli(["show", run?.run.id ?? ""], { cwd });
    expect(shown.out).toContain(`● ${answerOf(run)} `);
  });

  it("twice, while a collector hangs: at once", async () => {
    const collector = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(collector, "listening");
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` };
    const cwd = ten.folder();
    const { child, ran } = spawnCli(tenCalls, { cwd, env });
    child.stderr?.on("data", (data: Buffer) => void (data.includes("parley resume") && child.kill("SIGTERM")));
    ten.begin(async (count) => {
      if (count < 3) return;
      child.kill("SIGINT");
      await once(child, "exit");
    });
    const { code, err } = await ran;
    ten.calm();
    collector.closeAllConnections();
    collector.close();
    expect([130, 143]).toContain(code);
    expect(err).toMatch(/parley resume/);
    expectPlain(err);
    await expectGoesOn(ten, cwd, whole);
  });
});

describe("other long work, stopped", () => {
  it("a batch: the same line again gives what it would have given", async () => {
    const folder = (): string => {
      const cwd = ten.folder();
      const rows = Array.from({ length: 6 }, (_, i) => JSON.stringify({ id: `c${i}`, question: `Which way ${i}?` }));
      writeFileSync(join(cwd, "cases.jsonl"), rows.join("\n"));
      return cwd;
    };
    const args = ["run", "question", "--input", "cases.jsonl", "--out", "results.jsonl", "--cast", "compatible/m"];
    const read = (cwd: string): unknown[] =>
      readFileSync(join(cwd, "results.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => ({ ...(JSON.parse(line) as object), run: null }));
    ten.begin();
    const undisturbed = folder();
    await runCli(args, { cwd: undisturbed });
    const cwd = folder();
    const { child, ran } = spawnCli(args, { cwd });
    ten.begin((count) => void (count === 11 && child.kill("SIGTERM")));
    const { code, err } = await ran;
    ten.calm();
    expect(code).toBe(143);
    expect(err).toMatch(/Run the same command again: finished cases are kept/);
    expectPlain(err);
    expect(existsSync(join(cwd, "results.jsonl"))).toBe(false);
    expectNoLocks(cwd);
    expect((await runCli(args, { cwd })).err).toMatch(/6 cases/);
    expect(read(cwd)).toEqual(read(undisturbed));
    expect(existsSync(join(cwd, "results.jsonl.partial"))).toBe(false);
  });

  it("a study: the same line completes it", async () => {
    const cwd = ten.folder();
    const cases = Array.from({ length: 6 }, (_, i) => ({
      id: `q${i}`,
      input: { question: `Which ${i}?` },
      gold: { answer: "x" },
    }));
    writeFileSync(join(cwd, "cases.jsonl"), cases.map((one) => JSON.stringify(one)).join("\n"));
    writeFileSync(
      join(cwd, "s.yaml"),
      "study: s\npack: question\ndataset: { path: cases.jsonl }\ncast: compatible/m\narms:\n  - name: table\n    config: { max_rounds: 1 }\n",
    );
    const args = ["study", "run", "s.yaml", "--json"];
    const { child, ran } = spawnCli(args, { cwd });
    ten.begin((count) => void (count === 9 && child.kill("SIGTERM")));
    const { code, err } = await ran;
    ten.calm();
    expect(code).toBe(143);
    expect(err).toContain("Finished runs are kept: run the same command again to continue.");
    expect(existsSync(join(cwd, ".parley/studies/s/study.lock"))).toBe(false);
    const again = await runCli(args, { cwd });
    expect(JSON.parse(again.out)).toMatchObject({ missing: 0, failed: 0 });
  });

  const readers = [
    { name: "logs parse", args: ["rca", "parse", "-"] },
    { name: "rca", args: ["rca", "-"] },
  ];
  it.each(readers)("$name, while more is still to come: ends and leaves no file behind", async ({ args }) => {
    const temp = newFolder();
    const { child, ran } = spawnCli(args, { env: { TMPDIR: temp } });
    const lines = Array.from({ length: 20_000 }, (_, i) => `2024-03-01 10:00:00 ERROR Worker: job ${i} failed\n`).join(
      "",
    );
    await new Promise<void>((done) => child.stdin?.write(lines, () => done()));
    await new Promise<void>((done) => child.stdin?.write(lines, () => done()));
    child.kill("SIGINT");
    const { code, err } = await ran;
    expect(code).toBe(130);
    expect(err).toMatch(/interrupted/);
    expectPlain(err);
    expect(readdirSync(temp)).toEqual([]);
  });

  it("mcp, while it debates: the run can be resumed", async () => {
    const cwd = ten.folder();
    const { child, ran } = spawnCli(["mcp", "--allow-cast", "compatible/m"], { cwd });
    ten.begin((count) => void (count === 2 && child.kill("SIGTERM")));
    const say = (message: object): void =>
      void child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const clientInfo = { name: "t", version: "0" };
    say({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
    say({ method: "notifications/initialized" });
    const given = {
      input: { question: "Which way?" },
      cast: "compatible/m",
      config: { max_rounds: 3, judge: true, same_answer: false },
    };
    say({ id: 2, method: "tools/call", params: { name: "debate_question", arguments: given } });
    const { code, err } = await ran;
    ten.calm();
    expect(code, err).toBe(143);
    expectPlain(err);
    expectNoLocks(cwd);
    await expectGoesOn(ten, cwd, whole);
  });
});

const hasTerminal = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;

describe.skipIf(!hasTerminal)("a person at a prompt (skipped where script(1) is not there)", () => {
  /** Runs a command in a terminal of its own and tells, after it, how the terminal was left. */
  async function inTerminal(args: string, cwd: string, onPrompt: (pid: number, type: (keys: string) => void) => void) {
    const command = `stty cols 100 rows 40; sh -c 'echo pid:$$; exec ${cliCommand.join(" ")} ${args}'; echo code:$?; stty -a`;
    const child = spawn("script", ["-qfec", command, "/dev/null"], { cwd, env: { ...process.env, TERM: "xterm" } });
    let screen = "";
    let isAnswered = false;
    child.stdout.on("data", (data: Buffer) => {
      screen += data.toString();
      if (isAnswered || !/◆ +\S/.test(stripVTControlCharacters(screen))) return;
      isAnswered = true;
      onPrompt(Number(/pid:(\d+)/.exec(screen)?.[1]), (keys) => void child.stdin.write(keys));
    });
    await once(child, "close");
    return screen;
  }

  it.each([
    { how: "SIGTERM", code: 143, act: (pid: number) => process.kill(pid, "SIGTERM") },
    { how: "SIGHUP", code: 129, act: (pid: number) => process.kill(pid, "SIGHUP") },
    { how: "Ctrl-C typed", code: 3, act: (_pid: number, type: (keys: string) => void) => type("\u0003") },
  ])("$how: the terminal is as it was, and the run still waits", async ({ code, act }) => {
    const cwd = newFolder();
    const answer = "Ida Holm sold the mill because the railway took away its trade.";
    writeFileSync(join(cwd, "sale.md"), answer);
    const question = ["ask", "Why did Ida Holm sell the mill?", "--docs", "sale.md"];
    await runCli([...question, "--cast", "expert,judge=person", "--protocol", "courtroom"], { cwd });
    const id = (await newestRun(cwd))?.run.id ?? "";
    const out = await inTerminal(`review ${id}`, cwd, act);
    expect(out).toContain(`code:${code}`);
    const after = out.slice(out.indexOf("code:"));
    expect(after).toMatch(/\sicanon/);
    expect(after).toMatch(/\secho\s/);
    expect(out.lastIndexOf("\u001B[?25h")).toBeGreaterThanOrEqual(out.lastIndexOf("\u001B[?25l"));
    expectPlain(out);
    expect((await runCli(["review"], { cwd })).out).toContain(`${id}  question    a turn waits for its answer`);
    const reply = JSON.stringify({ answer, winner: 1, reasoning: "because", confidence: 0.5 });
    const reviewed = await runCli(["review", id, "--answer", reply], { cwd });
    expect(reviewed.code, reviewed.err).toBe(0);
  });
});
