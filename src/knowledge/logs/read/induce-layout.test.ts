import { expect, it } from "vitest";
import { parseLines } from "../parse-logs.ts";

const names = ["pump", "valve", "gate"];
const clock = (at: number) => new Date(at * 7000).toISOString().slice(11, 19);
const forms: Record<string, (at: number, level: string, name: string) => string> = {
  "day and time of day": (at, level, name) => `[17.04. ${clock(at)}] [${level}] [${name}] stroke ${at} ok`,
  semicolons: (at, level, name) => `21/07/2026;${clock(at)};${name};${level};"stroke ${at} ok"`,
  "seconds since start": (at, level, name) => `+${(880000 + 7 * at).toFixed(3)}s ${name} ${level} stroke ${at} ok`,
  "unknown keys": (at, level, name) => `t=${1780315230 + 7 * at}.0 sev=${level} sub=${name} ev=stroke ok`,
  "unknown fields": (at, level, name) =>
    JSON.stringify({ at: clock(at), who: name, tone: level, say: `stroke ${at} ok` }),
};

it.each(Object.entries(forms))("finds time, level and component by their columns: %s", async (_name, write) => {
  const lines = Array.from({ length: 60 }, (_, at) => write(at, at % 6 === 0 ? "warn" : "info", names[at % 3] ?? ""));
  const { events, totals } = await parseLines(lines, { name: "log", budgetTokens: 40_000 });
  expect(totals.events_by_level).toEqual({ INFO: 50, WARN: 10 });
  expect(events.length).toBeGreaterThan(0);
  for (const { component } of events) expect(names).toContain(component);
  expect((totals.last_timestamp ?? 0) - (totals.first_timestamp ?? 0)).toBe(59 * 7000);
});
