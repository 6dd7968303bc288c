import { expect, test } from "vitest";
import { type LogEvent, LogEventSchema, type ParsedLog, ParsedLogSchema } from "../../contract/parsed-log.ts";
import { quoteLine } from "./quote-line.ts";

const trace = event({ id: "e1", file: "a.log", line: 7, last_line: 9, raw: "boom\n  at x\n  at y" });
const other = event({ id: "e2", file: "b.log", line: 8, raw: "fine" });

test("a line inside a multi-line event is quoted by its own number", () => {
  expect(quoteLine(logOf(trace, other), 8, "a.log")).toBe("  at x");
  expect(quoteLine(logOf(trace, other), 8, "b.log")).toBe("fine");
});

test("a line that was not kept is null", () => {
  expect(quoteLine(logOf(trace, other), 10, "a.log")).toBeNull();
  expect(quoteLine(logOf(trace, other), 7, "b.log")).toBeNull();
});

function event(fields: Pick<LogEvent, "id" | "line" | "raw"> & Partial<LogEvent>): LogEvent {
  return LogEventSchema.parse({ template_id: "T1", message: fields.raw, ...fields });
}

function logOf(...events: LogEvent[]): ParsedLog {
  const zero = { files: 2, bytes: 0, lines: 4, blank_lines: 0, continuation_lines: 2, events: 2, outside_window: 0 };
  const left = { kept_events: 2, left_out_events: 0, left_out_by_level: {}, templates: 0, left_out_templates: 0 };
  const totals = { ...zero, ...left, events_by_level: {}, left_out_entities: 0, left_out_errors: 0 };
  return ParsedLogSchema.parse({ events, templates: [], totals });
}
