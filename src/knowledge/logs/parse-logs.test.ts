import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseLines, parseLogs, type ParseOptions } from "./parse-logs.ts";
import { ParsedLogSchema } from "../../contract/parsed-log.ts";
import { timesOf } from "../../../test/support/share.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-logs-test-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const at = (second: number) =>
  new Date(Date.UTC(2024, 2, 1, 10) + second * 1000).toISOString().replace("T", " ").slice(0, 23).replace(".", ",");
const healthy = Array.from(
  { length: 300 },
  (_, i) =>
    `${at(i)} INFO [w-${i % 4}] shop.Orders: order ${1000 + i} of user ${["ann", "bob", "cyd"][i % 3]} stored on node-${i % 3} in ${i % 9} ms`,
);
const failing = [
  ...healthy,
  `${at(300)} WARN [w-1] shop.Pool: pool of node-2 is almost empty, free=1`,
  ...Array.from({ length: 12 }, (_, i) => [
    `${at(310 + i * 0.1)} ERROR [w-1] shop.Db: query ${i} failed on 10.0.0.7:5432`,
    "java.net.ConnectException: Connection refused",
    "\tat shop.Db.query(Db.java:42)",
  ]).flat(),
  `${at(400)} INFO [w-0] shop.Orders: order 1 of user ann stored on node-1 in 3 ms`,
];

describe("a log with a fault", () => {
  test("becomes events, templates, entities, errors and a timeline that cite file and line", async () => {
    const log = await parse({ "app.log": failing });
    expect(ParsedLogSchema.parse(log)).toEqual(log);
    const file = join(folder, "app.log");
    expect(log.sources).toMatchObject([{ name: file, format: "hadoop", lines: failing.length, problems: [] }]);
    expect(log.templates[0]).toMatchObject({
      template: "order <*> of user <*> stored on <*> in <*> ms",
      count: 301,
      level: "INFO",
    });
    expect(log.error_messages).toMatchObject([
      { error_type: "ConnectException", component: "shop.Db", file, line: 302, count: 12, level: "ERROR" },
    ]);
    const kinds = log.timeline.map(({ kind, line }) => `${kind} ${line}`);
    expect(kinds).toEqual(expect.arrayContaining(["start 1", "first_error 302", "level_change 301", "end 338"]));
    const entity = (name: string) => log.entities.find((e) => e.name === name);
    expect(entity("10.0.0.7")).toMatchObject({ type: "ip", count: 12, error_count: 12, first_line: 302 });
    expect(entity("ann")).toMatchObject({ type: "user", count: 101 });
    expect(entity("node-2")).toMatchObject({ type: "node" });
    expect(entity("shop.Db")).toMatchObject({ type: "component", error_count: 12 });
  });

  test("every line of a kept event can be quoted, stack traces included", async () => {
    const log = await parse({ "app.log": failing });
    for (const event of log.events) {
      for (const [offset, text] of event.raw.split("\n").entries()) expect(text).toBe(failing[event.line - 1 + offset]);
    }
  });

  test("what is left out is counted", async () => {
    const { totals, events } = await parse({ "app.log": failing }, { budgetTokens: 300 });
    expect(totals.kept_events).toBe(events.length);
    expect(totals.kept_events + totals.left_out_events).toBe(totals.events);
    expect(totals.events + totals.continuation_lines + totals.blank_lines).toBe(totals.lines);
    expect(events.length).toBeGreaterThan(0);
    expect(events.some(({ why }) => why.includes("the first error"))).toBe(true);
  });

  test("the same input gives the same bytes", async () => {
    const [one, two] = [await parse({ "app.log": failing }), await parse({ "app.log": failing })];
    expect(JSON.stringify(one)).toBe(JSON.stringify(two));
  });

  test("against a healthy reference, templates are new, vanished or more frequent", async () => {
    writeFileSync(
      join(folder, "good.log"),
      [...healthy, ...Array.from({ length: 900 }, () => `${at(1)} INFO [w-0] shop.Cache: warm`)].join("\n"),
    );
    const log = await parse({ "app.log": failing }, { reference: [join(folder, "good.log")] });
    const change = (text: string) => log.templates.find(({ template }) => template.includes(text))?.change;
    expect(change("failed on")).toBe("new");
    expect(change("stored on")).toBe("more");
    expect(log.reference?.vanished).toMatchObject([
      { template: "warm", count: 0, reference_count: 900, change: "vanished" },
    ]);
    expect(log.totals.lines).toBe(failing.length);
  });

  test("an error that comes late in a template's life is not lost", async () => {
    const late = [...healthy, `${at(301)} ERROR [w-1] shop.Orders: order 9 of user ann stored on node-1 in 9999 ms`];
    const log = await parse({ "late.log": late });
    expect(log.error_messages).toMatchObject([{ line: 301, count: 1, level: "ERROR" }]);
    expect(log.templates).toMatchObject([{ count: 301, level: "INFO" }]);
    expect(log.events.find(({ line }) => line === 301)).toMatchObject({ level: "ERROR" });
  });

  test("a time window counts what is outside it", async () => {
    const log = await parse(
      { "app.log": failing },
      { sinceMs: Date.parse("2024-03-01T10:05Z"), untilMs: Date.parse("2024-03-01T10:05:30Z") },
    );
    expect(log.totals).toMatchObject({ events: 13, outside_window: 301 });
    await expect(parse({ "app.log": failing }, { sinceMs: Date.parse("2030-01-01") })).rejects.toThrow("move --since");
  });
});

