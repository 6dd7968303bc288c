import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newFolder, runCli, spawnCli } from "../../support/cli.ts";
import { shareOf } from "../../support/share.ts";
import { expectGoesOn, expectPlain, newestRun, startTenCalls, tenCalls, wholeDebate } from "../../support/ten-calls.ts";
import { canMount, fileLimit, type TinyDisk, tinyDisk } from "../../support/tiny-disk.ts";

const ten = await startTenCalls();
const whole = await wholeDebate(ten);
/** How large the store's log is when the last call arrives. */
let logKilobytes = 0;
beforeAll(async () => {
  const cwd = ten.folder();
  ten.begin((count) => {
    if (count === 10) logKilobytes = Math.floor(statSync(join(cwd, ".parley", "parley.db-wal")).size / 1024);
  });
  await runCli(tenCalls, { cwd });
});
afterAll(() => ten.close());

describe("the store's files may not grow any more", () => {
  const early = [0, 0.1, 0.3, 0.45, 0.6, 0.85].map((part) => ({ part, extra: 0 }));
  const atTheEnd = [4, 12, 20, 36, 52, 68].map((extra) => ({ part: 1, extra }));
  it.each(shareOf([...early, ...atTheEnd], (_, at) => at % 6 === 0))(
    "at $part of the debate and $extra KB: said, and resumed to the same result",
    async ({ part, extra }) => {
      ten.begin();
      const cwd = ten.folder();
      const through = fileLimit(Math.floor(logKilobytes * part) + extra);
      const { code, err } = await spawnCli(tenCalls, { cwd, through }).ran;
      expectPlain(err);
      if (part < 1) expect(code).toBe(1);
      if (code === 1) expect(err).toMatch(/the store .*parley\.db could not be (read or )?written/);
      const run = code === 1 ? await newestRun(cwd) : null;
      if (run) expect(err).toContain(`Continue with: parley resume ${run.run.id}`);
      await expectGoesOn(ten, cwd, whole);
    },
  );
});

describe.skipIf(!canMount)("a file system without a byte left (skipped where none can be mounted)", () => {
  let disk: TinyDisk;
  beforeAll(async () => {
    disk = await tinyDisk();
  });
  afterAll(() => disk.close());

  /** Processes on the disk, whose working folder it is. */
  const onDisk = (args: string[], env = {}) => spawnCli(args, { through: disk.through, env });
  /** What is on the disk, in a folder with room. */
  const rescued = (): string => {
    const folder = newFolder();
    cpSync(disk.outside, folder, { recursive: true, filter: (path) => !path.endsWith("ballast") });
    return folder;
  };
  const fresh = async (): Promise<void> => {
    disk.close();
    disk = await tinyDisk();
    ten.configure(disk.outside);
  };

  it("before there is a store: said, nothing is called", async () => {
    await fresh();
    ten.begin();
    disk.fill();
    const { code, err } = await onDisk(tenCalls).ran;
    expect(code).toBe(1);
    expectPlain(err);
    expect(err).toMatch(/the store .* could not be (made|written): the disk is full/);
    expect(ten.seen).toEqual([]);
    disk.free();
    expect((await onDisk(tenCalls).ran).code).toBe(0);
  });

  it.each(shareOf([1, 5, 10], (at) => at === 5))(
    "when call %i is answered: said with exit code 1, and resumed to the same result",
    async (at) => {
      await fresh();
      ten.begin((count) => void (count === at && disk.fill()));
      const { code, err } = await onDisk(tenCalls, { PARLEY_STORE_WAIT: "0s" }).ran;
      ten.calm();
      expect(code, err).toBe(1);
      expectPlain(err);
      expect(err).toMatch(/could not be written: the disk is full; free some space and continue/);
      disk.free();
      const cwd = rescued();
      expect(err).toContain(`Continue with: parley resume ${(await newestRun(cwd))?.run.id}`);
      await expectGoesOn(ten, cwd, whole);
    },
  );

  it("for a while: the reply that came back waits for room, and no call is made again", async () => {
    await fresh();
    ten.begin((count) => void (count === 5 && disk.fill()));
    const { child, ran } = onDisk(tenCalls);
    child.stderr?.on("data", (data: Buffer) => void (data.includes("waiting up to 30 s") && disk.free()));
    const { code, err } = await ran;
    expect(code, err).toBe(0);
    expect(err).toMatch(/the disk is full.*waiting up to 30 s/);
    expect(ten.seen).toHaveLength(10);
  });

  it("under the results of a batch: the earlier file stays, and the same line goes on", async () => {
    await fresh();
    const store = newFolder();
    const rows = Array.from({ length: 40 }, (_, i) => JSON.stringify({ id: `c${i}`, question: `Why ${i}?` }));
    writeFileSync(join(disk.outside, "cases.jsonl"), rows.join("\n"));
    writeFileSync(join(disk.outside, "results.jsonl"), "earlier\n");
    const args = ["run", "question", "--input", "cases.jsonl", "--out", "results.jsonl", "--store", store];
    disk.fill();
    const full = await onDisk(args).ran;
    expect(full.code, full.err).toBe(1);
    expect(full.err).toMatch(
      /results\.jsonl could not be written: the disk is full.*\n.*[Rr]un the same command again/,
    );
    expectPlain(full.err);
    expect(readFileSync(join(disk.outside, "results.jsonl"), "utf8")).toBe("earlier\n");
    expect(readdirSync(disk.outside).toSorted()).toEqual([
      "ballast",
      "cases.jsonl",
      "parley.config.yaml",
      "results.jsonl",
    ]);
    disk.free();
    const again = await onDisk(args).ran;
    expect(again.err, "nothing was begun while its results had no place").toBe("40 cases · 40 undecided\n");
    expect(readFileSync(join(disk.outside, "results.jsonl"), "utf8").trim().split("\n")).toHaveLength(40);
  });

  it("while the results of a batch are being written: the earlier file stays, and what was asked is not asked again", async () => {
    await fresh();
    const store = newFolder();
    const cases = 6;
    const rows = Array.from({ length: cases }, (_, i) => JSON.stringify({ id: `c${i}`, question: `Which way ${i}?` }));
    writeFileSync(join(disk.outside, "cases.jsonl"), rows.join("\n"));
    writeFileSync(join(disk.outside, "results.jsonl"), "earlier\n");
    const [, , ...settings] = tenCalls.filter((arg) => arg !== "--json");
    const args = ["run", "question", "--input", "cases.jsonl", "--out", "results.jsonl", "--store", store, ...settings];
    ten.begin((count) => void (count === 25 && disk.fill()));
    const full = await onDisk(args).ran;
    ten.calm();
    expect(full.code, full.err).toBe(1);
    expect(full.err).toMatch(
      /results\.jsonl could not be written: the disk is full.*\n.*[Rr]un the same command again/,
    );
    expectPlain(full.err);
    expect(readFileSync(join(disk.outside, "results.jsonl"), "utf8")).toBe("earlier\n");
    disk.free();
    const asked = ten.seen.length;
    expect(asked).toBeGreaterThanOrEqual(25);
    const again = await onDisk(args).ran;
    expect(again.code, again.err).toBe(0);
    expect(again.err).toMatch(/6 cases · [1-6] done before/);
    const twice = ten.seen.length - new Set(ten.seen).size;
    expect(twice, "only calls in flight are made again").toBeLessThanOrEqual(8);
    const results = readFileSync(join(disk.outside, "results.jsonl"), "utf8").trim().split("\n");
    expect(results.map((line) => (JSON.parse(line) as { case_id: string }).case_id)).toEqual([
      "c0",
      "c1",
      "c2",
      "c3",
      "c4",
      "c5",
    ]);
  });

  it("under the results of a study: said, and the same line completes it", async () => {
    await fresh();
    const store = newFolder();
    const cases = Array.from({ length: 30 }, (_, i) => ({
      id: `c${i}`,
      input: { question: `Why ${i}?` },
      gold: { answer: "x" },
    }));
    writeFileSync(join(disk.outside, "cases.jsonl"), cases.map((one) => JSON.stringify(one)).join("\n"));
    writeFileSync(
      join(disk.outside, "s.yaml"),
      "study: s\npack: question\ndataset: { path: cases.jsonl }\ncast: expert\narms:\n  - name: table\n",
    );
    const args = ["study", "run", "s.yaml", "--json", "--store", store, "--out", "out"];
    mkdirSync(join(disk.outside, "out"));
    disk.fill();
    const full = await onDisk(args).ran;
    expect(full.code, full.err).toBe(1);
    expect(full.err).toMatch(/could not be written: the disk is full/);
    expectPlain(full.err);
    disk.free();
    const again = await onDisk(args).ran;
    expect(again.code, again.err).toBe(0);
    expect(JSON.parse(again.out)).toMatchObject({ missing: 0, failed: 0 });
  });
});

