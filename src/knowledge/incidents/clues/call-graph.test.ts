import { expect, test } from "vitest";
import { parseLines } from "../../logs/index.ts";
import { analyse } from "../analysis/analyse.ts";
import { buildGraph } from "../graph/build-graph.ts";
import { learnIncident } from "../library/learn-incident.ts";
import { drawSvg } from "../picture/draw-svg.ts";
import { layOutIncident } from "../picture/lay-out-incident.ts";
import { createCallGraph, listCalls, recallCalls, weighByCalls } from "./call-graph.ts";

const topology = [
  { caller: "web", callee: "booking" },
  { caller: "booking", callee: "pricing" },
];
const graph = createCallGraph({ topology });
const symptom = { role: "symptom", strength: 0.5, firstMs: 0, isSilence: false };

test("calls reach on, but not back, and not round a circle", () => {
  expect(graph.reaches("web", "pricing")).toBe(true);
  expect(graph.reaches("pricing", "web")).toBe(false);
  const circle = createCallGraph({ topology: [...topology, { caller: "pricing", callee: "web" }] });
  expect(circle.reaches("web", "pricing")).toBe(false);
});

test.each([
  ["a caller's symptom is a report", [{ places: ["web"] }, { places: ["pricing"] }], [0.25, 0.5]],
  [
    "trouble that began much later explains nothing",
    [{ places: ["web"] }, { places: ["pricing"], firstMs: 120_000 }],
    [0.5, 0.5],
  ],
  ["a named cause is no report", [{ places: ["web"], role: "cause" }, { places: ["pricing"] }], [0.5, 0.5]],
  [
    "a silence that callers complain of is one",
    [{ places: ["web"] }, { places: ["pricing"], isSilence: true }],
    [0.25, 0.8],
  ],
  ["who does not call is not touched", [{ places: ["mail"] }, { places: ["pricing"] }], [0.5, 0.5]],
])("%s", (_name, troubles, strengths) => {
  expect(
    weighByCalls(
      troubles.map((trouble) => ({ ...symptom, ...trouble })),
      graph,
    ),
  ).toEqual(strengths);
});

const second = (at: number) => new Date(Date.UTC(2026, 2, 4, 9, 0, at)).toISOString();
const lines = Array.from({ length: 300 }, (_, at) =>
  at < 150
    ? `${second(at)} INFO [pricing] priced order ${at}`
    : `${second(at)} ERROR [pricing] order ${at} not priced: deadline exceeded`,
);

test("of one who waits in vain the only callee is blamed, though nothing is heard of it", async () => {
  const log = await parseLines(lines);
  expect(analyse(log).suspects[0]?.place).toBe("pricing");
  const known = { ...log, events: [...log.events], topology: [{ caller: "pricing", callee: "rates" }] };
  expect(analyse(known).suspects[0]).toMatchObject({ place: "rates" });
});

test("with two callees nobody can say which, and the caller stays the one to ask", async () => {
  const log = await parseLines(lines);
  const both = [...topology, { caller: "pricing", callee: "rates" }, { caller: "pricing", callee: "stock" }];
  expect(analyse({ ...log, events: [...log.events], topology: both }).suspects[0]?.place).toBe("pricing");
});

const cause = {
  id: "prices-gone",
  title: "prices gone",
  cause: "the price list was deleted",
  category: "config",
} as const;
const read = (service: string) =>
  parseLines([`2026-03-04T09:00:00Z ${service} ERROR [${service}] no price for seat 4`]);

test("a learned incident holds the calls of traces and topology, each once, and its graph and picture show them", async () => {
  const hop = { caller: "web", callee: "booking", count: 3 };
  const [call] = listCalls({ topology, hops: [hop as never] });
  expect(call).toEqual({ caller: "web", callee: "booking" });
  const learned = learnIncident({ ...(await read("web")), topology }, cause);
  expect(learned.calls).toEqual(topology);
  const graph = buildGraph([learned]);
  const calls = graph.filterEdges((_, { type }) => type === "CALLS");
  expect(calls.map((edge) => [graph.source(edge), graph.target(edge)])).toEqual([
    ["entity:web", "entity:booking"],
    ["entity:booking", "entity:pricing"],
  ]);
  expect(drawSvg(layOutIncident(graph, learned.id))).toContain(">calls<");
});

test("who calls whom is told once: a later log with a caller knows whom it calls, and another log does not", async () => {
  const learned = learnIncident({ ...(await read("web")), topology }, cause);
  const later = recallCalls(await read("web"), [learned]);
  expect(later.topology).toEqual([topology[0]]);
  expect(recallCalls(later, [learned])).toBe(later);
  const other = await read("mailer");
  expect(recallCalls(other, [learned])).toBe(other);
});