test("while files are read, reference included, it is told how far it is", async () => {
  writeFileSync(join(folder, "good.log"), healthy.join("\n"));
  const heard: [number, number | null][] = [];
  const onProgress = (...progress: [number, number | null]) => void heard.push(progress);
  await parse({ "app.log": failing }, { reference: [join(folder, "good.log")], onProgress });
  const shares = heard.map(([, share]) => share ?? Number.NaN);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect([shares[0], shares.at(-1)]).toEqual([expect.closeTo(0.48, 2), 1]);
  expect(heard.at(-1)?.[0]).toBeGreaterThan(600);
});

describe("hard input", () => {
  test("a folder of thousands of files is one log", async () => {
    const count = timesOf({ quick: 1_500, whole: 10_000 });
    const many = join(folder, "many");
    mkdirSync(many);
    for (let index = 0; index < count; index += 1)
      writeFileSync(join(many, `${index}.log`), `${at(index)} INFO [a] b.C: file ${index}\n`);
    const log = await parseLogs([many]);
    expect(log.totals).toMatchObject({ files: count, lines: count, events: count, templates: 1 });
    expect(log.sources[2]?.name).toBe(join(many, "2.log"));
    rmSync(many, { recursive: true });
  });

  test("damaged, binary and empty sources are said and skipped; the rest is read", async () => {
    writeFileSync(join(folder, "noise.bin"), Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256)));
    writeFileSync(join(folder, "none.log"), "");
    const packed = gzipSync(healthy.join("\n"));
    writeFileSync(join(folder, "cut.log.gz"), packed.subarray(0, packed.length - 50));
    const log = await parseLogs([join(folder, "noise.bin"), join(folder, "none.log"), join(folder, "cut.log.gz")]);
    expect(log.sources.map(({ problems }) => problems.join())).toEqual([
      expect.stringContaining("binary"),
      "it is empty",
      expect.stringContaining("cut off"),
    ]);
    expect(log.totals.events).toBeGreaterThan(150);
    await expect(parseLogs([join(folder, "noise.bin"), join(folder, "none.log")])).rejects.toThrow(
      /noise.bin: skipped.*none.log: it is empty/,
    );
  });

  test("one giant line, and one with ten thousand fields", async () => {
    const fields = Array.from({ length: 10_000 }, (_, i) => `k${i}=${i}`).join(" ");
    const log = await parseLines(["start", "x".repeat(2_000_000), fields, "end"]);
    expect(log.totals).toMatchObject({ events: 4, templates: 4 });
    expect(Math.max(...log.events.map(({ raw }) => raw.length))).toBeLessThan(3000);
  });

  test("no line makes a pattern run wild", async () => {
    const pieces = [
      "a.",
      "[",
      "[a]",
      "a:",
      "(",
      '"',
      "\\",
      "= ",
      "1",
      "1.1.",
      "Aa",
      "- ",
      "/",
      "<",
      "at ",
      "k=",
      "::",
      "''",
      "a@",
      "1-",
    ];
    const log = await parseLines(
      pieces.flatMap((piece) => [piece.repeat(30_000), `2024-01-02 10:00:00 ${piece.repeat(30_000)}`]),
    );
    expect(log.totals.lines).toBe(2 * pieces.length);
  });

  test("what does not exist and unknown formats are errors that say what would be right", async () => {
    await expect(parseLogs([join(folder, "nope.log")])).rejects.toThrow("no such file or folder");
    await expect(parseLogs([join(folder, "*.nope")])).rejects.toThrow("no file matches");
    await expect(parseLogs([])).rejects.toThrow("name files");
    await expect(parse({ "a.log": ["x"] }, { format: "sislog" })).rejects.toThrow(
      /unknown log format "sislog".*syslog/,
    );
  });

  test("standard input, globs and folders are read; a source named twice once", async () => {
    writeFileSync(join(folder, "g1.log"), "a 1\n");
    writeFileSync(join(folder, "g2.log"), "a 2\n");
    const stdin = (async function* () {
      yield Buffer.from("a 3\n");
    })();
    const log = await parseLogs(["g?.log", "g1.log", "-"], { cwd: folder, stdin });
    expect(log.sources.map(({ name }) => name)).toEqual(["g1.log", "g2.log", "-"]);
    expect(log.totals).toMatchObject({ files: 3, events: 3, templates: 1 });
    expect(log.events.map(({ file, line }) => [file, line])).toEqual([
      ["g1.log", 1],
      ["g2.log", 1],
    ]);
  });
});

