import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { newFolder, runCli } from "./support/cli.ts";

const example = new URL("../data/rca/example-incident.log", import.meta.url);

function folderWithLog(): string {
  const cwd = newFolder();
  copyFileSync(example, join(cwd, "shop.log"));
  return cwd;
}

describe("parley rca", () => {
  it("prints the report with cited lines, and --json the object of the specification", async () => {
    const cwd = folderWithLog();
    const { code, out } = await runCli(["rca", "shop.log"], { cwd });
    expect(code).toBe(0);
    expect(out).toContain("Best Hypothesis (Score: ");
    expect(out).toMatch(/shop\.log:\d+: /);
    const json = await runCli(["rca", "shop.log", "--json", "--quiet"], { cwd });
    const printed = JSON.parse(json.out) as { final_hypothesis: { category: string }; usage: { calls: number } };
    expect(printed.final_hypothesis.category).toBe("software");
    expect(printed.usage.calls).toBeGreaterThan(3);
  });

  it("reads gzip, folders and a time window, cites file and line, and writes artifacts", async () => {
    const cwd = folderWithLog();
    writeFileSync(join(cwd, "other.log.gz"), gzipSync("2024-05-14T10:05:00.000Z mail INFO Sender: sent 3 mails\n"));
    const { out } = await runCli(
      ["rca", "shop.log", "other.log.gz", "--since", "2024-05-14T10:00:00Z", "--out", "result"],
      { cwd },
    );
    expect(out).toMatch(/Log: \S*shop\.log:\d+: /);
    for (const name of ["root-cause.json", "report.txt", "knowledge.json"])
      expect(existsSync(join(cwd, "result", name)), name).toBe(true);
  });

  it("says what was wrong with a source, and reads the rest", async () => {
    const cwd = folderWithLog();
    const whole = gzipSync(readFileSync(example));
    writeFileSync(join(cwd, "cut.log.gz"), whole.subarray(0, whole.length - 40));
    writeFileSync(join(cwd, "core.log"), Buffer.from([0, 1, 2, 3]));
    const { code, err } = await runCli(["rca", "shop.log", "cut.log.gz", "core.log"], { cwd });
    expect(code).toBe(0);
    expect(err).toMatch(/cut\.log\.gz: the gzip data is damaged or cut off/);
    expect(err).toMatch(/core\.log: skipped: binary data/);
    const nothing = await runCli(["rca", "core.log"], { cwd });
    expect(nothing).toMatchObject({ code: 2, err: expect.stringContaining("no log events found") });
  });

  it("compares with a healthy reference", async () => {
    const cwd = folderWithLog();
    writeFileSync(
      join(cwd, "good.log"),
      readFileSync(join(cwd, "shop.log"), "utf8").split("\n").slice(0, 5).join("\n"),
    );
    const { out } = await runCli(["rca", "shop.log", "--reference", "good.log"], { cwd });
    expect(out).toMatch(/compared with \d+ events of /);
  });

  it.each([
    ["a file that is not there", ["rca", "nowhere.log"], /nowhere\.log/],
    ["an unknown format", ["rca", "shop.log", "--format", "nonsense"], /nonsense/],
    ["a time that is none", ["rca", "shop.log", "--since", "yesterday-ish"], /not a time/],
    ["a window without events", ["rca", "shop.log", "--since", "2030-01-01T00:00:00Z"], /outside/],
    ["an empty log", ["rca", "empty.log"], /no log line|empty/],
    ["a setting with a typo", ["rca", "shop.log", "--set", "max_round=2"], /max_rounds/],
  ])("says what is wrong with %s and exits 2", async (_name, args, message) => {
    const cwd = folderWithLog();
    writeFileSync(join(cwd, "empty.log"), "");
    const { code, err } = await runCli(args, { cwd });
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});

describe("parley kg", () => {
  it("lists, shows and exports; what is exported can be imported", async () => {
    const cwd = newFolder();
    expect((await runCli(["kg", "list", "network"], { cwd })).out).toContain("network-switch-port-flap");
    expect((await runCli(["kg", "list", "tls-certificate-expired", "--json"], { cwd })).out).toContain(
      "Renew and deploy",
    );
    writeFileSync(join(cwd, "all.jsonl"), (await runCli(["kg", "list", "--json"], { cwd })).out);
    expect((await runCli(["kg", "import", "all.jsonl"], { cwd })).out).toMatch(/^9\d added/);
  });

  it("learns a run only after a person confirmed its cause, and the next debate knows it", async () => {
    const cwd = folderWithLog();
    const { out } = await runCli(["rca", "shop.log", "--json", "--quiet"], { cwd });
    const { run } = (JSON.parse(out) as { parley: { run: string } }).parley;
    for (const args of [[], ["--by", "Ana"], ["--confirm"], ["--by", "Ana", "--cause", "the audit writer leaks"]])
      expect((await runCli(["kg", "learn", run, ...args], { cwd })).code, args.join(" ")).toBe(2);
    expect((await runCli(["kg", "list", "--own"], { cwd })).out).toBe("no incidents\n");
    const learned = await runCli(
      ["kg", "learn", run, "--by", "Ana", "--cause", "the audit writer leaks", "--category", "software"],
      { cwd },
    );
    expect(learned.out).toContain("confirmed by Ana");
    const again = await runCli(["rca", "shop.log", "--out", "again", "--quiet"], { cwd });
    expect(again.code).toBe(0);
    expect(readFileSync(join(cwd, "again", "knowledge.json"), "utf8")).toContain("the audit writer leaks");
  });

  it.each([
    ["a file that cannot be read", ["kg", "import", "nowhere.json"], /nowhere\.json/],
    ["an unknown run", ["kg", "learn", "zzz", "--by", "Ana", "--confirm"], /zzz/],
  ])("says what is wrong with %s and exits 2", async (_name, args, message) => {
    const { code, err } = await runCli(args);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});
