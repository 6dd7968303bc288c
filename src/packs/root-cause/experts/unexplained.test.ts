import { expect, test } from "vitest";
import { analyse } from "../../../knowledge/incidents/index.ts";
import { parseLines } from "../../../knowledge/logs/index.ts";
import { isUnexplained, limitSureness, listWhatWouldTell, mostBySymptoms } from "./unexplained.ts";

async function readSuspect(says: string) {
  const lines = Array.from({ length: 40 }, (_, at) => {
    const time = `2026-04-07T10:${String(at).padStart(2, "0")}:00Z`;
    return at < 25 ? `${time} stock INFO order ${at} stored` : `${time} stock ERROR ${says}`;
  });
  const log = await parseLines(lines, { name: "shop.log" });
  const [suspect] = analyse(log).suspects;
  if (!suspect) throw new Error("no suspect");
  return { suspect, log };
}

test("a place that only reports failure is unexplained", async () => {
  const { suspect, log } = await readSuspect("step 4 went badly");
  expect(isUnexplained(suspect, log)).toBe(true);
});

test.each(["No space left on device", "java.lang.IllegalStateException: curve EUR has no points"])(
  "%s says why",
  async (says) => {
    const { suspect, log } = await readSuspect(says);
    expect(isUnexplained(suspect, log)).toBe(false);
  },
);

test("what would tell names the place and the time", () => {
  expect(listWhatWouldTell("stock", Date.UTC(2026, 3, 7, 10, 25))[0]).toContain("stock");
  expect(listWhatWouldTell("stock", Date.UTC(2026, 3, 7, 10, 25))[0]).toContain("2026-04-07 10:25:00");
});

test("nobody is surer of symptoms than of a named cause", async () => {
  const symptom = await readSuspect("price of the order is invalid");
  expect(limitSureness(symptom.suspect, symptom.log)).toBe(mostBySymptoms);
  const cause = await readSuspect("No space left on device");
  expect(limitSureness(cause.suspect, cause.log)).toBeGreaterThan(mostBySymptoms);
});
