import { expect, test } from "vitest";
import { remember } from "./search.ts";

test("what is asked for again is made once, and what nobody asks for is forgotten", () => {
  const made: string[] = [];
  const read = remember(2, (text) => {
    made.push(text);
    return text.length;
  });
  expect(["a", "b", "a", "c", "b", "a"].map(read)).toEqual([1, 1, 1, 1, 1, 1]);
  expect(made).toEqual(["a", "b", "c"]);
  for (const text of ["d", "e", "f", "g"]) read(text);
  read("a");
  expect(made.at(-1)).toBe("a");
});

test("nothing found is remembered too", () => {
  let asked = 0;
  const find = remember(4, () => {
    asked += 1;
    return null;
  });
  expect([find("x"), find("x")]).toEqual([null, null]);
  expect(asked).toBe(1);
});
