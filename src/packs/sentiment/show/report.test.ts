import { expect, it } from "vitest";
import { playScript, text } from "../../../../test/support/sentiment/play.ts";
import { createPaint } from "../../../print/paint.ts";
import { displayWidth } from "../../../text/display-width.ts";
import { findMarks } from "./evidence-marks.ts";
import { underlineMarks } from "./marked-text.ts";
import { report } from "./report.ts";
import { view } from "./view.ts";

const plain = createPaint(false);

it("marks stand under their words, also under wide letters", () => {
  const marks = [
    { start: 0, end: 2, label: "배송", tone: "good" as const, kind: "aspect" as const },
    { start: 4, end: 6, label: "배송", tone: "good" as const, kind: "evidence" as const },
  ];
  expect(underlineMarks("배송은 빨라 ok", marks, 40, plain)).toEqual(["배송은 빨라 ok", "^^^^   ++++"]);
});

it("a long text is broken at spaces, and no line is wider than the terminal", () => {
  const long = "아주 긴 문장입니다 ".repeat(12).trim();
  const marks = [{ start: 60, end: 65, label: "x", tone: "bad" as const, kind: "evidence" as const }];
  const lines = underlineMarks(long, marks, 30, plain);
  expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(30);
  expect(lines.filter((line) => /^[ -]+$/.test(line)).length).toBeGreaterThan(0);
  expect(lines.filter((line) => !/^[ -]+$/.test(line)).join(" ")).toBe(long);
});

it("evidence that covers its aspect is marked around it, and marks never overlap", async () => {
  const { decision } = await playScript();
  const marks = findMarks(decision);
  expect(marks.map((mark) => [text.slice(mark.start, mark.end), mark.kind, mark.tone])).toEqual([
    ["food", "aspect", "good"],
    ["service", "aspect", "bad"],
    [" was slow", "evidence", "bad"],
  ]);
});

it("the report has everything in order: text, tuples, sentence, debate, gate, settling, result, moderator, cost", async () => {
  const finished = await playScript();
  const shown = report(finished, { width: 80, color: false, runId: "r" });
  const parts = [
    "service",
    "negative",
    "Sentence",
    "Debate (patch)",
    "EPM",
    "judge",
    "Override gate",
    "debate_override_add",
    "Settling",
    "added by all speakers",
    "adopted",
    "EV 0.86",
    "Moderator",
    "RuleB",
    "10 turns",
  ];
  let at = 0;
  for (const part of parts) {
    expect(shown.indexOf(part, at), part).toBeGreaterThanOrEqual(at);
    at = shown.indexOf(part, at);
  }
  expect(Math.max(...shown.split("\n").map(displayWidth))).toBeLessThanOrEqual(80);
});

it("colour changes the looks and not the words", async () => {
  const finished = await playScript();
  const [plainText, coloured] = [false, true].map((color) => report(finished, { width: 80, color, runId: "r" }));
  expect(coloured).not.toBe(plainText);
  expect(coloured?.replace(/\u001B\[\d+m/g, "")).toBe(plainText);
});

it("the view highlights the evidence and shows each rule with its numbers", async () => {
  const sections = view(await playScript());
  expect(sections.map((section) => section.kind)).toEqual([
    "facts",
    "highlight",
    "table",
    "cards",
    "cards",
    "steps",
    "steps",
    "steps",
    "steps",
  ]);
  expect(sections.find((section) => section.title === "Override gate")).toMatchObject({
    steps: [{ label: "service", outcome: "debate_override_add", numbers: { neg: 2.3, total: 2.3 } }],
  });
});
