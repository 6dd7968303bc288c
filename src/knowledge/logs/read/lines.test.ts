import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type LogSource, LogSourceSchema } from "../../../contract/parsed-log.ts";
import { longestLine, readText } from "./lines.ts";

const sample = Array.from(
  { length: 3000 },
  (_, i) => `2024-03-01 10:00:${String(i % 60).padStart(2, "0")} line ${i} ü`,
);

test("lines come out the same wherever chunks are cut", async () => {
  const text = fc.array(fc.constantFrom("a", "é", "日", "\n", "\r\n", "\n\n", " tail "), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(9), { maxLength: 20 }), async (parts, cuts) => {
      const bytes = Buffer.from(parts.join(""));
      const expected = await linesOf([bytes]);
      expect((await linesOf(cutUp(bytes, cuts))).lines).toEqual(expected.lines);
    }),
  );
});

test("lines end in \\n or \\r\\n", async () => {
  expect((await linesOf([Buffer.from("a\r\nb\nc")])).lines).toEqual(["a", "b", "c"]);
  expect((await linesOf([Buffer.from("10%\r20%\nb")])).lines).toEqual(["10%\r20%", "b"]);
});

test("gzip is unpacked, several members included", async () => {
  const members = [gzipSync("one\n"), gzipSync("two\n")];
  expect((await linesOf([Buffer.concat(members)])).lines).toEqual(["one", "two"]);
});

test("truncated gzip gives what could be unpacked and says so", async () => {
  const packed = gzipSync(sample.join("\n"));
  const { lines, report } = await linesOf(cutUp(packed.subarray(0, packed.length - 200), [700, 900, 5000]));
  expect(lines.length).toBeGreaterThan(2000);
  expect(lines.slice(0, 2000)).toEqual(sample.slice(0, 2000));
  expect(report.problems.join()).toMatch(/gzip data is damaged or cut off/);
});

test("UTF-16 and UTF-8 with a mark are read as text", async () => {
  const text = "Zeile eins\nZeile zwei ü\n";
  const wide = Buffer.from(text, "utf16le");
  const big = Buffer.from(wide).swap16();
  const expected = ["Zeile eins", "Zeile zwei ü"];
  expect((await linesOf([Buffer.concat([Buffer.of(0xff, 0xfe), wide])])).lines).toEqual(expected);
  expect((await linesOf([Buffer.concat([Buffer.of(0xfe, 0xff), big])])).lines).toEqual(expected);
  expect((await linesOf([Buffer.from(`\ufeff${text}`)])).lines).toEqual(expected);
});

test("binary data and other archives are skipped with the reason", async () => {
  const noise = Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 7919) % 256));
  expect((await linesOf([noise])).report.problems.join()).toMatch(/binary/);
  expect((await linesOf([Buffer.from("PK\x03\x04rest")])).report.problems.join()).toMatch(/zip.*unpack/);
});

test("an empty source is said to be empty", async () => {
  const { lines, report } = await linesOf([]);
  expect(lines).toEqual([]);
  expect(report.problems).toEqual(["it is empty"]);
});

test("one giant line is cut, its neighbours are not, and memory does not hold it", async () => {
  const giant = "x".repeat(1_000_000);
  const bytes = Buffer.from(`before\n${giant}\nafter\n`);
  for (const cuts of [[], Array<number>(200).fill(10_000)]) {
    const { lines, report } = await linesOf(cutUp(bytes, cuts));
    expect(lines.map((line) => line.length)).toEqual([6, longestLine, 5]);
    expect(report.problems.join()).toMatch(/1 lines are longer .*line 2/);
  }
});

async function linesOf(chunks: Uint8Array[]): Promise<{ lines: string[]; report: LogSource }> {
  const report = LogSourceSchema.parse({ name: "test" });
  const lines: string[] = [];
  for await (const batch of readText(streamOf(chunks), report)) lines.push(...batch);
  return { lines, report };
}

async function* streamOf(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

function cutUp(bytes: Buffer, cuts: number[]): Buffer[] {
  const parts: Buffer[] = [];
  let at = 0;
  for (const cut of cuts) {
    parts.push(bytes.subarray(at, at + cut));
    at = Math.min(bytes.length, at + cut);
  }
  return [...parts, bytes.subarray(at)];
}

test("the zeros that a crash left at the beginning of a file are skipped", async () => {
  const bytes = Buffer.concat([Buffer.alloc(512), Buffer.from("one line\nand another\n")]);
  expect((await linesOf([bytes])).lines).toEqual(["one line", "and another"]);
});
