import { defineRole, type Role } from "../../../engine/role.ts";
import { prompts } from "../prompts/read-prompts.ts";
import { checkAnswer, checkQuotes, checkWinner, strikeQuotes } from "../rules/check-reply.ts";
import type { Persona } from "../schemas/config.ts";
import { type Judgement, JudgementSchema, type Speech, SpeechSchema } from "../schemas/reply.ts";
import type { JudgeInput, QuestionExperts, SpeakerInput } from "./role-inputs.ts";
import { buildSharedBlocks, labelOf } from "./shared-blocks.ts";

/** The roles of a debate: a speaker for each persona, in their order, and the judge. */
export type QuestionRoles = {
  speakers(personas: Record<string, Persona>): Role<SpeakerInput, Speech>[];
  judge: Role<JudgeInput, Judgement>;
};

/** Makes the roles, to be played by these experts where no one else plays them (question spec §4). */
export function createRoles(experts: QuestionExperts): QuestionRoles {
  return {
    speakers: (personas) =>
      Object.entries(personas).map(([key, { stance }], place) =>
        createSpeaker(key, (input) => experts.speak(input, { place, stance })),
      ),
    judge: createJudge(experts),
  };
}

function createSpeaker(key: string, expert: (input: SpeakerInput) => Speech): Role<SpeakerInput, Speech> {
  return defineRole({
    name: key,
    reply: SpeechSchema,
    prompt: (input) => ({
      instructions: prompts["instructions.md"],
      blocks: buildSharedBlocks(input),
      own: [
        { label: "TASK", text: input.task },
        { label: "YOU", text: key },
        ...(input.own === null ? [] : [{ label: "YOUR PREVIOUS ANSWER", text: labelOwnAnswer(input, input.own) }]),
      ],
    }),
    check: (speech, { question }) => [...checkAnswer(speech.answer, question), ...checkQuotes(speech, question)],
    salvage: strikeQuotes,
    expert,
  });
}

function createJudge(experts: QuestionExperts): Role<JudgeInput, Judgement> {
  return defineRole({
    name: "judge",
    reply: JudgementSchema,
    prompt: (input) => ({
      instructions: prompts["instructions.md"],
      blocks: buildSharedBlocks(input),
      own: [{ label: "TASK", text: prompts["judge.md"] }],
    }),
    check: (judgement, { question, history }) => [
      ...checkAnswer(judgement.answer, question),
      ...checkWinner(judgement, question, history.at(-1)?.speeches ?? []),
    ],
    expert: (input) => experts.judge(input),
  });
}

function labelOwnAnswer({ history }: SpeakerInput, number: number): string {
  const last = history.at(-1);
  return last ? labelOf(last, number) : "";
}