async function parse(files: Record<string, string[]>, options: ParseOptions = {}) {
  const paths = Object.entries(files).map(([name, lines]) => {
    writeFileSync(join(folder, name), lines.join("\n"));
    return join(folder, name);
  });
  return parseLogs(paths, options);
}

describe("inputs as they come", () => {
  test("reads what journalctl exports, cites its messages, and does not believe the kernel's priority 6", async () => {
    const record = (n: number, message: string) => [
      `__CURSOR=s=1;i=${n}`,
      `__REALTIME_TIMESTAMP=${1_700_000_000_000_000 + n * 1_000_000}`,
      "PRIORITY=6",
      "SYSLOG_IDENTIFIER=kernel",
      `MESSAGE=${message}`,
      "",
    ];
    const lines = [...record(1, "eth0: link is up"), ...record(2, "Buffer I/O error on dev sda1, logical block 7")];
    const { events, sources } = await parseLines(lines, { name: "journal" });
    expect(sources[0]?.format).toBe("journal-export");
    expect(events.map(({ line, component, level, timestamp }) => [line, component, level, timestamp])).toEqual([
      [5, "kernel", "INFO", 1_700_000_001_000],
      [11, "kernel", "ERROR", 1_700_000_002_000],
    ]);
  });

  test("journald JSON does not believe the kernel's priority 6 either", async () => {
    const record = (at: number, MESSAGE: string) =>
      JSON.stringify({
        __REALTIME_TIMESTAMP: `${1_700_000_000_000_000 + at}`,
        PRIORITY: "6",
        SYSLOG_IDENTIFIER: "kernel",
        MESSAGE,
      });
    const { events } = await parseLines([record(1, "eth0: link is up"), record(2, "Buffer I/O error on dev sda1")]);
    expect(events.map(({ level }) => level)).toEqual(["INFO", "ERROR"]);
  });

  test("a syslog without years is of the time of the dated logs beside it, whenever its file was written", async () => {
    const log = await parse({
      "app.log": ["2024-05-14T14:10:00Z ERROR [web] order failed", "2024-05-14T14:15:00Z ERROR [web] order failed"],
      "messages.log": ["May 14 14:09:58 db1 kernel: Buffer I/O error on dev sda1", "May 15 00:00:01 db1 cron: rotated"],
      "clock.log": ["14:10:01.250 [main] ERROR shop.Pay - refused", "14:10:02.250 [main] ERROR shop.Pay - refused"],
    });
    expect(new Date(log.totals.first_timestamp ?? 0).toISOString()).toBe("2024-05-14T14:09:58.000Z");
    expect(new Date(log.totals.last_timestamp ?? 0).toISOString()).toBe("2024-05-15T00:00:01.000Z");
  });
});
