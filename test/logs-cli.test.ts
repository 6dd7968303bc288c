import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder, runCli } from "./support/cli.ts";

const lines = [
  "2024-03-01 10:00:00,000 INFO [a] shop.Orders: order 1 stored",
  "2024-03-01 10:00:01,000 INFO [a] shop.Orders: order 2 stored",
  '2024-03-01 10:00:02,000 ERROR [a] shop.Db: query "x" failed, retry',
];

describe("parley rca parse", () => {
  it("prints a summary with templates, errors and the timeline", async () => {
    const { code, out } = await parse([]);
    expect(code).toBe(0);
    expect(out).toContain("3 lines of 1 file (hadoop): 3 events, 2 templates");
    expect(out).toMatch(/2 {2}INFO {3}T1 +order <\*> stored/);
    expect(out).toMatch(/first_error +line 3/);
  });

  it("--json prints the parsed log", async () => {
    const { out } = await parse(["--json"]);
    expect(JSON.parse(out)).toMatchObject({ totals: { lines: 3, events: 3, templates: 2 } });
  });

  it("--csv prints a row for each line", async () => {
    const { out } = await parse(["--csv"]);
    expect(out.split("\r\n")).toEqual([
      "LineId,EventId,EventTemplate,Content",
      "1,T1,order <*> stored,order 1 stored",
      "2,T1,order <*> stored,order 2 stored",
      '3,T2,"query ""x"" failed, retry","query ""x"" failed, retry"',
      "",
    ]);
  });

  it("bad input is exit code 2 with what would be right", async () => {
    const { code, err } = await runCli(["rca", "parse", "nope.log"], { cwd: newFolder() });
    expect([code, err]).toEqual([2, "parley: nope.log: no such file or folder\n"]);
    expect((await parse(["--format", "x"])).err).toContain('unknown log format "x"');
    expect((await parse(["--since", "soon"])).code).toBe(2);
  });

  it("lists the layouts", async () => {
    const { out } = await runCli(["rca", "formats"], { cwd: newFolder() });
    expect(out).toMatch(/^syslog +month day time host/m);
  });
});

describe("parley rca templates, errors and timeline", () => {
  it.each([
    ["templates", /^Templates\n +2 {2}INFO/, ["template", "count"]],
    ["errors", /^Errors\n +1 {2}Error {2}line 3 /, ["error_type", "line"]],
  ])("%s prints its part alone, and as JSON", async (part, shown, keys) => {
    expect((await show(part)).out).toMatch(shown);
    const [first] = JSON.parse((await show(part, "--json")).out) as object[];
    for (const key of keys) expect(first).toHaveProperty(key);
  });

  it("timeline tells what happened when", async () => {
    const { out } = await show("timeline");
    expect(out).toMatch(/2024-03-01 10:00:02\.000 {2}first_error +line 3/);
    expect(JSON.parse((await show("timeline", "--json")).out)).toHaveProperty("timeline");
  });

  it.each([
    [["--since", "2024-03-01T10:00:01"], 2],
    [["--since", "10:00:01"], 2],
    [["--until", "10:00:00"], 1],
    [["--since", "1 second before end"], 2],
    [["--around", "10:00:00", "--within", "1s"], 2],
    [["--since", "10:00:01", "--until", "10:00:01"], 1],
  ])("%s is what is read", async (options, events) => {
    const { code, out, err } = await runCli(["rca", "parse", "app.log", "--json", ...options], {
      cwd: folderWithLog(),
    });
    expect([code, err]).toEqual([0, ""]);
    expect((JSON.parse(out) as { totals: { events: number } }).totals.events).toBe(events);
  });

  it("reads standard input, also with a time of day", async () => {
    const stdin = lines.join("\n");
    const { out } = await runCli(["rca", "errors", "-", "--since", "10:00:01"], { cwd: newFolder(), stdin });
    expect(out).toContain('query "x" failed');
  });
});

function folderWithLog(): string {
  const cwd = newFolder();
  writeFileSync(join(cwd, "app.log"), lines.join("\n"));
  return cwd;
}

async function show(part: string, ...options: string[]) {
  return runCli(["rca", part, "app.log", ...options], { cwd: folderWithLog() });
}

async function parse(options: string[]) {
  return runCli(["rca", "parse", "app.log", ...options], { cwd: folderWithLog() });
}
