import { defineRole, type Role } from "../../../../engine/role.ts";
import { readPrompt } from "../../prompts/read-prompts.ts";
import {
  type Persona,
  type StanceSummary,
  StanceSummarySchema,
  type StanceTurnReply,
  StanceTurnReplySchema,
} from "../../schemas/debate.ts";
import type { SentimentExperts, StanceJudgeInput, StanceSpeakerInput } from "../../schemas/role-inputs.ts";
import { checkFilled, toProblems } from "../checks/strikes.ts";
import { checkSpeaker, listDebateBlocks, listSpeakerBlocks } from "./debate-prompt.ts";

/** A speaker of the stance style (sentiment spec §3): planning, reflection, then the speech. */
export function createStanceSpeaker(
  key: string,
  persona: Persona,
  experts: SentimentExperts,
): Role<StanceSpeakerInput, StanceTurnReply> {
  return defineRole<StanceSpeakerInput, StanceTurnReply>({
    name: key,
    reply: StanceTurnReplySchema,
    prompt: (input) => ({ instructions: readPrompt("stance_speaker"), ...listSpeakerBlocks(input) }),
    check: (reply) => [
      ...checkSpeaker("speaker", reply.speaker, key, persona),
      ...checkFilled("message", reply.message),
    ],
    salvage: (reply) => ({ ...reply, speaker: persona.name, stance: persona.stance ?? null }),
    expert: (input) => experts.speakStance(input),
  });
}

/** The judge of the stance style (sentiment spec §3). */
export function createStanceJudge(experts: SentimentExperts) {
  return defineRole<StanceJudgeInput, StanceSummary>({
    name: "judge",
    reply: StanceSummarySchema,
    prompt: ({ text, context, turns }) => ({
      instructions: readPrompt("stance_speaker"),
      blocks: listDebateBlocks(text, context, turns),
      own: [{ label: "TASK", text: readPrompt("stance_judge") }],
    }),
    check: (reply, input) => [
      ...checkFilled("rationale", reply.rationale),
      ...(isSpeaker(reply.winner, input)
        ? []
        : toProblems([{ code: "unknown_speaker", what: reply.winner ?? "", path: ["winner"] }])),
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
