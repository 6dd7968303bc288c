import { expect, it } from "vitest";
import { textTable } from "./text-table.ts";

it("pads every column to its widest cell in terminal columns", () => {
  expect(textTable([["arm", "n"], ["토론", "12"], ["vote"]])).toEqual(["arm   n", "토론  12", "vote"]);
  expect(textTable([])).toEqual([]);
});
