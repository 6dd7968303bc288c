import { expect, test } from "vitest";
import { parseLines } from "../../logs/index.ts";
import { analyse } from "../analysis/analyse.ts";

const time = (second: number) => new Date(Date.UTC(2026, 2, 4, 9, 0, second)).toISOString();

/** A log of ten minutes in which a deadlock is told every 50 seconds from `fromSecond` on. */
async function rankDeadlock(level: string, fromSecond: number): Promise<number> {
  const lines = Array.from({ length: 600 }, (_, at) => [
    `${time(at)} db INFO Server: checkpoint ${at} done`,
    ...(at >= fromSecond && at % 50 === 25 ? [`${time(at)} db ${level} Server: job ${at} was a deadlock victim`] : []),
  ]).flat();
  const { suspects } = analyse(await parseLines(lines));
  return suspects[0]?.score ?? 0;
}

test("what settles a matter is a matter of course where it is a warning that runs through the whole log", async () => {
  const ofCourse = await rankDeadlock("WARN", 0);
  expect(ofCourse).toBeLessThan(0.3);
  expect(await rankDeadlock("ERROR", 0)).toBeGreaterThan(0.7);
  expect(await rankDeadlock("WARN", 300)).toBeGreaterThan(0.7);
});
