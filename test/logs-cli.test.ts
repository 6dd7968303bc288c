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
    expect(out).toMatch(/2 {2}INFO +order <\*> stored/);
    expect(out).toMatch(/first_error +line 3/);
  });

  it("--json prints the parsed log", async () => {
    const { out } = await parse(["--json"]);
    expect(JSON.parse(out)).toMatchObject({ totals: { lines: 3, events: 3, templates: 2 } });
  });

  it("bad input is exit code 2 with what would be right", async () => {
    const { code, err } = await runCli(["rca", "parse", "nope.log"], { cwd: newFolder() });
    expect([code, err]).toEqual([2, "parley: nope.log: no such file or folder\n"]);
    expect((await parse(["--format", "x"])).err).toContain('unknown log format "x"');
    expect((await parse(["--since", "soon"])).code).toBe(2);
  });

  it.each([
    [["--since", "2024-03-01T10:00:01"], 2],
    [["--since", "10:00:01"], 2],
    [["--until", "2024-03-01T10:00:00"], 1],
    [["--since", "10:00:01", "--until", "10:00:01"], 1],
    [["--since", "23:00", "--until", "10:00"], 1],
    [["--since", "10:00", "--until", "23:00"], 3],
    [["--since", "2024-03-01T10:00:01", "--until", "2024-03-01T10:00:01"], 1],
  ])("%s is what is read", async (options, events) => {
    const { code, out, err } = await runCli(["rca", "parse", "app.log", "--json", ...options], {
      cwd: folderWithLog(),
    });
    expect([code, err]).toEqual([0, ""]);
    expect((JSON.parse(out) as { totals: { events: number } }).totals.events).toBe(events);
  });

  it("reads standard input", async () => {
    const stdin = lines.join("\n");
    const { out } = await runCli(["rca", "parse", "-", "--since", "2024-03-01T10:00:01"], { cwd: newFolder(), stdin });
    expect(out).toContain('query "x" failed');
  });
});

function folderWithLog(): string {
  const cwd = newFolder();
  writeFileSync(join(cwd, "app.log"), lines.join("\n"));
  return cwd;
}

async function parse(options: string[]) {
  return runCli(["rca", "parse", "app.log", ...options], { cwd: folderWithLog() });
}
