import type { Block } from "../../../contract/prompt.ts";
import { searchSentences, splitSentences } from "../../../knowledge/documents/index.ts";
import type { Round } from "../schemas/decision.ts";
import { answerTypeOf, choicesOf, type Question } from "../schemas/question.ts";
import type { Brief, JudgeInput } from "./role-inputs.ts";

/** Builds what every prompt of a debate begins with: the case, who speaks, and what was said so far (question spec §4.1). */
export function buildSharedBlocks(input: JudgeInput): Block[] {
  return [...buildBriefBlocks(input), ...input.history.flatMap(buildRoundBlocks)];
}

/** The label of an answer in a round. */
export function labelOf({ round }: Round, number: number): string {
  return `ROUND ${round} ANSWER ${number}`;
}

const blocksOfCase = new WeakMap<Question, Brief & { blocks: Block[] }>();

/** What a debate is about, as everyone reads it; made once, since every prompt of the debate begins with it. */
function buildBriefBlocks({ question, passages, speakers }: Brief): Block[] {
  const known = blocksOfCase.get(question);
  if (known?.passages === passages && known.speakers === speakers) return known.blocks;
  const blocks: Block[] = [...buildCaseBlocks(question, passages), { label: "SPEAKERS", json: speakers }];
  blocksOfCase.set(question, { question, passages, speakers, blocks });
  return blocks;
}

function buildCaseBlocks(question: Question, passages: number): Block[] {
  const choices = choicesOf(question.choices);
  const found =
    question.docs.length === 0 ? [] : searchSentences(splitSentences(question.docs), question.question, passages);
  const blocks: Block[] = [
    { label: "QUESTION", text: question.question },
    { label: "ANSWER TYPE", text: answerTypeOf(question) },
  ];
  if (choices.length > 0) blocks.push({ label: "CHOICES", json: choices });
  if (found.length > 0)
    blocks.push({
      label: "PASSAGES",
      json: found.map(({ sentence }) => ({ source: sentence.source, text: sentence.context })),
    });
  return blocks;
}

const blocksOfRound = new WeakMap<Round, Block[]>();

/** A round as everyone reads it; made once, since every later prompt of the debate repeats it. */
function buildRoundBlocks(said: Round): Block[] {
  let blocks = blocksOfRound.get(said);
  if (!blocks) {
    blocks = said.speeches.map(({ answer, reasoning, confidence, quotes }, index) => ({
      label: labelOf(said, index + 1),
      json: { answer, reasoning, confidence, quotes },
    }));
    blocksOfRound.set(said, blocks);
  }
  return blocks;
}
