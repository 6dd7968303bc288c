/** ATE, ATSA and the Validator (sentiment spec §2): what they are asked, and how their replies are grounded. */
import type { Block } from "../../../contract/prompt.ts";
import { type AspectMatcher, matchStage1 } from "../rules/matcher.ts";
import {
  findQuote,
  findTerm,
  findUnfit,
  findWord,
  isInside,
  overlaps,
  snapToWords,
  standsAsWord,
  toPlainForm,
} from "../rules/text.ts";
import { canonicalisePolarity } from "../rules/tuples.ts";
import type { AteInput, AtsaInput, SentimentExperts, ValidatorInput } from "../schemas/inputs.ts";
import type { Material } from "../schemas/material.ts";
import {
  type Aspect,
  AteReplySchema,
  AtsaReplySchema,
  proposalTypes,
  riskTypes,
  type Sentiment,
  severities,
  type StructuralRisk,
  ValidatorReplySchema,
} from "../schemas/stage1.ts";
import { defineGrounded, type Grounded, isOneOf, sift, taskOf, writePrompt } from "./grounded.ts";

export function createStage1Roles(experts: SentimentExperts) {
  const listAspects = ({ material, aspects }: AtsaInput): Block[] => [
    { label: "TEXT", text: material.text },
    { label: "ASPECTS", json: aspects.map(({ term, span }) => ({ term, span })) },
  ];
  return {
    ate: defineGrounded({
      name: "ate",
      reply: AteReplySchema,
      prompt: ({ material }: AteInput) =>
        writePrompt("stage1", material, [{ label: "TEXT", text: material.text }], taskOf("ate_stage1")),
      ground: (reply, { material }) => {
        const { text } = material;
        const { kept, strikes } = sift<Aspect, Aspect>("aspects", reply.aspects, (aspect, strike, others) => {
          const given = aspect.term.normalize("NFC").trim();
          const { start } = aspect.span;
          const isRight = text.slice(start, aspect.span.end) === given && given !== "";
          const place = isRight ? aspect.span : findTerm(text, given, start);
          const word = isRight && standsAsWord(material, aspect.span) ? aspect.span : findWord(material, given, start);
          const span = word ?? (place && snapToWords(material, place));
          if (span === null) return strike("term", "aspect_not_substring", aspect.term);
          if (span.start !== start || span.end !== aspect.span.end) strike("span", "span_repaired", aspect.term);
          const term = text.slice(span.start, span.end);
          if (material.orders.some((order) => overlaps(order, span)))
            return strike("term", "aspect_of_an_order", aspect.term);
          if (others.some((other) => other.term === term && other.span.start === span.start))
            return strike("term", "aspect_repeated", aspect.term);
          return { ...aspect, term, span: { start: span.start, end: span.end } };
        });
        return { reply: { aspects: kept }, strikes };
      },
      expert: (input) => experts.extractAspects(input),
    }),
    atsa: defineGrounded({
      name: "atsa",
      reply: AtsaReplySchema,
      prompt: (input: AtsaInput) => writePrompt("stage1", input.material, listAspects(input), taskOf("atsa_stage1")),
      ground: (reply, { material, aspects }) => {
        const { text } = material;
        const matcher = matchStage1(material, { aspects });
        const { kept, strikes } = sift(
          "aspect_sentiments",
          reply.aspect_sentiments,
          (one, strike): Sentiment | null => {
            const aspect_ref = findAnchor(one.aspect_ref.trim(), aspects, matcher);
            if (aspect_ref === null) return strike("aspect_ref", "sentiment_without_aspect", one.aspect_ref);
            const polarity = canonicalisePolarity(one.polarity);
            if (polarity === null && one.polarity !== null) strike("polarity", "polarity_invalid", one.polarity);
            const quote = findQuote(text, one.evidence);
            if (quote === null) strike("evidence", "evidence_not_in_text", one.evidence);
            const about = { aspect: aspect_ref, others: aspect_ref === "" ? matcher.terms : [], polarity: null };
            const unfit = quote ? findUnfit(material, quote, about) : null;
            if (unfit === "evidence_of_another_aspect") return strike("evidence", unfit, quote);
            const evidence = unfit === null ? quote : strike("evidence", unfit, quote);
            const term = one.opinion_term?.term.trim() ?? "";
            const given = one.opinion_term?.span ?? { start: 0, end: 0 };
            const span =
              text.slice(given.start, given.end) === term && term !== "" ? given : findTerm(text, term, given.start);
            if (term !== "" && span === null) strike("opinion_term", "opinion_not_substring", term);
            const opinion_term = span && { term: text.slice(span.start, span.end), span };
            const is_implicit = aspect_ref === "";
            return { ...one, aspect_ref, polarity, evidence: evidence ?? "", opinion_term, is_implicit };
          },
        );
        return { reply: { aspect_sentiments: kept }, strikes };
      },
      expert: (input) => experts.judgeSentiments(input),
    }),
    validator: defineGrounded({
      name: "validator",
      reply: ValidatorReplySchema,
      prompt: (input: ValidatorInput) => {
        const sentiments = input.aspect_sentiments.map(({ aspect_ref, polarity, evidence, confidence }) => {
          return { aspect_ref, polarity, evidence, confidence };
        });
        const blocks = [...listAspects(input), { label: "ASPECT_SENTIMENTS", json: sentiments }];
        return writePrompt("stage1", input.material, blocks, taskOf("validator_stage1"));
      },
      ground: (reply, { material, aspects, aspect_sentiments }) => {
        const matcher = matchStage1(material, { aspects, aspect_sentiments });
        const risks = groundRisks(reply, { material });
        const { kept, strikes } = sift("correction_proposals", reply.correction_proposals, (proposal, strike) => {
          const { proposal_type, target_aspect, revised_span: span } = proposal;
          if (!isOneOf(proposalTypes, proposal_type))
            return strike("proposal_type", "proposal_type_unknown", proposal_type);
          const { aspect } = matcher.resolve(target_aspect);
          if (aspect === null) return strike("target_aspect", "unknown_aspect", target_aspect);
          return {
            ...proposal,
            target_aspect: aspect,
            revised_span: span && isInside(material.text, span) ? span : null,
          };
        });
        return { reply: { ...risks.reply, correction_proposals: kept }, strikes: [...risks.strikes, ...strikes] };
      },
      expert: (input) => experts.validate(input),
    }),
  };
}

function findAnchor(term: string, aspects: readonly Aspect[], matcher: AspectMatcher): string | null {
  if (term === "") return "";
  const match = matcher.resolve(term);
  if (match.how === "stage1" || match.how === "synonym") return match.aspect;
  const plain = toPlainForm(term);
  const near = aspects.filter((aspect) => {
    const other = toPlainForm(aspect.term);
    return other !== "" && plain !== "" && (plain.includes(other) || other.includes(plain));
  });
  return new Set(near.map((aspect) => aspect.term)).size === 1 ? (near[0]?.term ?? null) : null;
}

export function groundRisks<O extends { structural_risks: StructuralRisk[] }>(
  reply: O,
  { material: { text } }: { material: Material },
): Grounded<O> {
  const { kept, strikes } = sift("structural_risks", reply.structural_risks, (risk, strike) => {
    if (!isOneOf(riskTypes, risk.type)) return strike("type", "risk_type_unknown", risk.type);
    const scope = isInside(text, risk.scope) ? risk.scope : { start: 0, end: text.length };
    return { ...risk, scope, severity: isOneOf(severities, risk.severity) ? risk.severity : "medium" };
  });
  return { reply: { ...reply, structural_risks: kept }, strikes };
}
