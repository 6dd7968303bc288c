import { expect, test } from "vitest";
import { parseLines, type ParsedLog, type WatchedRate } from "../../logs/index.ts";
import { analyse } from "../analysis/analyse.ts";
import { createPlaces } from "../clues/create-places.ts";
import { findRates } from "./find-rates.ts";

const rate: WatchedRate = {
  kind: "route",
  name: "POST /login 5xx",
  count: 52,
  share: 0.11,
  rate: 5,
  reference_count: 0,
  reference_share: 0,
  reference_rate: 0,
  change: "started",
  from: 1_772_615_100_000,
  file: null,
  line: null,
  against: "quiet part",
  description: "POST /login answers 5xx for 11 % of the requests since 09:05",
};

async function watch(...watched: WatchedRate[]): Promise<ParsedLog> {
  const lines = Array.from({ length: 50 }, (_, at) => `2026-03-04 09:00:${10 + at} INFO [shop] sold ${at}`);
  return { ...(await parseLines(lines, { name: "shop.log" })), watched };
}

test("requests that begin to fail are an incident although every line is logged as information", async () => {
  const log = await watch(rate);
  const { suspects, noFault } = analyse(log);
  expect(suspects[0]).toMatchObject({ category: "software", place: "POST /login" });
  expect(suspects[0]?.findings[0]?.says).toContain("5xx for 11 %");
  expect(noFault.score).toBeLessThan(suspects[0]?.score ?? 0);
});

test("work that stopped is told at the component that fell silent", async () => {
  const stopped: WatchedRate = { ...rate, kind: "component", name: "shipping", change: "stopped", reference_count: 90 };
  const log = await watch(stopped);
  expect(findRates(log, createPlaces(log))).toMatchObject([{ sign: "stopped_work", place: "shipping" }]);
});

test.each([
  ["a rate that did not change", { change: "same" as const }],
  ["answers that are not failures", { name: "GET /wp-login.php 4xx" }],
  ["failures of hardly any request", { share: 0.005 }],
])("%s are no finding", async (_name, patch) => {
  const log = await watch({ ...rate, ...patch });
  expect(findRates(log, createPlaces(log))).toEqual([]);
});
