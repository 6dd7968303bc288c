import { expect, test } from "vitest";
import { parseLines } from "../../../knowledge/logs/index.ts";
import { chartTimeline, writeTimeline } from "./timeline.ts";

const healthy = Array.from(
  { length: 60 },
  (_, at) => `2026-04-07T10:${String(at).padStart(2, "0")}:00Z api INFO ok ${at}`,
);
const failing = ["20", "30", "40"].map((at) => `2026-04-07T10:${at}:30Z stock ERROR reservation ${at} failed`);

function readLog(lines: string[]) {
  return parseLines(lines.toSorted(), { name: "shop.log" });
}

test("errors are drawn by component with when they came, healthy components are not", async () => {
  const log = await readLog([...healthy, ...failing]);
  const line = log.events.find(({ message }) => message.includes("20 failed"))?.line ?? 0;
  expect(writeTimeline(log, [line])).toMatchObject({
    rows: [
      { label: "errors came", value: expect.stringMatching(/^·{11}├─+┤·+ 10:20:30 to 10:40:30$/) },
      { label: "stock", value: expect.stringMatching(/3 from 10:20:30 to 10:40:30$/) },
      { label: "", value: `${"·".repeat(11)}▲${"·".repeat(20)} quoted: line ${line}` },
    ],
  });
});

test("the stretch of the errors is the window, and a quoted line is a tick in the lane it is from", async () => {
  const log = await readLog([...healthy, ...failing]);
  const line = log.events.find(({ message }) => message.includes("30 failed"))?.line ?? 0;
  const section = chartTimeline(log, [line]);
  expect(section).toMatchObject({
    chart: {
      window: { start: Date.parse("2026-04-07T10:20:30Z"), end: Date.parse("2026-04-07T10:40:30Z") },
      lanes: [{ name: "stock", marks: [{ at: Date.parse("2026-04-07T10:30:30Z") }] }],
    },
  });
});

test("a log without times has no timeline", async () => {
  expect(chartTimeline(await readLog(["stock failed", "api ok"]), [])).toMatchObject({ kind: "text", text: "" });
});
