import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { judgeByStructure, openLayer, readWith, viewAspects } from "./index.ts";

const text = "The pasta was wonderful but the waiter was rude.";
const aspects = ["pasta", "waiter"].map((term) => ({
  term,
  span: { start: text.indexOf(term), end: text.indexOf(term) + term.length },
  normalized: null,
  confidence: 1,
}));
const off = { en: "off", ko: "off" };

it("the layer that ships reads the plain case, with shares that add up to one", () => {
  const [pasta, waiter] = viewAspects(text, "en", aspects);
  expect([pasta?.learnt?.polarity, waiter?.learnt?.polarity]).toEqual(["positive", "negative"]);
  const { positive, negative, neutral } = pasta?.learnt?.shares ?? { positive: 0, negative: 0, neutral: 0 };
  expect(positive + negative + neutral).toBeCloseTo(1, 9);
});

it("without a layer the rules read alone, and what was in use before is in use again", () => {
  expect(readWith(off, () => viewAspects(text, "en", aspects)).map((view) => view.learnt)).toEqual([null, null]);
  expect(viewAspects(text, "en", aspects)[0]?.learnt).not.toBeNull();
  expect(() =>
    readWith(off, () => {
      throw new Error("stopped");
    }),
  ).toThrow("stopped");
  expect(viewAspects(text, "en", aspects)[0]?.learnt).not.toBeNull();
});

it("structure is silent where what was learnt rules its word out, and speaks where it leaves it open", () => {
  const [view] = readWith(off, () => viewAspects(text, "en", aspects));
  if (!view) throw new Error("no view");
  const learnt = (positive: number, met = true) => ({
    ...view.near,
    label: "neutral" as const,
    confidence: 1 - positive,
    shares: { positive, negative: 0, neutral: 1 - positive },
    met,
  });
  expect(judgeByStructure(view)).toBe("positive");
  expect(judgeByStructure({ ...view, learnt: learnt(0.2) })).toBeNull();
  expect(judgeByStructure({ ...view, learnt: learnt(0.495) })).toBe("positive");
  expect(judgeByStructure({ ...view, learnt: learnt(0.4, false) })).toBe("positive");
  expect(judgeByStructure({ ...view, learnt: learnt(0.2, false) })).toBeNull();
});

it("a layer knows which aspects it was taught a word of", () => {
  const meets = (term: string) => {
    const own = `The ${term} was great and the food was cold.`;
    const named = [term, "food"].map((word) => {
      const start = own.indexOf(word);
      return { term: word, span: { start, end: start + word.length }, normalized: null, confidence: 1 };
    });
    return viewAspects(own, "en", named)[0]?.learnt?.met;
  };
  expect(meets("soup")).toBe(true);
  expect(meets("trowel")).toBe(false);
});

it("a layer that cannot be opened says why", () => {
  expect(() => openLayer("default", "ko")).toThrow("no learnt layer ships");
  expect(() => openLayer("nowhere.json", "en")).toThrow("there is no such file");
  expect(openLayer("off", "ko")).toBeNull();
});

it("the file that ships is at most 2 MB and names its sources with their licences", async () => {
  const { statSync } = await import("node:fs");
  const layer = openLayer("default", "en");
  expect(statSync(new URL("../../../data/sentiment/en/layer.json", import.meta.url)).size).toBeLessThan(2_000_000);
  expect(layer?.sources.map((source) => source.licence)).toEqual(["Apache-2.0", "CC BY 4.0", "Apache-2.0"]);
});

it("a layer that was only taught several aspects at a time says nothing of one that is asked for by itself", () => {
  const shipped = readFileSync(new URL("../../../data/sentiment/en/layer.json", import.meta.url), "utf8");
  const file = join(mkdtempSync(join(tmpdir(), "layer-")), "layer-en.json");
  writeFileSync(file, shipped.replace(/"lone":\d+/, '"lone":29'));
  const lone = (en: string) => readWith({ en, ko: "off" }, () => viewAspects(text, "en", aspects.slice(0, 1)))[0];
  const both = readWith({ en: file, ko: "off" }, () => viewAspects(text, "en", aspects));
  expect(both.map((view) => view.learnt?.label)).toEqual(["positive", "negative"]);
  expect(lone(file)?.learnt).toBeNull();
  expect(lone("default")?.learnt?.label).toBe("positive");
});

it.each(["Not a single complaint about the staff.", "I have zero complaints about the staff."])(
  "what was learnt of complaints does not turn their denial: %s",
  (denial) => {
    const span = { start: denial.indexOf("staff"), end: denial.indexOf("staff") + 5 };
    const [view] = viewAspects(denial, "en", [{ term: "staff", span, normalized: null, confidence: 1 }]);
    expect(view?.learnt?.label).toBe("positive");
  },
);
