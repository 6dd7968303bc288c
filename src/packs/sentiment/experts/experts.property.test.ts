import fc from "fast-check";
import { expect, it } from "vitest";
import { playPatchDebate, playStanceDebate } from "../../../../test/support/sentiment/play-roles.ts";

const pieces = [
  "The food was great",
  "but the service was slow",
  "not bad at all",
  "battery life",
  "too expensive",
  "I wish",
  "never again!!!",
  "😀👍",
  "음식이 맛있지만",
  "서비스가 별로예요",
  "안 좋아요",
  "없지 않다",
  "화면",
  "ㅋㅋㅋ",
  "http://a.b/c?d=e",
  "\n\n",
  "\u0000",
  "ﷺ",
  "İstanbul",
  "x".repeat(200),
  "가".repeat(200),
  "...",
  "(((",
  "“quoted”",
  "$$$ 5.99",
  "don't",
  "1234567890",
  "<b>bold</b>",
  "constructor",
  "__proto__",
];
const anyText = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 }).map((parts) => parts.join(" ")),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
);
const language = fc.constantFrom("en" as const, "ko" as const);

it("whatever the text, every term, opinion, evidence and quote of the experts is in it, and confidences are shares", async () => {
  await fc.assert(
    fc.asyncProperty(anyText, language, async (text, code) => {
      const played = await playPatchDebate(text, code);
      for (const { term, span, confidence } of played.stage1.aspects) {
        expect(text.slice(span.start, span.end)).toBe(term);
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(confidence).toBeLessThanOrEqual(1);
      }
      for (const { opinion_term, evidence, confidence } of played.stage1.aspect_sentiments) {
        if (opinion_term) expect(text.slice(opinion_term.span.start, opinion_term.span.end)).toBe(opinion_term.term);
        expect(text).toContain(evidence);
        expect(confidence).toBeLessThanOrEqual(1);
      }
      for (const { scope } of played.stage1.validator?.structural_risks ?? []) {
        expect(scope.start).toBeGreaterThanOrEqual(0);
        expect(scope.end).toBeLessThanOrEqual(text.length);
      }
      for (const edit of played.turns.flatMap((turn) => turn.proposed_edits))
        if (edit.evidence !== null) expect(text).toContain(edit.evidence);
      for (const span of played.summary.sentence_evidence_spans) expect(text).toContain(span);
      for (const { span } of played.summary.aspect_evidence ?? []) expect(text).toContain(span);
    }),
    { numRuns: 150 },
  );
});

it("whatever the text, the stance speakers quote only words of it", async () => {
  await fc.assert(
    fc.asyncProperty(anyText, language, async (text, code) => {
      for (const turn of (await playStanceDebate(text, code)).turns)
        for (const point of turn.key_points) expect(text).toContain(point);
    }),
    { numRuns: 80 },
  );
});

it("the same text gives the same turns", async () => {
  await fc.assert(
    fc.asyncProperty(anyText, language, async (text, code) => {
      expect(await playPatchDebate(text, code)).toEqual(await playPatchDebate(text, code));
    }),
    { numRuns: 30 },
  );
});

it("very long texts of either language are read in reasonable time", async () => {
  const english = "The food was great but the service was slow. ".repeat(400);
  const korean = "음식이 맛있지만 서비스가 별로예요. ".repeat(400);
  expect((await playPatchDebate(english, "en")).stage1.aspect_sentiments.length).toBeGreaterThan(0);
  expect((await playPatchDebate(korean, "ko")).stage1.aspect_sentiments.length).toBeGreaterThan(0);
});
