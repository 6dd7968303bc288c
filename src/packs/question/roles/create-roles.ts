import { defineRole, type Role } from "../../../engine/role.ts";
import { prompts } from "../prompts/read-prompts.ts";
import {
  checkAnswer,
  checkFollowsQuotes,
  checkGroups,
  checkQuoted,
  checkQuotes,
  checkShortAnswer,
  checkWinner,
  strikeParts,
} from "../rules/check-reply.ts";
import type { Persona } from "../schemas/config.ts";
import {
  type Judgement,
  JudgementSchema,
  type SameAnswers,
  SameAnswersSchema,
  type Speech,
  SpeechSchema,
} from "../schemas/reply.ts";
import { carryGroups, carryJudgement } from "./carry.ts";
import { listJudgePositions, listSpeakerPositions, recallOpening } from "./positions.ts";
import type { JudgeInput, QuestionExperts, SameAnswerInput, SpeakerInput } from "./role-inputs.ts";
import {
  buildQuoteBlocks,
  createSharedBlocks,
  isBoundToDocuments,
  labelOf,
  materialOf,
  type SharedBlocks,
} from "./shared-blocks.ts";

/** The roles of a debate: a speaker for each persona, in their order, the judge, and who tells whether answers say the same. */
export type QuestionRoles = {
  speakers(personas: Record<string, Persona>): Role<SpeakerInput, Speech>[];
  judge: Role<JudgeInput, Judgement>;
  sameAnswer: Role<SameAnswerInput, SameAnswers>;
};

/** Makes the roles of a debate, to be played by these experts where no one else plays them (question spec §4). */
export function createRoles(experts: QuestionExperts): QuestionRoles {
  const sharedBlocks = createSharedBlocks();
  return {
    speakers: (personas) =>
      Object.entries(personas).map(([key, { stance }], place) =>
        createSpeaker(key, sharedBlocks, (input) => experts.speak(input, { place, stance })),
      ),
    judge: createJudge(experts, sharedBlocks),
    sameAnswer: createSameAnswer(experts),
  };
}

function createSpeaker(
  key: string,
  sharedBlocks: SharedBlocks,
  expert: (input: SpeakerInput) => Speech,
): Role<SpeakerInput, Speech> {
  return defineRole({
    name: key,
    reply: SpeechSchema,
    prompt: (input) => ({
      instructions: prompts["instructions.md"],
      blocks: sharedBlocks(input),
      own: [
        { label: "TASK", text: input.task },
        { label: "YOU", text: key },
        ...(input.own === null ? [] : [{ label: "YOUR PREVIOUS ANSWER", text: labelOwnAnswer(input, input.own) }]),
        ...(input.manner.anti_conformity ? [{ label: "RULE", text: prompts["anti-conformity.md"] }] : []),
      ],
    }),
    check: (speech, input) => {
      const unfounded = checkQuotes(speech, materialOf(input));
      return [
        ...checkAnswer(speech.answer, input.question),
        ...checkShortAnswer(speech, input.question),
        ...unfounded,
        ...(isBoundToDocuments(input) ? checkQuoted(speech, unfounded) : []),
      ];
    },
    salvage: strikeParts,
    expert,
    experiment: { positions: listSpeakerPositions, recall: recallOpening },
  });
}

function createJudge(experts: QuestionExperts, sharedBlocks: SharedBlocks): Role<JudgeInput, Judgement> {
  return defineRole({
    name: "judge",
    reply: JudgementSchema,
    prompt: (input) =>
      input.sight === "quotes"
        ? {
            instructions: prompts["judge-quotes.md"],
            blocks: buildQuoteBlocks(input),
            own: [{ label: "TASK", text: "judge" }],
          }
        : {
            instructions: prompts["instructions.md"],
            blocks: sharedBlocks(input),
            own: [{ label: "TASK", text: prompts["judge.md"] }],
          },
    check: (judgement, input) => {
      const { question, history } = input;
      const speeches = history.at(-1)?.speeches ?? [];
      return [
        ...checkAnswer(judgement.answer, question),
        ...checkWinner(judgement, question, speeches),
        ...(isBoundToDocuments(input) ? checkFollowsQuotes(judgement, speeches) : []),
      ];
    },
    expert: (input) => experts.judge(input),
    experiment: { positions: listJudgePositions, carry: carryJudgement },
  });
}

function createSameAnswer(experts: QuestionExperts): Role<SameAnswerInput, SameAnswers> {
  return defineRole({
    name: "same_answer",
    reply: SameAnswersSchema,
    prompt: ({ question, answers }) => ({
      instructions: prompts["same-answer.md"],
      blocks: [
        { label: "QUESTION", text: question.question },
        ...answers.map((answer, index) => ({ label: `ANSWER ${index + 1}`, text: answer })),
      ],
      own: [{ label: "TASK", text: "compare" }],
    }),
    check: checkGroups,
    experiment: { carry: carryGroups },
    expert: (input) => experts.compare(input),
  });
}

function labelOwnAnswer({ history }: SpeakerInput, number: number): string {
  const last = history.at(-1);
  return last ? labelOf(last, number) : "";
}
