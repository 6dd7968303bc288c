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

/** A log of ten minutes with one denied write; `after` is what its other lines say from there on. */
async function rankDenied(after: (at: number) => string): Promise<{ fault: number; none: number }> {
  const lines = Array.from({ length: 300 }, (_, at) => [
    `${time(2 * at)} db ${at < 150 ? `INFO Server: page ${at} written` : after(at)}`,
    ...(at === 150 ? [`${time(2 * at)} db ERROR Server: copy failed: Access is denied`] : []),
  ]).flat();
  const { suspects, noFault } = analyse(await parseLines(lines));
  return { fault: suspects[0]?.score ?? 0, none: noFault.score };
}

test("trouble after which the work goes on as before is no incident", async () => {
  const passed = await rankDenied((at) => `INFO Server: page ${at} written`);
  expect(passed.none).toBeGreaterThan(passed.fault);
  const lasting = await rankDenied((at) => `ERROR Server: page ${at} not written`);
  expect(lasting.fault).toBeGreaterThan(0.7);
});
