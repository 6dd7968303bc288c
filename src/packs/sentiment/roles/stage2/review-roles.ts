import type { Block, Prompt } from "../../../../contract/prompt.ts";
import { defineRole } from "../../../../engine/role.ts";
import { type PromptName, readPrompt } from "../../prompts/read-prompts.ts";
import type { PatchTurn, StanceTurn } from "../../schemas/debate.ts";
import type { ReviewInput, SentimentExperts } from "../../schemas/role-inputs.ts";
import {
  type AteReviewReply,
  AteReviewReplySchema,
  type AtsaReviewReply,
  AtsaReviewReplySchema,
  type Hint,
  type ValidatorReviewReply,
  ValidatorReviewReplySchema,
} from "../../schemas/stage2.ts";
import { type Strike, type Struck, toProblems, withStruck } from "../checks/strikes.ts";
import { listDebateBlocks } from "../debate/debate-prompt.ts";
import { groundRisks } from "../stage1/ground-validator.ts";
import { groundAspectReviews, groundSentimentReviews } from "./ground-reviews.ts";

/** The three reviewers of Stage 2 (sentiment spec §5). */
export function createReviewRoles(experts: SentimentExperts) {
  const ateReview = defineRole<ReviewInput, AteReviewReply & Struck>({
    name: "ate_review",
    reply: AteReviewReplySchema,
    prompt: (input) => writePrompt("ate_stage2", input),
    check: (reply, input) => toProblems(groundAspectReviews(reply, input).strikes),
    salvage: (reply, _problems, input) => {
      const { kept, strikes } = groundAspectReviews(reply, input);
      return withStruck({ aspect_review: kept }, strikes);
    },
    expert: (input) => experts.reviewAspects(input),
  });
  const atsaReview = defineRole<ReviewInput, AtsaReviewReply & Struck>({
    name: "atsa_review",
    reply: AtsaReviewReplySchema,
    prompt: (input) => writePrompt("atsa_stage2", input),
    check: (reply, input) => toProblems(groundSentimentReviews(reply, input).strikes),
    salvage: (reply, _problems, input) => {
      const { kept, strikes } = groundSentimentReviews(reply, input);
      return withStruck({ sentiment_review: kept }, strikes);
    },
    expert: (input) => experts.reviewSentiments(input),
  });
  const validatorReview = defineRole<ReviewInput, ValidatorReviewReply & Struck>({
    name: "validator_review",
    reply: ValidatorReviewReplySchema,
    prompt: (input) => writePrompt("validator_stage2", input),
    check: (reply, { text }) => {
      const strikes: Strike[] = [];
      groundRisks(text, reply.structural_risks, strikes);
      return toProblems(strikes);
    },
    salvage: (reply, _problems, { text }) => {
      const strikes: Strike[] = [];
      const structural_risks = groundRisks(text, reply.structural_risks, strikes);
      return withStruck({ ...reply, structural_risks }, strikes);
    },
    expert: (input) => experts.reviewValidation(input),
  });
  return { ateReview, atsaReview, validatorReview };
}

/** After a debate a review goes on from what all of it were told and said; without one it begins anew (sentiment spec §5). */
function writePrompt(name: PromptName, input: ReviewInput): Prompt {
  const { text, context, debate } = input;
  const own = [{ label: "TASK", text: readPrompt(name) }];
  if (debate === null) return { instructions: readPrompt("stage2"), blocks: listDebateBlocks(text, context, []), own };
  const turns = debate.rounds.flatMap((round): (PatchTurn | StanceTurn)[] => round.turns);
  return {
    instructions: readPrompt(debate.style === "patch" ? "debate_speaker" : "stance_speaker"),
    blocks: [...listDebateBlocks(text, context, turns), ...listReviewBlocks(input)],
    own,
  };
}

const reviewBlocks = new WeakMap<ReviewInput, Block[]>();

/** What the debate came to, and what is asked of a review: the same for all reviewers. */
function listReviewBlocks(input: ReviewInput): Block[] {
  const blocks = reviewBlocks.get(input) ?? [
    { label: "DEBATE_REVIEW_CONTEXT", json: digestDebate(input) },
    { label: "REVIEW", text: readPrompt("stage2") },
  ];
  reviewBlocks.set(input, blocks);
  return blocks;
}

/** What the judge concluded, without the steps to it, and the votes on each aspect added up; the turns themselves stand above. */
function digestDebate({ review_context }: ReviewInput) {
  const hints = Object.entries(review_context?.aspect_hints ?? {});
  const { final_patch: _, ...summary } = { final_patch: null, ...review_context?.summary };
  return {
    summary,
    aspect_votes: Object.fromEntries(hints.map(([aspect, votes]) => [aspect, sumVotes(votes)])),
  };
}

function sumVotes(votes: readonly Hint[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { removal, polarity_hint, weight } of votes) {
    const side = removal ? "removal" : polarity_hint;
    if (side !== null && weight > 0) sums[side] = Math.round(((sums[side] ?? 0) + weight) * 100) / 100;
  }
  return sums;
}
