import type { Prompt } from "../../../../contract/prompt.ts";
import { defineRole } from "../../../../engine/role.ts";
import { type PromptName, readPrompt } from "../../prompts/read-prompts.ts";
import type { ReviewInput, SentimentExperts } from "../../schemas/role-inputs.ts";
import {
  type AteReviewReply,
  AteReviewReplySchema,
  type AtsaReviewReply,
  AtsaReviewReplySchema,
  type ValidatorReviewReply,
  ValidatorReviewReplySchema,
} from "../../schemas/stage2.ts";
import { type Strike, type Struck, toProblems, withStruck } from "../checks/strikes.ts";
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

function writePrompt(name: PromptName, { text, stage1, review_context }: ReviewInput): Prompt {
  return {
    instructions: readPrompt("stage2"),
    blocks: [
      { label: "TEXT", text },
      { label: "STAGE1", json: stage1 },
      ...(review_context ? [{ label: "DEBATE_REVIEW_CONTEXT", json: review_context }] : []),
    ],
    own: [{ label: "TASK", text: readPrompt(name) }],
  };
}
