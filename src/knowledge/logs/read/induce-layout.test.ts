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

const stamp = (at: number) => new Date(1_780_000_000_000 + 7000 * at).toISOString();

it("a log that begins with two hundred calm lines keeps the levels of those that follow", async () => {
  const lines = Array.from({ length: 260 }, (_, at) =>
    at < 230
      ? `${stamp(at)} INFO  ${names[at % 3]} stroke ${at} ok`
      : `${stamp(at)} ERROR ${names[at % 3]} stuck at ${at}`,
  );
  const { totals, events } = await parseLines(lines, { name: "log", budgetTokens: 40_000 });
  expect(totals.events_by_level).toEqual({ INFO: 230, ERROR: 30 });
  const stuck = events.filter(({ level }) => level === "ERROR");
  expect(stuck.length).toBeGreaterThan(0);
  for (const { component } of stuck) expect(names).toContain(component);
});

it.each<[string, (at: number) => string, (at: number) => string | null]>([
  ["the verb that begins a message is no component", (at) => (at % 2 ? "opened door" : "read meter"), () => null],
  [
    "a name may carry a process number",
    (at) => `${names[at % 3]}[${at % 3}7]: stroke done`,
    (at) => names[at % 3] ?? "",
  ],
  ["many machines of one name are components", (at) => `node${at % 60} stroke done`, (at) => `node${at % 60}`],
])("%s", async (_name, write, named) => {
  const lines = Array.from({ length: 180 }, (_, at) => `${stamp(at)} INFO ${write(at)} ${at}`);
  const { events } = await parseLines(lines, { name: "log", budgetTokens: 40_000 });
  expect(events.length).toBeGreaterThan(0);
  for (const { component, line } of events) expect(component).toBe(named(line - 1));
});