describe("what a file held before stays when it cannot be written", () => {
  const through = fileLimit(1);
  const jobs: { name: string; args: string[]; file: string; earlier?(): string }[] = [
    { name: "export", args: ["export", "RUN", "--out", "run.html"], file: "run.html" },
    {
      name: "redecide --out",
      args: ["redecide", "RUN", "--set", "stop.agreement=0.6", "--out", "again"],
      file: "again/decision.json",
    },
    {
      name: "kg import",
      args: ["kg", "import", "incidents.jsonl"],
      file: ".parley/incidents.jsonl",
      earlier: () => one,
    },
  ];
  let cwd = "";
  let one = "";
  beforeAll(async () => {
    cwd = ten.folder();
    ten.begin();
    await runCli(tenCalls, { cwd });
    const incidents = (await runCli(["kg", "list", "--json"], { cwd })).out;
    writeFileSync(join(cwd, "incidents.jsonl"), incidents);
    one = `${incidents.split("\n")[0]}\n`;
  });

  it.each(jobs)("$name", async ({ args, file, earlier: earlierOf = () => "earlier" }) => {
    const path = join(cwd, file);
    mkdirSync(join(path, ".."), { recursive: true });
    const earlier = earlierOf();
    writeFileSync(path, earlier);
    const id = (await newestRun(cwd))?.run.id ?? "";
    const { code, err } = await spawnCli(
      args.map((arg) => (arg === "RUN" ? id : arg)),
      { cwd, through },
    ).ran;
    expect(code, err).toBe(1);
    expectPlain(err);
    expect(err).toMatch(/could not be written: .*what was there before is untouched/);
    expect(readFileSync(path, "utf8")).toBe(earlier);
    expect(readdirSync(join(path, "..")).filter((name) => /\.(new|partial|tmp)$/.test(name))).toEqual([]);
    const again = await runCli(
      args.map((arg) => (arg === "RUN" ? id : arg)),
      { cwd },
    );
    expect(again.code, again.err).toBe(0);
    expect(readFileSync(path, "utf8").length).toBeGreaterThan(1024);
  });

  it("a device is written to, not replaced", async () => {
    const id = (await newestRun(cwd))?.run.id ?? "";
    const { code, err } = await runCli(["export", id, "--format", "json", "--out", "/dev/full"], { cwd });
    expect(code).toBe(1);
    expect(err).toContain("/dev/full could not be written: the disk is full");
    expect(statSync("/dev/full").isCharacterDevice()).toBe(true);
    expect(existsSync("/dev/full.new")).toBe(false);
  });
});
