import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compareAnswers } from "./same-answer.ts";

type Pair = { id: string; a: string; b: string; same: boolean; question?: string };
const files = ["same-answers", "same-answers-fresh", "same-answers-again", "same-answers-first"];
const pairs = files.flatMap((file) =>
  readFileSync(new URL(`../../../../examples/question/${file}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Pair),
);

describe("whether two answers say the same", () => {
  it("different ones are never taken for the same, in either order", () => {
    const different = pairs.filter(({ same }) => !same);
    const mistaken = different.filter(({ a, b, question }) =>
      [compareAnswers(a, b, question), compareAnswers(b, a, question)].some(({ verdict }) => verdict === "same"),
    );
    expect(mistaken.map(({ a, b }) => `${a} | ${b}`)).toEqual([]);
  });
  it("most that say the same are recognised, and none is called different outright but by a value", () => {
    const same = pairs.filter((pair) => pair.same);
    const known = same.filter(({ a, b, question }) => compareAnswers(a, b, question).verdict === "same");
    expect(known.length / same.length).toBeGreaterThan(0.75);
  });
  it.each([
    ["yes", "yes, but only with a permit", "different"],
    ["valid if signed", "valid unless signed", "different"],
    ["no", "not before 2027", "different"],
    ["2 GB", "2 GiB", "different"],
    ["5 %", "5 percentage points", "different"],
    ["90 minutes", "an hour and a half", "same"],
    ["Anna, Ben and Carl", "Carl, Ben, Anna", "same"],
    ["The capital is Rome", "Rome is the capital", "same"],
    ["it failed to start", "it did not start", "same"],
    ["Monday, Wednesday and Sunday", "Sunday, Monday and Wednesday", "same"],
    ["9 to 12, 8 to 17", "9 to 17, 8 to 12", "unsure"],
    ["at least 3", "3 or more", "same"],
    ["at least 3", "at most 3", "different"],
    ["100 MB", "100 Mb", "unsure"],
    ["9 AM", "9 am", "same"],
    ["about 30 hours", "30 hours", "unsure"],
    ["Tenants must pay.", "Tenants may pay.", "unsure"],
    ["Anna pays Ben and Carl", "Ben pays Anna and Carl", "unsure"],
    ["5 days", "5 days after delivery", "unsure"],
    ["2019", "since 2019", "unsure"],
    ["The fee is 10 and the deposit 20", "The fee is 20 and the deposit 10", "unsure"],
  ])("%s | %s: %s", (a, b, verdict) => expect(compareAnswers(a, b).verdict).toBe(verdict));
  it.each([
    ["Yes", "Yes, in the morning", "Is it open in the morning and in the evening?"],
    ["the manager", "the deputy manager", "Who signs?"],
    ["Smith", "Anna Smith and Jon Smith", "Who signs?"],
  ])("%s | %s is left to the comparing role: %s", (a, b, asked) =>
    expect(compareAnswers(a, b, asked).verdict).toBe("unsure"),
  );
  it.each([
    ["ferry", "tunnel", "Ferry, bridge or tunnel?", "different"],
    ["Build the ferry.", "Build a bridge.", "Should we build a ferry or a bridge?", "different"],
    ["Anna runs it", "Ben runs it", "Does Anna or Ben run it?", "different"],
    ["baik feri", "terowongan", "Mana yang baik: feri atau terowongan?", "different"],
    ["the ferry", "a red ferry", "A red ferry or a bridge?", "unsure"],
    ["in winter", "the frost", "Was it frost in winter or bad steel?", "unsure"],
    ["ferry and bridge", "bridge and tunnel", "Ferry, bridge or tunnel?", "different"],
    ["ferry", "ferry and tunnel", "Ferry, bridge or tunnel?", "unsure"],
    ["frost", "the cold of that year", "Was it frost or bad steel?", "unsure"],
  ])("%s | %s, asked “%s”: %s", (a, b, asked, verdict) => {
    expect(compareAnswers(a, b, asked).verdict).toBe(verdict);
    expect(compareAnswers(b, a, asked).verdict).toBe(verdict);
  });
  it("a number of the question in both answers does not make two of its alternatives one", () => {
    const asked = "Plan 1: should the town build a tram, or give free bus tickets?";
    expect(compareAnswers("Build the tram (plan 1).", "Free bus tickets (plan 1).", asked).verdict).not.toBe("same");
  });
});
