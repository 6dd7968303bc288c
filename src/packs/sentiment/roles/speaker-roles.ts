import type { Block } from "../../../contract/prompt.ts";
import type { Problem } from "../../../contract/turn.ts";
import { defineRole, type Role } from "../../../engine/role.ts";
import { groundEdits, voteOf } from "../debate/ground-edits.ts";
import { readPrompt } from "../prompts/read-prompt.ts";
import type { DebateContext, PatchSpeakerInput, SentimentExperts, StanceSpeakerInput } from "../role-inputs.ts";
import {
  operations,
  type PatchTurn,
  type PatchTurnReply,
  PatchTurnReplySchema,
  type Persona,
  type StanceTurn,
  type StanceTurnReply,
  StanceTurnReplySchema,
} from "../schemas/debate.ts";
import type { LanguageCode } from "../schemas/stage1.ts";
import type { Strike } from "../stage1/ground-aspects.ts";
import { wordIn } from "../stage1/ground-validator.ts";
import type { AspectMatcher } from "../text/aspect-matcher.ts";
import { matcherOf } from "./stage1-roles.ts";
import { emptyProblem, strikeProblems } from "./strike-problems.ts";

/** A speaker of the patch style (spec section 3): it answers with edits only. */
export function patchSpeaker(
  key: string,
  persona: Persona,
  experts: SentimentExperts,
): Role<PatchSpeakerInput, PatchTurnReply> {
  return defineRole<PatchSpeakerInput, PatchTurnReply>({
    name: key,
    reply: PatchTurnReplySchema,
    prompt: (input) => ({ instructions: readPrompt("debate_speaker"), ...speakerBlocks(input) }),
    check: (reply, input) => [
      ...speakerProblem("agent", reply.agent, key, persona),
      ...strikeProblems(editStrikes(reply, input)).map((problem) => ({
        ...problem,
        path: ["proposed_edits", ...(problem.path ?? [])],
      })),
    ],
    salvage: (reply, _problems, input) => ({
      agent: persona.name,
      proposed_edits: groundEdits(reply.proposed_edits, debateMatcher(input)).kept,
    }),
    expert: (input) => experts.speakPatch(input),
  });
}

/** A speaker of the stance style (spec section 3): planning, reflection, then the speech. */
export function stanceSpeaker(
  key: string,
  persona: Persona,
  experts: SentimentExperts,
): Role<StanceSpeakerInput, StanceTurnReply> {
  return defineRole<StanceSpeakerInput, StanceTurnReply>({
    name: key,
    reply: StanceTurnReplySchema,
    prompt: (input) => ({ instructions: readPrompt("stance_speaker"), ...speakerBlocks(input) }),
    check: (reply) => [
      ...speakerProblem("speaker", reply.speaker, key, persona),
      ...emptyProblem("message", reply.message),
    ],
    salvage: (reply) => ({ ...reply, speaker: persona.name, stance: persona.stance ?? null }),
    expert: (input) => experts.speakStance(input),
  });
}

/** The matcher of a debate: the Stage 1 aspects of its shared context. */
export function debateMatcher(input: {
  text: string;
  language_code: LanguageCode;
  context: DebateContext;
}): AspectMatcher {
  const { text, language_code, context } = input;
  const { stage1_aspects: aspects, stage1_aspect_sentiments: aspect_sentiments } = context;
  return matcherOf({ text, language_code, aspects, aspect_sentiments });
}

/** [TOPIC], [SHARED_CONTEXT_JSON] and one [HISTORY] block a turn: common to all, and only ever growing. */
export function debateBlocks(
  text: string,
  context: DebateContext,
  turns: readonly (PatchTurn | StanceTurn)[],
): Block[] {
  return [
    { label: "TOPIC", text },
    { label: "SHARED_CONTEXT_JSON", json: context },
    ...turns.map(({ round, ...turn }): Block => {
      const { speaker: _, ...said } = turn;
      return { label: `HISTORY · round ${round}`, json: said };
    }),
  ];
}

function speakerBlocks(input: PatchSpeakerInput | StanceSpeakerInput): { blocks: Block[]; own: Block[] } {
  const memory: Block[] = input.memory === null ? [] : [{ label: "MEMORY", json: input.memory }];
  return {
    blocks: debateBlocks(input.text, input.context, input.history),
    own: [...memory, { label: "PERSONA", json: input.persona }],
  };
}

function editStrikes(reply: PatchTurnReply, input: PatchSpeakerInput): Strike[] {
  const { strikes } = groundEdits(reply.proposed_edits, debateMatcher(input));
  const more = reply.proposed_edits.flatMap((edit, at): Strike[] => {
    const found: Strike[] = [];
    const evidence = edit.evidence?.trim() ?? "";
    if (evidence !== "" && !input.text.includes(evidence))
      found.push({ code: "evidence_not_in_text", what: evidence, path: [at, "evidence"] });
    const op = wordIn(operations, edit.op);
    if (op !== null && voteOf({ ...edit, op }).invalid) {
      const word = op === "set_polarity" ? (edit.value ?? edit.target.polarity) : (edit.target.polarity ?? edit.value);
      found.push({ code: "polarity_invalid", what: word ?? "null", path: [at] });
    }
    return found;
  });
  return [...strikes, ...more];
}

function speakerProblem(field: string, said: string | null, key: string, persona: Persona): Problem[] {
  const own = [key, persona.name].map((name) => name.toLowerCase());
  if (said === null || said.trim() === "" || own.includes(said.trim().toLowerCase())) return [];
  return strikeProblems([{ code: "wrong_speaker", what: said, path: [field] }]);
}
