import { expect, it } from "vitest";
import { playScript, text } from "../../../../test/support/sentiment/play.ts";
import { renderTerminal } from "../../../print/terminal/render-terminal.ts";
import { measureDisplayWidth } from "../../../text/display-width.ts";
import { findMarks } from "./evidence-marks.ts";
import { report } from "./report.ts";
import { view } from "./view.ts";

it("evidence that covers its aspect is marked around it, and marks never overlap", async () => {
  const { decision } = await playScript();
  const marks = findMarks(decision);
  expect(marks.map((mark) => [text.slice(mark.start, mark.end), mark.kind, mark.tone])).toEqual([
    ["food", "subject", "good"],
    ["service", "subject", "bad"],
    [" was slow", "evidence", "bad"],
  ]);
});

it("the report has everything in order: label, text, tuples, debate, gate, settling, result, moderator, cost", async () => {
  const finished = await playScript();
  const shown = renderTerminal(report(finished), { width: 80, color: false });
  const parts = [
    "● mixed",
    "sure ",
    "service",
    "negative",
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
  expect(Math.max(...shown.split("\n").map(measureDisplayWidth))).toBeLessThanOrEqual(80);
});

it("colour changes the looks and not the words", async () => {
  const finished = await playScript();
  const [plainText, coloured] = [false, true].map((color) => renderTerminal(report(finished), { width: 80, color }));
  expect(coloured).not.toBe(plainText);
  expect(coloured?.replace(/\u001B\[\d+m/g, "")).toBe(plainText);
});

it("the view highlights the evidence and shows each rule with its numbers", async () => {
  const sections = view(await playScript());
  expect(sections.map((section) => section.kind)).toEqual([
    "verdict",
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
