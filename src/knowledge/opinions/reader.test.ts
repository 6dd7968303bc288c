import { describe, expect, it } from "vitest";
import { detectLanguage, readerOf, readWith, viewAspects } from "./index.ts";
import { score } from "./layer.ts";
import { fit } from "./learn.ts";

function viewTerm(text: string, term: string) {
  const start = text.indexOf(term);
  const aspect = { term, span: { start, end: start + term.length } };
  return viewAspects(text, detectLanguage(text), [aspect])[0];
}

describe("predicates of kinds of things", () => {
  it.each([
    ["The service was slow.", "service", "negative"],
    ["The portions were tiny.", "portions", "negative"],
    ["The size runs small.", "size", "negative"],
    ["The lecturer explains everything clearly.", "lecturer", "positive"],
    ["I don't think the soup is bad at all.", "soup", "positive"],
    ["사이즈가 작아요.", "사이즈", "negative"],
    ["양이 적어요.", "양", "negative"],
    ["배송이 늦었어요.", "배송", "negative"],
  ])("%s", (text, term, polarity) => {
    expect(viewTerm(text, term)?.learnt?.polarity).toBe(polarity);
  });
});

it("what is denied altogether is not blamed", () => {
  expect(readerOf("en").overall("I don't think it's bad at all.").polarity).toBe("positive");
});

it.each([
  ["The screen is gorgeous and the hinge has twelve rivets.", "hinge"],
  ["화면은 선명하고 마이크는 지직거려요.", "마이크"],
])("a mention with an unknown predicate does not take its neighbour's opinion: %s", (text, term) => {
  const spans = readerOf(detectLanguage(text)).candidates(text);
  const aspects = [
    ...spans.map(({ span }) => span),
    { start: text.indexOf(term), end: text.indexOf(term) + term.length },
  ];
  const named = aspects.map((span) => ({
    term: text.slice(span.start, span.end),
    span,
  }));
  const view = viewAspects(text, detectLanguage(text), named).find((one) => one.term === term);
  expect(view?.scoped.polarity ?? null).toBeNull();
});

it.each([
  ["The hinge is gribbled.", "hinge"],
  ["The screen is gorgeous and the hinge is gribbled.", "hinge"],
])("an unknown predicate judges nothing, whatever its thing is mostly called: %s", (text, term) => {
  expect(viewTerm(text, term)?.learnt?.polarity ?? null).toBeNull();
});

it("what is said of nothing named is learnt like what is said of a thing", () => {
  const [view] = viewAspects("They answered within ten minutes.", "en", [{ term: "", span: { start: 0, end: 0 } }]);
  expect(view?.learnt?.polarity).toBe("positive");
});

it.each([
  ["The friendly waiters came at once.", ["waiters"]],
  ["We had sunday brunch there and it was great.", ["brunch"]],
  ["2가지 반찬이 모두 맛있었어요.", ["반찬"]],
  ["배터리 수명이 길어요.", ["배터리 수명"]],
])("where a name begins in its noun phrase is learnt: %s", (text, terms) => {
  const found = readerOf(detectLanguage(text)).candidates(text);
  expect(found.map(({ span }) => text.slice(span.start, span.end))).toEqual(terms);
});

it.each([
  ["지직거리며 화면은 선명해요.", ["화면"]],
  ["한데 배터리가 별로예요.", ["배터리"]],
  ["btw everytime I call the staff is rude", ["staff"]],
])("connectives name no aspect: %s", (text, terms) => {
  const found = readerOf(detectLanguage(text)).candidates(text);
  expect(found.map(({ span }) => text.slice(span.start, span.end))).toEqual(terms);
});

describe("nouns that the analysers mistake are aspects", () => {
  it.each([
    ["The lectures are long.", "lectures"],
    ["Great lectures; the hall was packed.", "lectures"],
    ["The new remote is fine.", "remote"],
    ["The sleeves fit like gloves.", "sleeves"],
    ["Check-in was quick.", "Check-in"],
    ["The noise is gone.", "noise"],
    ["원단은 부드러운데 단추가 일주일 만에 떨어졌어요.", "단추"],
    ["로비는 낡았어도 객실은 깨끗했어요.", "객실"],
    ["소음이 줄었어요.", "소음"],
  ])("%s", (text, term) => {
    const found = readerOf(detectLanguage(text)).nominate(text);
    expect(found.map(({ span }) => text.slice(span.start, span.end))).toContain(term);
  });
});

it.each([
  ["If the camera were good, I'd keep it.", "camera"],
  ["카메라만 좀 더 선명했으면 별 다섯 개를 줬을 거예요.", "카메라"],
])("what would have to be good is not: %s", (text, term) => {
  expect(viewTerm(text, term)?.near.polarity).toBe("negative");
});

it("a thing's own name is no witness about it", () => {
  expect(viewTerm("소음이 확 줄었어요.", "소음")?.near.polarity ?? null).toBeNull();
});

it("without a layer the rules read alone", () => {
  readWith({ en: "off", ko: "off" }, () => expect(viewTerm("The service was slow.", "service")?.learnt).toBeNull());
});

it("a layer learns which predicate of which kind of thing is good", () => {
  const lesson = (text: string, term: string, label: "positive" | "negative") => {
    const start = text.indexOf(term);
    const [read] = readerOf("en").read(text, [{ start, end: start + term.length }]);
    return { features: read?.describe() ?? new Map<string, number>(), label, weight: 1, text };
  };
  const taught = ["lamp", "desk", "shelf", "chair"].flatMap((thing) => [
    lesson(`The ${thing} wobbles.`, thing, "negative"),
    lesson(`The ${thing} gleams.`, thing, "positive"),
  ]);
  const [positive = 0, negative = 0] = score(
    fit(taught, new Map()),
    lesson("The stool wobbles.", "stool", "negative").features,
  );
  expect(negative).toBeGreaterThan(positive);
});

it("long texts say no more than short ones: a bag of words has a bounded length", () => {
  const text = `The soup was good${" and we ate".repeat(60)}.`;
  const [read] = readerOf("en").read(text, [{ start: 4, end: 8 }]);
  const bag = [...(read?.describe() ?? [])].filter(([name]) => name.startsWith("clause "));
  expect(Math.sqrt(bag.reduce((sum, [, value]) => sum + value ** 2, 0))).toBeLessThanOrEqual(2.01);
});
