import * as fc from "fast-check";
import { expect, test } from "vitest";
import { measureGrouping, type LineLabel } from "../bench/logs/measure-grouping.ts";

const label = fc.record({ group: fc.constantFrom("a", "b", "c", "d"), template: fc.constantFrom("x", "y") });
const lines = fc.array(fc.tuple(label, label), { maxLength: 12 });

test("the metrics equal the brute-force definition over sets of lines", () => {
  fc.assert(
    fc.property(lines, (pairs) => {
      const parsed = pairs.map(([left]) => left);
      const truth = pairs.map(([, right]) => right);
      const { ga, fga, pa, fta } = measureGrouping(parsed, truth);
      expect({ ga, fga, pa, fta }).toEqual(bruteForce(parsed, truth));
    }),
  );
});

test("names of groups do not matter, only which lines stand together", () => {
  const truth = labels("1 1 2 2 2");
  expect(measureGrouping(labels("z z q q q"), truth)).toMatchObject({ ga: 1, fga: 1 });
  expect(measureGrouping(labels("z z q q w"), truth)).toMatchObject({ ga: 2 / 5, fga: 2 / 5 });
  expect(measureGrouping(labels("z z z z z"), truth)).toMatchObject({ ga: 0, fga: 0 });
});

test("different numbers of lines cannot be compared", () => {
  expect(() => measureGrouping(labels("a b"), labels("a"))).toThrow("2 parsed lines with 1");
});

function labels(groups: string): LineLabel[] {
  return groups.split(" ").map((group) => ({ group, template: group }));
}

function bruteForce(parsed: LineLabel[], truth: LineLabel[]) {
  const mine = sets(parsed);
  const theirs = sets(truth);
  const right = mine.filter((set) => theirs.some((other) => other.join() === set.join()));
  const textOk = (index: number) => parsed[index]?.template === truth[index]?.template;
  const rightText = right.filter((set) => set.every(textOk));
  const n = parsed.length;
  const f1 = (hits: number) => (n === 0 ? 1 : (2 * hits) / (mine.length + theirs.length));
  return {
    ga: n === 0 ? 1 : right.flat().length / n,
    fga: f1(right.length),
    pa: n === 0 ? 1 : parsed.filter((_, index) => textOk(index)).length / n,
    fta: f1(rightText.length),
  };
}

function sets(labelled: LineLabel[]): number[][] {
  const groups = [...new Set(labelled.map((item) => item.group))];
  return groups.map((group) => labelled.flatMap((item, index) => (item.group === group ? [index] : [])));
}
