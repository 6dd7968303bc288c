import { describe, expect, it } from "vitest";
import { readHadoopCases, readNezhaCases, findRcaFolder } from "../bench/rca/cases.ts";
import { rootCause } from "../src/packs/root-cause/pack.ts";

const there = findRcaFolder() !== null;
if (!there) console.warn("skipped: there are no labelled failures; set PARLEY_DATA to test how they are read");

describe.skipIf(!there)("labelled failures", () => {
  it.each([
    { kind: "Hadoop runs", read: readHadoopCases, cases: 25 },
    { kind: "faults of microservices", read: readNezhaCases, cases: 24 },
  ])("$kind become cases of the pack, and no label enters their logs", ({ read, cases }) => {
    const found = read();
    expect(found).toHaveLength(cases);
    for (const { log } of found) expect(rootCause.input.safeParse(log).success).toBe(true);
    expect(JSON.stringify(found.map(({ log }) => log))).not.toMatch(
      /label_logdelta|root_service|fault_type|Machine down|Network disconnection/,
    );
  });
});
