import { expect, it } from "vitest";
import { guardFormula } from "./layout.ts";

it.each([
  "=cmd|' /C calc'!A0",
  "+1+cmd",
  "-2+3",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  "\n=1",
  " =1",
  "＝1+1",
  "＠SUM(A1)",
  "- 1117838570 RAS",
])("%j does not begin as a formula does", (text) => expect(guardFormula(text)).toBe(`'${text}`));

it.each(["-3.5", "+12", "-1,000.5", "plain", "", "a=b", "'=x"])("%j stays as it is", (text) =>
  expect(guardFormula(text)).toBe(text),
);
