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

test("of like things, one that leaves the range of all others is told, by however little", async () => {
  let cell = 3290;
  const found = await describeReports(["bot-1", "bot-2", "bot-3"], (name, isOdd) => {
    if (isOdd) cell -= 25;
    return `${name} cell=${isOdd ? cell : 3280 + (name.charCodeAt(4) % 3) * 10}mV`;
  });
  expect(found).toEqual([expect.stringMatching(/bot-2.*cell falls without return: 3,300 at first, 2,565 mV/)]);
});

test("a number that falls without return is told; one that is counted down is not", async () => {
  let margin = 88;
  let left = 900;
  const found = await describeReports(["eye", "list"], (name) => {
    if (name === "list") return `list: ${(left -= 15)} rows remain`;
    return `eye: margin ${88 + (margin % 2)}`;
  });
  expect(found).toEqual([]);
  const fading = await describeReports(["list", "eye"], (name, isOdd) => {
    if (isOdd) margin -= 2.7;
    return name === "list" ? `list: ${(left -= 15)} rows remain` : `eye: margin ${Math.round(margin)}`;
  });
  expect(fading).toEqual([expect.stringMatching(/eye: margin (?:falls without return|steps from 88 to)/)]);
});

test.each(["used=N/64", "used N of 64"])("a limit may stand behind its number: %s", async (form) => {
  let used = 8;
  const found = await describeReports(["pool", "other"], (name, isOdd) => {
    if (name === "pool") return `pool: ${form.replace("N", String((used = Math.min(64, used + 2))))}`;
    return isOdd ? "other: fine" : "other: fine, too";
  });
  expect(found[0]).toMatch(/pool: used reaches its limit: 10 at first, 64 of 64 in the end/);
});

test("what moves in all parts of a message alike is told of the whole", async () => {
  let turn = 0;
  const found = await describeReports(["signer", "other"], (name, isOdd) => {
    if (name === "other") return `signer: signed key=k${(turn += 1) % 3} took=${turn > 30 ? 2300 : 12}ms`;
    return `other: fine ${isOdd ? "still" : "yet"}`;
  });
  expect(found).toEqual([expect.stringMatching(/signer: becomes slow: .*took steps from 12 to 2,300 ms/)]);
});
