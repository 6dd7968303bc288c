import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder, runCli } from "./support/cli.ts";

const lines = [
  "2024-03-01 10:00:00,000 INFO [a] shop.Orders: order 1 stored",
  "2024-03-01 10:00:01,000 INFO [a] shop.Orders: order 2 stored",
  '2024-03-01 10:00:02,000 ERROR [a] shop.Db: query "x" failed, retry',
];

describe("parley logs parse", () => {
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
    const { code, err } = await runCli(["logs", "parse", "nope.log"], { cwd: newFolder() });
    expect([code, err]).toEqual([2, "parley: nope.log: no such file or folder\n"]);
    expect((await parse(["--format", "x"])).err).toContain('unknown log format "x"');
    expect((await parse(["--since", "soon"])).code).toBe(2);
  });

  it("lists the layouts", async () => {
    const { out } = await runCli(["logs", "formats"], { cwd: newFolder() });
    expect(out).toMatch(/^syslog +month day time host/m);
  });
});

async function parse(options: string[]) {
  const cwd = newFolder();
  writeFileSync(join(cwd, "app.log"), lines.join("\n"));
  return runCli(["logs", "parse", "app.log", ...options], { cwd });
}
