import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Level, LogTemplateSchema, levels, templateChanges } from "../../../contract/parsed-log.ts";
import { type Candidate, chooseSalient } from "./choose-salient.ts";

const candidate = fc
  .record({
    count: fc.integer({ min: 1, max: 1000 }),
    level: fc.constantFrom(...levels, null),
    change: fc.constantFrom(...templateChanges, null),
    length: fc.integer({ min: 1, max: 400 }),
    isFirstError: fc.boolean(),
    repeat: fc.nat(3),
  })
  .map((fields) => (order: number) => make(order, fields));

test("the budget is kept, nothing is chosen twice, and the log's order stays", () => {
  fc.assert(
    fc.property(fc.array(candidate, { maxLength: 40 }), fc.nat(800), (makers, budget) => {
      const candidates = makers.map((of, order) => of(order));
      const chosen = chooseSalient(candidates, budget, 1000);
      const cost = chosen.reduce((sum, { candidate: c }) => sum + Math.ceil(c.event.raw.length / 4) + 8, 0);
      expect(cost).toBeLessThanOrEqual(budget);
      const orders = chosen.map(({ candidate: c }) => c.event.order);
      expect(orders).toEqual([...new Set(orders)].sort((a, b) => a - b));
      for (const { why } of chosen) expect(why.length).toBeGreaterThan(0);
    }),
  );
});

test("the first error goes before other errors, errors before the ordinary, the new and the rare before the common", () => {
  const plain = { count: 900, level: "INFO" as Level, change: null, length: 100, isFirstError: false, repeat: 0 };
  const candidates = [
    make(0, plain),
    make(1, { ...plain, count: 1 }),
    make(2, { ...plain, level: "ERROR" }),
    make(3, { ...plain, level: "ERROR", isFirstError: true }),
    make(4, { ...plain, change: "new" }),
  ];
  const order = [1, 2, 3, 4, 5].map((size) =>
    chooseSalient(candidates, 33 * size, 1000).map((c) => c.candidate.event.order),
  );
  expect(order).toEqual([[3], [2, 3], [2, 3, 4], [1, 2, 3, 4], [0, 1, 2, 3, 4]]);
});

type Fields = {
  count: number;
  level: Level | null;
  change: (typeof templateChanges)[number] | null;
  length: number;
  isFirstError: boolean;
  repeat: number;
};

function make(order: number, { count, level, change, length, isFirstError, repeat }: Fields): Candidate {
  const raw = "x".repeat(length);
  const place = { file: null, line: order + 1, lastLine: order + 1, timestamp: null, component: null };
  const template = LogTemplateSchema.parse({ id: `T${order}`, template: raw, count, level, change });
  const unknown = { service: null, host: null, trace: null, took: null, status: null, cause: null };
  const event = { order, shape: 0, ...place, ...unknown, level, message: raw, raw };
  return { event, template, repeat, isFirstError, isTelling: false };
}
