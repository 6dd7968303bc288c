import { describe, expect, it } from "vitest";
import type { StanceSummary } from "../../schemas/debate.ts";
import { silentJudge } from "../../schemas/debate-output.ts";
import type { Polarity } from "../../schemas/stage1.ts";
import { inferLabel } from "./infer-label.ts";

describe("what the debate says of the sentence", () => {
  const stance = (over: Partial<StanceSummary>): StanceSummary => ({
    winner: null,
    consensus: null,
    key_agreements: [],
    key_disagreements: [],
    rationale: "",
    ...over,
  });
  it.each([
    ["mixed", "혼합", "mixed signals", "의견이 엇갈림", "양면적"],
    ["positive", "긍정적", "호의적", "좋다", "Positive"],
    ["negative", "부정적", "비판적", "나쁘다", "negative"],
    ["neutral", "중립", "neutral", "모호함"],
  ])("%s ← %s …", (label, ...words) => {
    for (const word of words) expect(inferLabel(stance({ consensus: word }), null)).toBe(label);
  });

  it("agreements are read before disagreements", () => {
    expect(inferLabel(stance({ key_agreements: ["긍정"], key_disagreements: ["부정"] }), null)).toBe("positive");
    expect(inferLabel(stance({ key_disagreements: ["부정"] }), null)).toBe("negative");
  });

  it("a text naming both sides is mixed", () => {
    expect(inferLabel(stance({ rationale: "맛은 긍정, 가격은 부정" }), null)).toBe("mixed");
  });

  it("patch: sentence_polarity first, then the settled tuples", () => {
    const summary = { ...silentJudge, rationale: "부정" };
    const tuple = (polarity: Polarity) => ({ aspect_ref: "a", aspect_term: "a", polarity });
    expect(inferLabel({ ...summary, sentence_polarity: "neutral" }, [tuple("positive")])).toBe("neutral");
    expect(inferLabel(summary, [tuple("positive")])).toBe("positive");
    expect(inferLabel(summary, [tuple("positive"), tuple("negative")])).toBe("mixed");
    expect(inferLabel(summary, [])).toBe("negative");
    expect(inferLabel(null, null)).toBeNull();
  });
});
