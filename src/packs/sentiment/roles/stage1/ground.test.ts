import { expect, it } from "vitest";
import { aspect, proposal, risk, sentiment } from "../../../../../test/support/sentiment/turns.ts";
import { languageOf } from "../../../../knowledge/opinions/index.ts";
import { createAspectMatcher } from "../../rules/tuples/aspect-matcher.ts";
import { groundAspects } from "./ground-aspects.ts";
import { groundSentiments } from "./ground-sentiments.ts";
import { groundValidator } from "./ground-validator.ts";
import { listMentions } from "../../rules/tuples/stated.ts";
import { applyNeutralPolicy } from "../../rules/tuples/neutral-policy.ts";

const text = "맛은 좋고 서비스는 보통인데 맛집은 아니에요";
const at = (term: string, start: number) => ({ ...aspect(text, term), span: { start, end: start + term.length } });

it("PJ1: a term that is not in the text is dropped and recorded", () => {
  const { aspects, strikes } = groundAspects(text, [at("맛", 0), at("와이파이", 3)]);
  expect(aspects.map((one) => one.term)).toEqual(["맛"]);
  expect(strikes).toEqual([{ code: "aspect_not_substring", what: "와이파이", path: ["aspects", 1, "term"] }]);
});

it("a wrong span is repaired to the nearest occurrence of the term", () => {
  const second = text.indexOf("맛집");
  expect(groundAspects(text, [at("맛", second - 1)]).aspects[0]?.span).toEqual({ start: second, end: second + 1 });
  expect(groundAspects(text, [at("맛", 0)]).strikes).toEqual([]);
});

it("a term in other letter case is written as the text writes it", () => {
  const { aspects } = groundAspects("The Battery died", [aspect("The Battery died", "battery")]);
  expect(aspects[0]?.term).toBe("Battery");
});

const aspects = [aspect(text, "맛"), aspect(text, "서비스")];
const matcher = createAspectMatcher(text, ["맛", "서비스"], languageOf("ko"));

it("an invalid polarity becomes missing, never neutral", () => {
  const { sentiments, strikes } = groundSentiments(
    text,
    aspects,
    [{ ...sentiment("맛", null), polarity: "mixed" }],
    matcher,
  );
  expect(sentiments[0]?.polarity).toBeNull();
  expect(strikes).toEqual([{ code: "polarity_invalid", what: "mixed", path: ["aspect_sentiments", 0, "polarity"] }]);
});

it("a sentiment on something ATE did not keep is struck; one on part of an aspect is attached to it", () => {
  const given = [sentiment("맛집", "negative"), sentiment("서비스는", "neutral"), sentiment("주차", "negative")];
  const { sentiments, strikes } = groundSentiments(text, aspects, given, matcher);
  expect(sentiments.map((one) => one.aspect_ref)).toEqual(["맛", "서비스"]);
  expect(strikes).toEqual([
    { code: "sentiment_without_aspect", what: "주차", path: ["aspect_sentiments", 2, "aspect_ref"] },
  ]);
});

it("an opinion term outside the text is struck", () => {
  const opinion_term = { term: "최고", span: { start: 0, end: 2 } };
  const { sentiments } = groundSentiments(text, aspects, [sentiment("맛", "positive", { opinion_term })], matcher);
  expect(sentiments[0]?.opinion_term).toBeNull();
});

it("the Validator keeps known risk types and proposals on known aspects", () => {
  const reply = {
    structural_risks: [risk("contrast scope", 0, 4), risk("ODD", 0, 4), risk("NEGATION", 50, 99)],
    consistency_score: 0.7,
    correction_proposals: [proposal("맛은", "FLIP_POLARITY"), proposal("주차", "DROP_ASPECT"), proposal("맛", "CHECK")],
  };
  const { validator, strikes } = groundValidator(text, reply, matcher);
  expect(validator.structural_risks.map((one) => one.type)).toEqual(["CONTRAST_SCOPE", "NEGATION"]);
  expect(validator.structural_risks[1]?.scope).toEqual({ start: 0, end: text.length });
  expect(validator.correction_proposals.map((one) => one.target_aspect)).toEqual(["맛"]);
  expect(strikes.map((one) => one.code)).toEqual(["risk_type_unknown", "unknown_aspect", "proposal_type_unknown"]);
});

const list = { sentiments: [sentiment("맛", "neutral"), sentiment("서비스", "neutral")], mentions: ["맛집"] };

it("explicit keeps a neutral only where the text itself calls the aspect average", () => {
  const { sentiments, mentions } = applyNeutralPolicy(text, list, "explicit", languageOf("ko"));
  expect(sentiments.map((one) => one.aspect_ref)).toEqual(["서비스"]);
  expect(mentions).toEqual(["맛집", "맛"]);
});

it("mention counts an aspect mentioned without an opinion as neutral", () => {
  const { sentiments, mentions } = applyNeutralPolicy(text, list, "mention", languageOf("ko"));
  expect(sentiments.map((one) => [one.aspect_ref, one.polarity])).toEqual([
    ["맛", "neutral"],
    ["서비스", "neutral"],
    ["맛집", "neutral"],
  ]);
  expect(mentions).toEqual([]);
});

it("an aspect without a stated sentiment is a mention", () => {
  expect(listMentions(aspects, [sentiment("맛", "positive"), sentiment("서비스", null)])).toEqual(["서비스"]);
});
