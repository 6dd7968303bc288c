import type { Block, Prompt } from "../../../../contract/prompt.ts";
import { defineRole } from "../../../../engine/role.ts";
import { type PromptName, readPrompt } from "../../prompts/read-prompts.ts";
import { createStage1Matcher } from "../../rules/tuples/aspect-matcher.ts";
import { findQuote } from "../../rules/tuples/find-quote.ts";
import type { AteInput, AtsaInput, SentimentExperts, ValidatorInput } from "../../schemas/role-inputs.ts";
import {
  type AteReply,
  AteReplySchema,
  type AtsaReply,
  AtsaReplySchema,
  type ValidatorReply,
  ValidatorReplySchema,
} from "../../schemas/stage1.ts";
import { type Strike, type Struck, toProblems, withStruck } from "../checks/strikes.ts";
import { groundAspects } from "./ground-aspects.ts";
import { groundSentiments } from "./ground-sentiments.ts";
import { groundValidator } from "./ground-validator.ts";

/** The roles of Stage 1 (sentiment spec §2). */
export function createStage1Roles(experts: SentimentExperts) {
  const ate = defineRole<AteInput, AteReply & Struck>({
    name: "ate",
    reply: AteReplySchema,
    prompt: (input) => writePrompt("ate_stage1", listTextBlocks(input)),
    check: (reply, { text }) => toProblems(groundAspects(text, reply.aspects).strikes),
    salvage: (reply, _problems, { text }) => {
      const { aspects, strikes } = groundAspects(text, reply.aspects);
      return withStruck({ aspects }, strikes);
    },
    expert: (input) => experts.extractAspects(input),
  });
  const atsa = defineRole<AtsaInput, AtsaReply & Struck>({
    name: "atsa",
    reply: AtsaReplySchema,
    prompt: (input) => writePrompt("atsa_stage1", listAspectBlocks(input)),
    check: (reply, input) => toProblems([...groundAtsa(reply, input).strikes, ...strikeEvidence(reply, input)]),
    salvage: (reply, _problems, input) => {
      const { sentiments, strikes } = groundAtsa(reply, input);
      const aspect_sentiments = sentiments.map((one) =>
        isQuoted(one.evidence, input.text) ? one : { ...one, evidence: "" },
      );
      return withStruck({ aspect_sentiments }, [...strikes, ...strikeEvidence(reply, input)]);
    },
    expert: (input) => experts.judgeSentiments(input),
  });
  const validator = defineRole<ValidatorInput, ValidatorReply & Struck>({
    name: "validator",
    reply: ValidatorReplySchema,
    prompt: (input) =>
      writePrompt("validator_stage1", [
        ...listAspectBlocks(input),
        { label: "ASPECT_SENTIMENTS", json: input.aspect_sentiments },
      ]),
    check: (reply, input) => toProblems(groundChecked(reply, input).strikes),
    salvage: (reply, _problems, input) => {
      const { validator: kept, strikes } = groundChecked(reply, input);
      return withStruck(kept, strikes);
    },
    expert: (input) => experts.validate(input),
  });
  return { ate, atsa, validator };
}

function groundAtsa(reply: AtsaReply, input: AtsaInput) {
  return groundSentiments(input.text, input.aspects, reply.aspect_sentiments, createStage1Matcher(input, input));
}

function groundChecked(reply: ValidatorReply, input: ValidatorInput) {
  return groundValidator(input.text, reply, createStage1Matcher(input, input));
}

/** Evidence is a part of the text, or nothing (sentiment spec §2). */
function strikeEvidence({ aspect_sentiments }: AtsaReply, { text }: AtsaInput): Strike[] {
  return aspect_sentiments.flatMap(({ evidence }, at): Strike[] =>
    isQuoted(evidence, text)
      ? []
      : [{ code: "evidence_not_in_text", what: evidence, path: ["aspect_sentiments", at, "evidence"] }],
  );
}

function isQuoted(evidence: string, text: string): boolean {
  return findQuote(text, evidence) !== null;
}

/** What all of Stage 1 share comes first and grows; the task comes last. */
function writePrompt(task: PromptName, blocks: Block[]): Prompt {
  return { instructions: readPrompt("stage1"), blocks, own: [{ label: "TASK", text: readPrompt(task) }] };
}

function listTextBlocks({ text, language_code }: AteInput): Block[] {
  return [
    { label: "LANGUAGE", text: language_code },
    { label: "TEXT", text },
  ];
}

function listAspectBlocks(input: AtsaInput): Block[] {
  const aspects = input.aspects.map(({ term, span }) => ({ term, span }));
  return [...listTextBlocks(input), { label: "ASPECTS", json: aspects }];
}
