/** What the roles of either style of debate have in common. */
import type { Block } from "../../../../contract/prompt.ts";
import type { Problem } from "../../../../contract/turn.ts";
import type { LanguageCode } from "../../../../knowledge/opinions/index.ts";
import { type AspectMatcher, createStage1Matcher } from "../../rules/tuples/aspect-matcher.ts";
import type { PatchTurn, Persona, StanceTurn } from "../../schemas/debate.ts";
import type { DebateContext, PatchSpeakerInput, StanceSpeakerInput } from "../../schemas/role-inputs.ts";
import { toProblems } from "../checks/strikes.ts";

/** The matcher of a debate: the Stage 1 aspects of its shared context. */
export function createDebateMatcher(input: {
  text: string;
  language_code: LanguageCode;
  context: DebateContext;
}): AspectMatcher {
  const { stage1_aspects: aspects, stage1_aspect_sentiments: aspect_sentiments } = input.context;
  return createStage1Matcher(input, { aspects, aspect_sentiments });
}

/** [TOPIC], [SHARED_CONTEXT_JSON] and one [HISTORY] block per turn: common to all, and only ever growing. */
export function listDebateBlocks(
  text: string,
  context: DebateContext,
  turns: readonly (PatchTurn | StanceTurn)[],
): Block[] {
  const shared = keepBlock(context, () => ({ label: "SHARED_CONTEXT_JSON", json: context }));
  return [{ label: "TOPIC", text }, shared, ...turns.map(toTurnBlock)];
}

function toTurnBlock(turn: PatchTurn | StanceTurn): Block {
  return keepBlock(turn, () => {
    const { speaker: _, round, ...said } = turn;
    return { label: `HISTORY · round ${round}`, json: said };
  });
}

const kept = new WeakMap<object, Block>();

/** One block for one thing that is said, in however many prompts it stands, so that it is rendered once. */
function keepBlock(of: object, make: () => Block): Block {
  const block = kept.get(of) ?? make();
  kept.set(of, block);
  return block;
}

/** The blocks of a speaker: what all share, then its memory and its persona (sentiment spec §3). */
export function listSpeakerBlocks(input: PatchSpeakerInput | StanceSpeakerInput): { blocks: Block[]; own: Block[] } {
  const memory: Block[] = input.memory === null ? [] : [{ label: "MEMORY", json: input.memory }];
  return {
    blocks: listDebateBlocks(input.text, input.context, input.history),
    own: [...memory, { label: "PERSONA", json: input.persona }],
  };
}

/** A problem when a speaker calls itself by another's name. */
export function checkSpeaker(field: string, said: string | null, key: string, persona: Persona): Problem[] {
  const own = [key, persona.name].map((name) => name.toLowerCase());
  if (said === null || said.trim() === "" || own.includes(said.trim().toLowerCase())) return [];
  return toProblems([{ code: "wrong_speaker", what: said, path: [field] }]);
}
