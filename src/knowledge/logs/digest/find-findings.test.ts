import { expect, test } from "vitest";
import { parseLines } from "../parse-logs.ts";

/** One report a minute for each of some names; what is wrong begins after half of the time. */
async function describeReports(names: readonly string[], write: (name: string, isOdd: boolean) => string) {
  const lines = Array.from({ length: 60 }, (_, minute) =>
    names.map((name, index) => {
      const stamp = new Date(Date.UTC(2026, 0, 5, 8, minute, index)).toISOString();
      return `${stamp} INFO ${write(name, minute >= 30 && index === 1)}`;
    }),
  ).flat();
  const { findings } = await parseLines(lines, { name: "reports.log", budgetTokens: 4000 });
  return findings.map(({ component, description }) => `${component}: ${description}`);
}

test("a number is told of the one thing it is about, named by the word that the others do not have", async () => {
  const found = await describeReports(["intake", "sorting", "billing"], (name, isOdd) => {
    return `agent: job for ${name} holds depth=${isOdd ? 9000 : 20}`;
  });
  expect(found).toEqual([expect.stringContaining("sorting")]);
});

test("devices that are only numbered are told apart", async () => {
  const found = await describeReports(["0", "1", "2"], (name, isOdd) => {
    return `meter: slot=${name} clock=${isOdd ? 300 : 1400}`;
  });
  expect(found).toEqual([expect.stringMatching(/slot 1 clock steps from 1,400 to 300/)]);
});

test("a count that reaches the limit in its line is no identity", async () => {
  const found = await describeReports(["node-1", "node-2"], (name, isOdd) => {
    return `${name} flows count=${isOdd ? 65536 : 20000} max=65536`;
  });
  expect(found).toEqual([expect.stringMatching(/node-2.*flows count reaches its limit/)]);
});

test("a level below zero that moves away from zero is found", async () => {
  let level = -3;
  const found = await describeReports(["port-1", "port-2"], (name, isOdd) => {
    if (isOdd) level -= 0.6;
    return `probe: ${name} rx=${isOdd ? level.toFixed(1) : "-3.0"}dBm`;
  });
  expect(found).toEqual([expect.stringMatching(/port-2 rx falls without return/)]);
});
