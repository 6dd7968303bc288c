/** Speakers and judges of both styles (sentiment spec §3): what they are asked, and how their replies are grounded. */
import type { Problem } from "../../../contract/turn.ts";
import { type AspectMatcher, matchStage1 } from "../rules/matcher.ts";
import { findQuote, findUnfit, listQuoted } from "../rules/text.ts";
import { canonicalisePolarity, findMoveTarget, readVote, tupleKeyOf } from "../rules/tuples.ts";
import {
  type Edit,
  LabelSchema,
  operations,
  type Patch,
  type PatchJudgeReply,
  PatchJudgeReplySchema,
  type PatchSummary,
  PatchTurnReplySchema,
  type StanceSummary,
  StanceSummarySchema,
  type StanceTurnReply,
  StanceTurnReplySchema,
} from "../schemas/debate.ts";
import type {
  PatchJudgeInput,
  PatchSpeakerInput,
  SentimentExperts,
  StanceJudgeInput,
  StanceSpeakerInput,
} from "../schemas/inputs.ts";
import type { Material } from "../schemas/material.ts";
import { defineGrounded, isOneOf, listDebateBlocks, resolveOrWhole, sift, writePrompt } from "./grounded.ts";

export function createDebateRoles(experts: SentimentExperts) {
  const speak = (
    name: string,
    { material, stage1, history, memory, persona }: PatchSpeakerInput | StanceSpeakerInput,
  ) =>
    writePrompt(name, material, listDebateBlocks(material, stage1, history), [
      ...(memory === null ? [] : [{ label: "MEMORY", json: memory }]),
      { label: "PERSONA", json: persona },
    ]);
  const judge = (name: string, { material, stage1, turns }: PatchJudgeInput | StanceJudgeInput) =>
    writePrompt(name, material, listDebateBlocks(material, stage1, turns));
  return {
    patchSpeaker: (key: string) =>
      defineGrounded({
        name: key,
        reply: PatchTurnReplySchema,
        prompt: (input: PatchSpeakerInput) => speak("debate_speaker", input),
        ground: (reply, { material, stage1, persona, key }) => {
          const matcher = matchStage1(material, stage1);
          const { kept, strikes } = groundEdits("proposed_edits", reply.proposed_edits, material, matcher);
          return {
            reply: { agent: persona.name, proposed_edits: kept },
            strikes: [...checkSpeaker("agent", reply.agent, key, persona.name), ...strikes],
          };
        },
        expert: (input) => experts.speakPatch(input),
      }),
    patchJudge: defineGrounded<PatchJudgeInput, PatchJudgeReply>({
      name: "judge",
      reply: PatchJudgeReplySchema,
      prompt: (input) => judge("debate_judge", input),
      ground: (reply, { material, stage1 }) => {
        const matcher = matchStage1(material, stage1);
        const quote = (span: string) => (span.trim() === "" ? null : findQuote(material.text, span));
        const patch = groundEdits("final_patch", reply.final_patch, material, matcher);
        const tuples = sift("final_tuples", reply.final_tuples, (tuple, strike) => {
          const aspect_ref = resolveOrWhole(matcher, tuple.aspect_ref);
          const polarity = canonicalisePolarity(tuple.polarity);
          if (aspect_ref === null) return strike("aspect_ref", "unknown_aspect", tuple.aspect_ref);
          return polarity === null ? strike("polarity", "polarity_invalid", tuple.polarity) : { aspect_ref, polarity };
        });
        const final_tuples = [...new Map(tuples.kept.map((tuple) => [tupleKeyOf(tuple), tuple])).values()];
        const spans = sift(
          "sentence_evidence_spans",
          reply.sentence_evidence_spans,
          (span, strike) => quote(span) ?? strike("", "span_not_in_text", span),
        );
        const evidence = sift("aspect_evidence", reply.aspect_evidence ?? [], ({ aspect: term, span }, strike) => {
          const aspect = resolveOrWhole(matcher, term);
          if (aspect === null) return strike("aspect", "unknown_aspect", term);
          const words = quote(span);
          return words === null ? strike("span", "span_not_in_text", span) : { aspect, span: words };
        });
        const said = reply.sentence_polarity?.trim().toLowerCase() ?? null;
        const label = LabelSchema.nullable().safeParse(canonicalisePolarity(said) ?? said);
        const strikes = [...patch.strikes, ...tuples.strikes, ...spans.strikes];
        const strike = (code: string, what: string, field: string) => void strikes.push({ code, what, path: [field] });
        if (!label.success) strike("label_invalid", said ?? "", "sentence_polarity");
        if (reply.sentence_evidence_spans.length === 0) strike("no_evidence_span", "", "sentence_evidence_spans");
        return {
          reply: {
            ...reply,
            sentence_evidence_spans: spans.kept,
            aspect_evidence: evidence.kept,
            final_patch: patch.kept,
            final_tuples,
            sentence_polarity: label.data ?? null,
          },
          strikes: [...strikes, ...evidence.strikes],
        };
      },
      expert: (input) => experts.judgePatch(input),
    }),
    stanceSpeaker: (key: string) =>
      defineGrounded<StanceSpeakerInput, StanceTurnReply>({
        name: key,
        reply: StanceTurnReplySchema,
        prompt: (input) => speak("stance_speaker", input),
        reject: (reply) => checkFilled("message", reply.message),
        ground: (reply, { material, persona, key }) => {
          const points = sift("key_points", reply.key_points, (point, strike) => {
            const invented = listQuoted(point).find((words) => findQuote(material.text, words) === null);
            return invented === undefined ? point : strike("", "evidence_not_in_text", invented);
          });
          return {
            reply: { ...reply, key_points: points.kept, speaker: persona.name, stance: persona.stance ?? null },
            strikes: [...checkSpeaker("speaker", reply.speaker, key, persona.name), ...points.strikes],
          };
        },
        expert: (input) => experts.speakStance(input),
      }),
    stanceJudge: defineGrounded<StanceJudgeInput, StanceSummary>({
      name: "judge",
      reply: StanceSummarySchema,
      prompt: (input) => judge("stance_judge", input),
      reject: (reply) => checkFilled("rationale", reply.rationale),
      ground: (reply, { personas }) => {
        const winner = reply.winner?.trim().toLowerCase();
        const known = Object.entries(personas).find(([key, { name }]) =>
          [key, name.toLowerCase()].includes(winner ?? ""),
        );
        const strikes =
          reply.winner === null || known ? [] : [{ code: "unknown_speaker", what: reply.winner, path: ["winner"] }];
        return { reply: { ...reply, winner: known?.[1].name ?? null }, strikes };
      },
      expert: (input) => experts.judgeStance(input),
    }),
  };
}

