import type { Block, Prompt } from "../../../contract/prompt.ts";
import { defineRole } from "../../../engine/role.ts";
import { type PromptName, readPrompt } from "../prompts/read-prompt.ts";
import type { AteInput, AtsaInput, SentimentExperts, ValidatorInput } from "../role-inputs.ts";
import {
  type AteReply,
  AteReplySchema,
  type AtsaReply,
  AtsaReplySchema,
  type ValidatorReply,
  ValidatorReplySchema,
} from "../schemas/stage1.ts";
import { groundAspects, type Strike } from "../stage1/ground-aspects.ts";
import { groundSentiments } from "../stage1/ground-sentiments.ts";
import { groundValidator } from "../stage1/ground-validator.ts";
import { type AspectMatcher, aspectMatcher } from "../text/aspect-matcher.ts";
import { languageOf } from "../text/detect-language.ts";
import { strikeProblems } from "./strike-problems.ts";

/** The roles of Stage 1 (spec section 2). */
export function stage1Roles(experts: SentimentExperts) {
  const ate = defineRole<AteInput, AteReply>({
    name: "ate",
    reply: AteReplySchema,
    prompt: (input) => stage1Prompt("ate_stage1", textBlocks(input)),
    check: (reply, { text }) => strikeProblems(groundAspects(text, reply.aspects).strikes),
    salvage: (reply, _problems, { text }) => ({ aspects: groundAspects(text, reply.aspects).aspects }),
    expert: (input) => experts.extractAspects(input),
  });
  const atsa = defineRole<AtsaInput, AtsaReply>({
    name: "atsa",
    reply: AtsaReplySchema,
    prompt: (input) => stage1Prompt("atsa_stage1", aspectBlocks(input)),
    check: (reply, input) => strikeProblems([...groundAtsa(reply, input).strikes, ...evidenceStrikes(reply, input)]),
    salvage: (reply, _problems, input) => ({
      aspect_sentiments: groundAtsa(reply, input).sentiments.map((one) =>
        isQuoted(one.evidence, input.text) ? one : { ...one, evidence: "" },
      ),
    }),
    expert: (input) => experts.judgeSentiments(input),
  });
  const validator = defineRole<ValidatorInput, ValidatorReply>({
    name: "validator",
    reply: ValidatorReplySchema,
    prompt: (input) =>
      stage1Prompt("validator_stage1", [
        ...aspectBlocks(input),
        { label: "ASPECT_SENTIMENTS", json: input.aspect_sentiments },
      ]),
    check: (reply, input) => strikeProblems(groundValidator(input.text, reply, matcherOf(input)).strikes),
    salvage: (reply, _problems, input) => groundValidator(input.text, reply, matcherOf(input)).validator,
    expert: (input) => experts.validate(input),
  });
  return { ate, atsa, validator };
}

/** Finds the Stage 1 aspects of an input. */
export function matcherOf(input: AtsaInput & { aspect_sentiments?: { aspect_ref: string }[] }): AspectMatcher {
  const refs = (input.aspect_sentiments ?? []).map((sentiment) => sentiment.aspect_ref);
  const terms = [...new Set([...input.aspects.map((aspect) => aspect.term), ...refs])];
  return aspectMatcher(input.text, terms, languageOf(input.language_code));
}

function groundAtsa(reply: AtsaReply, input: AtsaInput) {
  return groundSentiments(input.text, input.aspects, reply.aspect_sentiments, matcherOf(input));
}

/** Evidence is a part of the text, or nothing (spec section 2). */
function evidenceStrikes({ aspect_sentiments }: AtsaReply, { text }: AtsaInput): Strike[] {
  return aspect_sentiments.flatMap(({ evidence }, at): Strike[] =>
    isQuoted(evidence, text)
      ? []
      : [{ code: "evidence_not_in_text", what: evidence, path: ["aspect_sentiments", at, "evidence"] }],
  );
}

function isQuoted(evidence: string, text: string): boolean {
  return text.includes(evidence.trim());
}

/** What all of Stage 1 share comes first and grows; the task comes last. */
function stage1Prompt(task: PromptName, blocks: Block[]): Prompt {
  return { instructions: readPrompt("stage1"), blocks, own: [{ label: "TASK", text: readPrompt(task) }] };
}

function textBlocks({ text, language_code }: AteInput): Block[] {
  return [
    { label: "LANGUAGE", text: language_code },
    { label: "TEXT", text },
  ];
}

function aspectBlocks(input: AtsaInput): Block[] {
  const aspects = input.aspects.map(({ term, span }) => ({ term, span }));
  return [...textBlocks(input), { label: "ASPECTS", json: aspects }];
}
