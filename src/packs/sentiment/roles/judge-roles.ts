import { defineRole } from "../../../engine/role.ts";
import { groundPatchSummary } from "../debate/ground-patch-summary.ts";
import { readPrompt } from "../prompts/read-prompt.ts";
import type { PatchJudgeInput, SentimentExperts, StanceJudgeInput } from "../role-inputs.ts";
import {
  type PatchJudgeReply,
  PatchJudgeReplySchema,
  type StanceSummary,
  StanceSummarySchema,
} from "../schemas/debate.ts";
import type { Strike } from "../stage1/ground-aspects.ts";
import { debateBlocks, debateMatcher } from "./speaker-roles.ts";
import { emptyProblem, strikeProblems } from "./strike-problems.ts";

/** The judge of the patch style (spec section 3). */
export function patchJudge(experts: SentimentExperts) {
  return defineRole<PatchJudgeInput, PatchJudgeReply>({
    name: "judge",
    reply: PatchJudgeReplySchema,
    prompt: ({ text, context, turns }) => ({
      instructions: readPrompt("debate_speaker"),
      blocks: debateBlocks(text, context, turns),
      own: [{ label: "TASK", text: readPrompt("debate_judge") }],
    }),
    check: (reply, input) =>
      strikeProblems([...groundPatchSummary(reply, debateMatcher(input)).strikes, ...spanStrikes(reply, input.text)]),
    salvage: (reply, _problems, input) => keepGrounded(reply, input),
    expert: (input) => experts.judgePatch(input),
  });
}

/** The judge of the stance style (spec section 3). */
export function stanceJudge(experts: SentimentExperts) {
  return defineRole<StanceJudgeInput, StanceSummary>({
    name: "judge",
    reply: StanceSummarySchema,
    prompt: ({ text, context, turns }) => ({
      instructions: readPrompt("stance_speaker"),
      blocks: debateBlocks(text, context, turns),
      own: [{ label: "TASK", text: readPrompt("stance_judge") }],
    }),
    check: (reply, input) => [
      ...emptyProblem("rationale", reply.rationale),
      ...(isSpeaker(reply.winner, input)
        ? []
        : strikeProblems([{ code: "unknown_speaker", what: reply.winner ?? "", path: ["winner"] }])),
    ],
    salvage: (reply, _problems, input) => (isSpeaker(reply.winner, input) ? reply : { ...reply, winner: null }),
    expert: (input) => experts.judgeStance(input),
  });
}

/** A winner is one of those who spoke, by name or key, or nobody. */
function isSpeaker(winner: string | null, { personas }: StanceJudgeInput): boolean {
  const names = Object.entries(personas).flatMap(([key, { name }]) => [key, name]);
  return winner === null || names.some((name) => name.trim().toLowerCase() === winner.trim().toLowerCase());
}

/** A span that is not a substring is a problem, and so is a verdict without any span (spec section 3). */
function spanStrikes(reply: PatchJudgeReply, text: string): Strike[] {
  const strikes: Strike[] = [];
  for (const [at, span] of reply.sentence_evidence_spans.entries())
    if (!isQuote(span, text))
      strikes.push({ code: "span_not_in_text", what: span, path: ["sentence_evidence_spans", at] });
  for (const [at, { span }] of (reply.aspect_evidence ?? []).entries())
    if (!isQuote(span, text))
      strikes.push({ code: "span_not_in_text", what: span, path: ["aspect_evidence", at, "span"] });
  if (reply.sentence_evidence_spans.length === 0)
    strikes.push({ code: "no_evidence_span", what: "", path: ["sentence_evidence_spans"] });
  return strikes;
}

function isQuote(span: string, text: string): boolean {
  return span.trim() !== "" && text.includes(span.trim());
}

function keepGrounded(reply: PatchJudgeReply, input: PatchJudgeInput): PatchJudgeReply {
  const { summary } = groundPatchSummary(reply, debateMatcher(input));
  return {
    ...reply,
    final_patch: summary.final_patch,
    final_tuples: summary.final_tuples.map(({ aspect_ref, polarity }) => ({ aspect_ref, polarity })),
    sentence_polarity: summary.sentence_polarity,
    sentence_evidence_spans: reply.sentence_evidence_spans.filter((span) => isQuote(span, input.text)),
    aspect_evidence: Object.entries(summary.aspect_evidence)
      .map(([aspect, span]) => ({ aspect, span }))
      .filter(({ span }) => isQuote(span, input.text)),
  };
}
