import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { randomCase } from "../../../test/support/sentiment/random-case.ts";
import {
  caseOf,
  edit,
  judge,
  patch,
  patchDebate,
  risk,
  sentiment,
  stage1,
  turn,
} from "../../../test/support/sentiment/turns.ts";
import { SentimentConfigSchema } from "./config.ts";
import { decide } from "./decide.ts";
import { decideCase } from "./decision.ts";
import type { PatchSummary, PatchTurn } from "./schemas/debate.ts";
import type { Stage1 } from "./schemas/stage1.ts";

const text = "The food was great but the service was slow and the price was average";
const spans = { sentence_evidence_spans: ["service was slow"] };
const profiles = ["t0", "t1", "t2"] as const;
const settle = (profile: string, first: Stage1, turns: PatchTurn[], summary: PatchSummary) => {
  const config = SentimentConfigSchema.parse({ debate_override: { profile } });
  return decideCase(caseOf(text, first, patchDebate(text, turns, summary)), config);
};
const show = (output: ReturnType<typeof decideCase>) =>
  output.final_result.final_tuples.map((tuple) => `${tuple.aspect_ref} ${tuple.polarity}`).join(", ");
const votes = (polarity: string, ...speakers: string[]) =>
  speakers.map((speaker, at) =>
    turn(speaker, edit("set_polarity", "service", polarity, { confidence: 0.9 - at / 10 })),
  );

describe("what each profile lets through", () => {
  const plain = stage1(text, { service: "positive" });
  const implicit = stage1(text, { service: sentiment("service", "positive", { is_implicit: true }) });
  const risky = stage1(text, { service: "positive" }, { structural_risks: [risk("CONTRAST", 0, 4)] });
  const flip = judge(
    { service: "negative" },
    { ...spans, final_patch: [patch("set_polarity", "service", "negative")] },
  );
  const silentPatch = judge({ service: "negative" }, { ...spans, final_patch: [] });
  const rows: [string, Stage1, PatchTurn[], PatchSummary, Record<(typeof profiles)[number], string>][] = [
    [
      "a flip of the judge and two speakers",
      plain,
      votes("negative", "epm", "cj"),
      flip,
      { t0: "negative", t1: "negative", t2: "negative" },
    ],
    [
      "one that the judge's tuples ask for",
      plain,
      votes("negative", "epm", "cj"),
      silentPatch,
      { t0: "positive", t1: "negative", t2: "negative" },
    ],
    [
      "one of the judge and one speaker",
      plain,
      votes("negative", "epm"),
      flip,
      { t0: "positive", t1: "negative", t2: "negative" },
    ],
    [
      "one of the judge and two speakers against the third",
      plain,
      [...votes("negative", "epm", "cj"), ...votes("positive", "tan")],
      flip,
      { t0: "positive", t1: "negative", t2: "negative" },
    ],
    ["one of the judge alone", plain, [], flip, { t0: "positive", t1: "positive", t2: "negative" }],
    [
      "one on an implicit judgement",
      implicit,
      votes("negative", "epm", "cj"),
      flip,
      { t0: "positive", t1: "negative", t2: "negative" },
    ],
    [
      "one under a structural risk",
      risky,
      votes("negative", "epm", "cj"),
      flip,
      { t0: "positive", t1: "positive", t2: "negative" },
    ],
  ];
  it.each(rows)("%s", (_, first, turns, summary, expected) => {
    for (const profile of profiles)
      expect(`${profile} ${show(settle(profile, first, turns, summary))}`).toBe(
        `${profile} service ${expected[profile]}`,
      );
  });

  const added: [said: string, speakers: string[], sentence: PatchSummary["sentence_polarity"], by: string[]][] = [
    ["every speaker", ["epm", "tan", "cj"], "mixed", ["t0", "t1", "t2"]],
    ["two, and the judge's word on the text", ["epm", "cj"], "negative", ["t1", "t2"]],
    ["two speakers", ["epm", "cj"], "mixed", ["t2"]],
    ["one, and the judge's word on the text", ["epm"], "negative", ["t2"]],
    ["one speaker", ["epm"], "mixed", []],
    ["the judge's word on the text", [], "negative", []],
  ];
  it.each(added)("an addition that the judge makes with %s", (_, speakers, sentence_polarity, by) => {
    const first = stage1(text, { food: "positive", service: null });
    const summary = judge({ food: "positive", service: "negative" }, { ...spans, sentence_polarity });
    const others = ["epm", "tan", "cj"].filter((speaker) => !speakers.includes(speaker));
    const silent = others.map((speaker) => turn(speaker, edit("confirm_tuple", "food", "positive")));
    const turns = [...votes("negative", ...speakers), ...silent];
    const taken = profiles.filter((profile) => show(settle(profile, first, turns, summary)).includes("service"));
    expect(taken).toEqual(by);
  });
});

const changes = ({ final_result: { stage1_tuples, final_tuples } }: ReturnType<typeof decide>) => {
  const keys = (tuples: typeof final_tuples) => new Set(tuples.map((one) => `${one.aspect_ref}=${one.polarity}`));
  return keys(stage1_tuples).symmetricDifference(keys(final_tuples));
};

it("whatever was said, an eager profile changes at least what a cautious one changes", () => {
  fc.assert(
    fc.property(randomCase, (recorded) => {
      const { settle: _, ...config } = (recorded.config ?? {}) as { settle?: object };
      const decided = profiles.map((profile) =>
        decide({ ...recorded, config: { ...config, debate_override: { profile } } }),
      );
      const [cautious, balanced, eager] = decided.map(changes);
      expect([...(cautious ?? [])].filter((change) => !balanced?.has(change))).toEqual([]);
      expect([...(balanced ?? [])].filter((change) => !eager?.has(change))).toEqual([]);
      const adopted = decided.map(({ meta }) => Number(meta.adopt_decision === "adopted"));
      expect(adopted).toEqual(adopted.toSorted((a, b) => a - b));
    }),
    { numRuns: 600 },
  );
});