function checkFilled(field: string, value: string): Problem[] {
  if (value.trim() !== "") return [];
  return [{ code: "empty", message: `${field} must not be empty`, severity: "reject", path: [field] }];
}

function groundEdits<E extends Edit | Patch>(
  list: string,
  edits: readonly E[],
  material: Material,
  matcher: AspectMatcher,
) {
  return sift(list, edits, (edit, strike): E | null => {
    const { op, value } = edit;
    if (!isOneOf(operations, op)) return strike("op", "unknown_op", op);
    const aspect = resolveOrWhole(matcher, edit.target.aspect_ref);
    if (aspect === null) return strike("target", "unknown_aspect", edit.target.aspect_ref);
    const grounded = { ...edit, target: { ...edit.target, aspect_ref: aspect } };
    if ((op === "set_aspect_ref" || op === "merge_tuples") && findMoveTarget(grounded, matcher) === null)
      return strike("value", "unknown_aspect", value ?? "");
    if (!("evidence" in edit)) return grounded;
    const { polarity, invalid } = readVote(grounded);
    if (invalid) strike("value", "polarity_invalid", value ?? edit.target.polarity);
    const words = edit.evidence ?? "";
    const quote = findQuote(material.text, words);
    if (quote === null) return strike("evidence", "evidence_not_in_text", words);
    const unfit = quote === "" ? null : findUnfit(material, quote, { aspect, others: matcher.terms, polarity });
    if (unfit !== null) return strike("evidence", unfit, quote);
    return { ...grounded, evidence: quote || null };
  });
}

function checkSpeaker(field: string, said: string | null, key: string, name: string) {
  const own = [key, name].map((one) => one.toLowerCase());
  if (said === null || said.trim() === "" || own.includes(said.trim().toLowerCase())) return [];
  return [{ code: "wrong_speaker", what: said, path: [field] }];
}

export function toSummary(reply: PatchJudgeReply): PatchSummary {
  const evidence = (reply.aspect_evidence ?? []).map(({ aspect, span }) => [aspect, span] as const);
  return {
    ...reply,
    aspect_evidence: Object.fromEntries(evidence.toReversed()),
    final_tuples: reply.final_tuples.flatMap(({ aspect_ref, polarity: word }) => {
      const polarity = canonicalisePolarity(word);
      return polarity ? [{ aspect_ref, aspect_term: aspect_ref, polarity }] : [];
    }),
    sentence_polarity: LabelSchema.nullable().catch(null).parse(reply.sentence_polarity),
  };
}
