import { expect, test } from "vitest";
import { parseLines } from "../parse-logs.ts";
import { HopLedger } from "./hop-ledger.ts";

type SpanOptions = { trace: number; id: string; parent?: string; atMs: number; tookMs: number; failed?: boolean };

function writeSpan({ trace, id, parent = "", atMs, tookMs, failed = false }: SpanOptions, more: object = {}) {
  return {
    traceId: String(trace).padStart(32, "0"),
    spanId: `${id}${trace}`,
    parentSpanId: parent === "" ? "" : `${parent}${trace}`,
    name: `work of ${id}`,
    startTimeUnixNano: `${atMs}000000`,
    endTimeUnixNano: `${atMs + tookMs}000000`,
    status: failed ? { code: 2, message: "timed out" } : {},
    ...more,
  };
}

const start = Date.UTC(2026, 2, 4, 9);

/** One export a service, as collectors write them: all spans of a service on one line, children before parents. */
function writeExports(services: Record<string, object[]>): string[] {
  return Object.entries(services).map(([name, spans]) => {
    const resource = { attributes: [{ key: "service.name", value: { stringValue: name } }] };
    return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] });
  });
}

test("parents of spans say who called whom, in whatever order they come, and since when a call is slow", async () => {
  const traces = Array.from({ length: 60 }, (_, trace) => ({ trace, atMs: start + trace * 5_000 }));
  const took = (trace: number) => (trace < 30 ? 10 : 900);
  const lines = writeExports({
    geo: traces.map(({ trace, atMs }) =>
      writeSpan({ trace, id: "g", parent: "s", atMs: atMs + 2, tookMs: took(trace) }),
    ),
    shop: traces.map(({ trace, atMs }) => writeSpan({ trace, id: "s", atMs, tookMs: took(trace) + 5 })),
  });
  const { hops = [], events } = await parseLines(lines);
  expect(hops).toMatchObject([
    { caller: "shop", callee: "geo", count: 60, change: "slower", reference_median_ms: 10, median_ms: 900 },
  ]);
  expect(Math.abs((hops[0]?.from ?? 0) - (start + 150_000))).toBeLessThanOrEqual(15_000);
  expect(Math.max(...events.map(({ took_ms = 0 }) => took_ms))).toBeGreaterThan(800);
});

test("a peer that leaves no span is called by whoever waits for it in vain", async () => {
  const peer = { kind: 3, attributes: [{ key: "peer.service", value: { stringValue: "ledger" } }] };
  const spans = Array.from({ length: 20 }, (_, trace) =>
    writeSpan({ trace, id: "c", atMs: start + trace * 1000, tookMs: 2000, failed: trace > 4 }, peer),
  );
  const { hops } = await parseLines(writeExports({ billing: spans }));
  expect(hops).toMatchObject([{ caller: "billing", callee: "ledger", error_count: 15, change: "failing" }]);
});

function listHops(steps: { atMs: number; tookMs: number; isError?: boolean }[], until?: number) {
  const ledger = new HopLedger();
  const where = { isCall: true, isError: false, line: 1, file: null };
  for (const step of steps) ledger.count({ caller: "a", callee: "b", ...where, ...step });
  if (until !== undefined) ledger.count({ caller: "a", callee: "c", ...where, atMs: until, tookMs: 1 });
  return ledger.list(null);
}

test.each([
  ["calls that stay as they are", (at: number) => ({ atMs: at * 1000, tookMs: 10 + (at % 3) }), undefined, null],
  ["calls that become slow", (at: number) => ({ atMs: at * 1000, tookMs: at < 40 ? 10 : 80 }), undefined, "slower"],
  ["a few slow calls", (at: number) => ({ atMs: at * 1000, tookMs: at % 25 === 0 ? 5000 : 10 }), undefined, null],
  ["calls that no longer come", (at: number) => ({ atMs: at * 1000, tookMs: 10 }), 600_000, "stopped"],
  ["a pause no longer than usual", (at: number) => ({ atMs: at * 1000, tookMs: 10 }), 75_000, null],
])("%s", (_name, step, until, change) => {
  const [hop] = listHops(
    Array.from({ length: 60 }, (_, at) => step(at)),
    until,
  );
  expect(hop).toMatchObject({ caller: "a", callee: "b", change });
});

test("many thousand calls take little memory and keep their change", () => {
  const steps = Array.from({ length: 50_000 }, (_, at) => ({ atMs: at, tookMs: at < 30_000 ? 10 : 200 }));
  expect(listHops(steps)).toMatchObject([{ count: 50_000, change: "slower", reference_median_ms: 10, median_ms: 200 }]);
});
