import { expect, test } from "vitest";
import { type Sight, weighOrder } from "./weigh-order.ts";

const sight = (firstMs: number | null, kind: Sight["kind"] = "said", role = "symptom"): Sight => {
  return { role, strength: 0.5, firstMs, kind };
};

test.each<[string, Sight[], Sight[], number]>([
  ["the first of several symptoms keeps its weight", [sight(0)], [sight(10_000)], 1],
  ["a later one may follow from it", [sight(10_000)], [sight(0)], 0.9],
  ["counted failures follow from what was said to fail", [sight(0, "counted")], [sight(20_000)], 0.6],
  ["but not from what came much later", [sight(0, "counted")], [sight(60_000)], 1],
  ["a silence explains nothing by itself", [sight(10_000)], [sight(0, "silent")], 1],
  ["a named cause is not weighed by its place in time", [sight(10_000, "said", "cause")], [sight(0)], 1],
  ["without a time there is no order", [sight(null)], [sight(0)], 1],
])("%s", (_, own, others, factor) => expect(weighOrder(own, others)).toBe(factor));
