import fc from "fast-check";
import { expect, it } from "vitest";
import { segmentSentences, splitText } from "./split-text.ts";

it.each([
  ["Then Ms. Vermeer asked Dr. Who. He left.", ["Then Ms. Vermeer asked Dr. Who.", "He left."]],
  ["It was J. S. Bach. See No. 7.", ["It was J. S. Bach.", "See No. 7."]],
  ["Menurut Prof. Hadi dan Bpk. Umar, sah. Titik.", ["Menurut Prof. Hadi dan Bpk. Umar, sah.", "Titik."]],
  ["We met at noon. Then we left.", ["We met at noon.", "Then we left."]],
  ["It costs e.g. Ten euros", ["It costs e.g. Ten euros"]],
  ["The answer is no. We left.", ["The answer is no.", "We left."]],
  ["배송이 빨라요. 포장은 별로예요.", ["배송이 빨라요.", "포장은 별로예요."]],
  ["", []],
])("%s", (text, sentences) => {
  expect([...segmentSentences(text)].map((one) => one.trim())).toEqual(sentences);
});

it.each(["Mr. ", "a. ", "_", "x. ", " ", "e.g.", "```\n"])(
  "a document of nothing but %j is read in seconds",
  (unit) => {
    const text = unit.repeat(600_000 / unit.length);
    const before = process.cpuUsage();
    expect([...segmentSentences(`${text}.`)].join("")).toBe(`${text}.`);
    splitText(`x${text}!`);
    expect(process.cpuUsage(before).user / 1e6, "seconds").toBeLessThan(5);
  },
);

it("nothing of a text is lost", () => {
  fc.assert(fc.property(fc.string(), (text) => [...segmentSentences(text)].join("") === text));
});
