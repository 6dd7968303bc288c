import { describe, expect, it } from "vitest";
import type { PatchSummary } from "../../schemas/debate.ts";
import { silentJudge } from "../../schemas/debate-output.ts";
import { findMeant, sayMeant } from "./self-denial.ts";

type Tuples = [aspect: string, polarity: "positive" | "negative" | "neutral"][];

function judge(sentence: PatchSummary["sentence_polarity"], tuples: Tuples): PatchSummary {
  const final_tuples = tuples.map(([aspect, polarity]) => ({ aspect_ref: aspect, aspect_term: aspect, polarity }));
  return { ...silentJudge, sentence_polarity: sentence, final_tuples };
}

const ko = (text: string) => ({ text, language_code: "ko" as const });

describe("a judge whose only tuple denies its word on the text", () => {
  it.each([
    [ko("번들거림이 없어요"), judge("positive", [["번들거림", "negative"]]), "positive"],
    [ko("보습력이 없어요"), judge("negative", [["보습력", "positive"]]), "negative"],
    [
      { text: "No greasy residue at all.", language_code: "en" as const },
      judge("positive", [["residue", "negative"]]),
      "positive",
    ],
  ])("is taken at that word where the text bears it out: %j", (about, said, polarity) => {
    expect(findMeant(about, said)?.polarity).toBe(polarity);
  });

  it.each([
    ["the text speaks for the tuple", ko("마감이 엉망이에요"), judge("positive", [["마감", "negative"]])],
    ["the judge does not deny itself", ko("번들거림이 없어요"), judge("negative", [["번들거림", "negative"]])],
    [
      "there are two tuples",
      ko("번들거림이 없어요"),
      judge("positive", [
        ["번들거림", "negative"],
        ["향", "positive"],
      ]),
    ],
    ["the word is mixed", ko("번들거림이 없어요"), judge("mixed", [["번들거림", "negative"]])],
    ["the aspect is not in the text", ko("번들거림이 없어요"), judge("positive", [["끈적임", "negative"]])],
    ["nothing is judged", ko("번들거림이 없어요"), judge("positive", [["번들거림", "neutral"]])],
  ])("is left as it spoke when %s", (_, about, said) => {
    expect(findMeant(about, said)).toBeNull();
  });

  it("loses the edits that led to the tuple, and keeps everything else it said", () => {
    const said = judge("positive", [
      ["잔여감", "negative"],
      ["향", "neutral"],
    ]);
    const edit = { op: "confirm_tuple" as const, value: null };
    const final_patch = [
      { ...edit, target: { aspect_ref: "잔여감", polarity: "negative" } },
      { ...edit, target: { aspect_ref: "향", polarity: "neutral" } },
    ];
    const meant = sayMeant({ ...said, final_patch }, { aspect: "잔여감", polarity: "positive" });
    expect(meant.final_tuples.map(({ polarity }) => polarity)).toEqual(["positive", "neutral"]);
    expect(meant.final_patch.map(({ target }) => target.aspect_ref)).toEqual(["향"]);
  });
});
