import { expect, it } from "vitest";
import type { Aspect, Sentiment } from "../schemas/stage1.ts";
import { experts } from "./experts.ts";
import { aspect as aspectOf, sentiment } from "../../../../test/support/sentiment/turns.ts";
import { defaultPersonas } from "../config/personas.ts";
import { toDebateContext } from "../rules/review/review-context.ts";
import { keepOwnVoices } from "../rules/tuples/own-voices.ts";
import { playPatchDebate, playStanceDebate, playStage1 } from "../../../../test/support/sentiment/play-roles.ts";

const text = "The pasta was wonderful but our waiter was rude, and we sat near the bar.";

const aspect = (term: string, within = text): Aspect => ({ ...aspectOf(within, term), confidence: 1 });
const claim = (term: string, polarity: Sentiment["polarity"]) => sentiment(term, polarity, { confidence: 0.6 });

function speak(key: "epm" | "tan" | "cj", aspects: Aspect[], sentiments: Sentiment[], within = text) {
  const context = toDebateContext(within, { aspects, aspect_sentiments: sentiments, validator: null });
  const persona = defaultPersonas.patch[key] as NonNullable<(typeof defaultPersonas.patch)[string]>;
  return experts.speakPatch({
    text: within,
    language_code: "en",
    context,
    history: [],
    key,
    persona,
    round: 1,
    memory: null,
  });
}

it("ATE finds what a review judges, and not the speaker or the time", async () => {
  const { aspects } = await playStage1("Last night my husband loved the grilled salmon and the wine list.", "en");
  expect(aspects.map((one) => one.term)).toEqual(["grilled salmon", "wine list"]);
});

it("ATE finds Korean terms without their particles", async () => {
  const { aspects } = await playStage1("어제 친구와 갔는데 김치찌개는 맛있고 화장실이 더러웠어요.", "ko");
  expect(aspects.map((one) => one.term)).toEqual(["김치찌개", "화장실"]);
});

it("ATSA takes given aspects and leaves an aspect without an opinion missing, never neutral", async () => {
  const { aspect_sentiments } = await playStage1(
    text,
    "en",
    ["pasta", "waiter", "bar"].map((term) => aspect(term)),
  );
  expect(aspect_sentiments.map((one) => [one.aspect_ref, one.polarity])).toEqual([
    ["pasta", "positive"],
    ["waiter", "negative"],
    ["bar", null],
  ]);
});

it("ATSA states an implicit sentiment when the text judges without naming", async () => {
  expect((await playStage1("Absolutely wonderful, will come back!", "en")).aspect_sentiments).toMatchObject([
    { aspect_ref: "", polarity: "positive", is_implicit: true },
  ]);
  expect((await playStage1("다시는 안 갈 거예요. 최악이었어요.", "ko")).aspect_sentiments).toMatchObject([
    { aspect_ref: "", polarity: "negative", is_implicit: true },
  ]);
});

it("the Validator proposes to flip what the text contradicts, and calls the risk by name", async () => {
  const aspects = [aspect("pasta"), aspect("waiter")];
  const wrong = [claim("pasta", "positive"), claim("waiter", "positive")];
  const reply = await experts.validate({ text, language_code: "en", aspects, aspect_sentiments: wrong });
  expect(reply.correction_proposals).toMatchObject([{ target_aspect: "waiter", proposal_type: "FLIP_POLARITY" }]);
  expect(reply.structural_risks.map((risk) => risk.type)).toContain("CONTRAST_SCOPE");
  expect(reply.consistency_score).toBeLessThan(1);
});

it("the Validator has nothing to say about a plain, right reading", async () => {
  const plain = "The pasta was wonderful.";
  const reply = await experts.validate({
    text: plain,
    language_code: "en",
    aspects: [aspect("pasta", plain)],
    aspect_sentiments: [claim("pasta", "positive")],
  });
  expect(reply).toEqual({ structural_risks: [], consistency_score: 1, correction_proposals: [] });
});

it("EPM confirms what the text shows and corrects what it does not, with the words that show it", async () => {
  const within = "The pasta was wonderful but the waiter at the bar was rude.";
  const aspects = ["pasta", "waiter", "bar"].map((term) => aspect(term, within));
  const claims = [claim("pasta", "positive"), claim("waiter", "positive"), claim("bar", "negative")];
  const reply = await speak("epm", aspects, claims, within);
  expect(reply?.proposed_edits).toMatchObject([
    { op: "confirm_tuple", target: { aspect_ref: "pasta", polarity: "positive" }, evidence: "pasta was wonderful" },
    { op: "set_polarity", target: { aspect_ref: "waiter" }, value: "negative", evidence: "waiter at the bar was rude" },
    { op: "set_polarity", target: { aspect_ref: "bar" }, value: "neutral" },
  ]);
});

