import { expect, it } from "vitest";
import { formatTable } from "./layout.ts";

it("pads every column to its widest cell in terminal columns", () => {
  expect(formatTable([["arm", "n"], ["토론", "12"], ["vote"]])).toEqual(["arm   n", "토론  12", "vote"]);
  expect(formatTable([])).toEqual([]);
});