it("TAN confirms what the words nearby bear out, merges a part of a longer name, and drops what hardly is a target", async () => {
  const within = "The battery life is great, and a conversation started.";
  const unsure = ["life", "conversation"].map((term) => ({ ...aspect(term, within), confidence: 0.6 }));
  const aspects = [aspect("battery life", within), ...unsure];
  const reply = await speak(
    "tan",
    aspects,
    aspects.map((one) => claim(one.term, "positive")),
    within,
  );
  expect(reply?.proposed_edits.map((edit) => [edit.op, edit.target.aspect_ref, edit.value])).toEqual([
    ["confirm_tuple", "battery life", null],
    ["merge_tuples", "life", "battery life"],
    ["drop_tuple", "conversation", null],
  ]);
});

it("TAN leaves a part of a longer name that somebody is sure of as a target of its own", async () => {
  const within = "The battery life is great.";
  const aspects = ["battery life", "life"].map((term) => aspect(term, within));
  const claims = aspects.map((one) => claim(one.term, "positive"));
  const reply = await speak("tan", aspects, claims, within);
  expect(reply?.proposed_edits.map((edit) => edit.op)).toEqual(["confirm_tuple", "confirm_tuple"]);
});

it("what someone named surely is not dropped where what was learnt sees a judgement", async () => {
  const within = "The video output stopped working after a week.";
  const reply = await speak("tan", [aspect("video output", within)], [claim("video output", "negative")], within);
  expect(reply?.proposed_edits.map((edit) => edit.op)).not.toContain("drop_tuple");
});

it("speakers who find the same each say on which grounds of their own, so their votes are voices", async () => {
  const { turns } = await playPatchDebate(
    text,
    "en",
    ["pasta", "waiter"].map((term) => aspect(term)),
  );
  expect(turns.map((turn) => turn.speaker)).toEqual(["epm", "tan", "cj"]);
  expect(keepOwnVoices(turns)).toEqual(turns);
});

it("CJ and the judge decide every aspect on spans of the text", async () => {
  const { summary } = await playPatchDebate(
    text,
    "en",
    ["pasta", "waiter", "bar"].map((term) => aspect(term)),
  );
  expect(summary.final_tuples).toEqual([
    { aspect_ref: "pasta", polarity: "positive" },
    { aspect_ref: "waiter", polarity: "negative" },
  ]);
  expect(summary.sentence_polarity).toBe("mixed");
  for (const { span } of summary.aspect_evidence ?? []) expect(text).toContain(span);
});

it("critic and empath argue from words of the text, and claim nothing where there are none", async () => {
  const { turns, summary } = await playStanceDebate(text, "en");
  const points = (speaker: string) => turns.find((turn) => turn.speaker === speaker)?.key_points;
  expect(points("critic")).toEqual(["rude"]);
  expect(points("empath")).toEqual(["wonderful"]);
  expect(summary.consensus).toContain("pasta");
  const praise = await playStanceDebate("The pasta was wonderful.", "en");
  expect(praise.turns.find((turn) => turn.speaker === "critic")?.key_points).toEqual([]);
});

it("Korean stance turns speak Korean", async () => {
  const { turns, summary } = await playStanceDebate("음식은 맛있지만 가격이 비싸요.", "ko");
  expect(turns.find((turn) => turn.speaker === "critic")?.message).toMatch(/가격.*부정/);
  expect(summary.consensus).toMatch(/긍정.*음식.*부정.*가격/);
});

it("the ATSA review changes what the structure contradicts, and keeps it where the debate votes otherwise", async () => {
  const aspects = [aspect("pasta"), aspect("waiter")];
  const stage1 = {
    aspects,
    aspect_sentiments: [claim("pasta", "positive"), claim("waiter", "positive")],
    validator: null,
  };
  const alone = await experts.reviewSentiments({ text, language_code: "en", stage1, review_context: null });
  expect(alone.sentiment_review).toMatchObject([
    { aspect_ref: "pasta", action: "maintain" },
    { aspect_ref: "waiter", action: "flip_polarity", revised_polarity: "negative" },
  ]);
});

it("EPM heeds an injected lesson to abstain where its reading is not sure", async () => {
  const within = "The price would not go down.";
  const first = { aspects: [aspect("price", within)], aspect_sentiments: [claim("price", null)], validator: null };
  const context = toDebateContext(within, first);
  const persona = { name: "EPM", role: "", goal: "" };
  const shared = { text: within, language_code: "en" as const, context, history: [], key: "epm", persona, round: 1 };
  const lesson = { principle: "prices told as facts were misread", advice: "abstain" as const, aspect_group: "price" };
  const free = await experts.speakPatch({ ...shared, memory: null });
  const warned = await experts.speakPatch({ ...shared, memory: [lesson] });
  expect(free?.proposed_edits).toMatchObject([{ op: "set_polarity", value: "negative" }]);
  expect(warned?.proposed_edits).toEqual([]);
});
