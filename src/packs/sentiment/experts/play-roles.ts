import { defaultOrder, defaultPersonas } from "../config/personas.ts";
import type { PatchJudgeReply, PatchTurn, StanceSummary, StanceTurn } from "../schemas/debate.ts";
import type { Aspect, LanguageCode, Sentiment, Stage1 } from "../schemas/stage1.ts";
import { judgePatch } from "./patch/judge.ts";
import { speakPatch } from "./patch/speak.ts";
import { extractAspects } from "./stage1/extract-aspects.ts";
import { judgeSentiments } from "./stage1/judge-sentiments.ts";
import { validate } from "./stage1/validate.ts";
import { judgeStance } from "./stance/judge.ts";
import { speakStance } from "./stance/speak.ts";

/** Stage 1 as the experts play it; `given` aspects replace those of ATE. */
export function playStage1(text: string, language_code: LanguageCode, given?: Aspect[]): Stage1 {
  const aspects = given ?? extractAspects({ text, language_code }).aspects;
  const aspect_sentiments = judgeSentiments({ text, language_code, aspects }).aspect_sentiments as Sentiment[];
  return { aspects, aspect_sentiments, validator: validate({ text, language_code, aspects, aspect_sentiments }) };
}

function contextOf(text: string, stage1: Stage1) {
  return {
    text,
    stage1_aspects: stage1.aspects,
    stage1_aspect_sentiments: stage1.aspect_sentiments,
    stage1_structural_risks: stage1.validator?.structural_risks ?? [],
    stage1_correction_proposals: stage1.validator?.correction_proposals ?? [],
  };
}

/** One round of a patch debate on a text, all seats played by experts. */
export function judgePatchCase(
  text: string,
  language_code: LanguageCode,
  given?: Aspect[],
): { stage1: Stage1; turns: PatchTurn[]; summary: PatchJudgeReply } {
  const stage1 = playStage1(text, language_code, given);
  const context = contextOf(text, stage1);
  const personas = defaultPersonas.patch;
  const turns: PatchTurn[] = [];
  for (const key of defaultOrder.patch) {
    const persona = personas[key] as (typeof personas)[string];
    const { proposed_edits } = speakPatch({
      text,
      language_code,
      context,
      history: turns,
      key,
      persona,
      round: 1,
      memory: null,
    });
    turns.push({ speaker: key, agent: persona.name, round: 1, proposed_edits });
  }
  return { stage1, turns, summary: judgePatch({ text, language_code, context, turns, personas }) };
}

/** Two rounds of a stance debate on a text, all seats played by experts. */
export function judgeStanceCase(
  text: string,
  language_code: LanguageCode,
): { stage1: Stage1; turns: StanceTurn[]; summary: StanceSummary } {
  const stage1 = playStage1(text, language_code);
  const context = contextOf(text, stage1);
  const personas = defaultPersonas.stance;
  const turns: StanceTurn[] = [];
  for (const round of [1, 2])
    for (const key of defaultOrder.stance) {
      const persona = personas[key] as (typeof personas)[string];
      const reply = speakStance({ text, language_code, context, history: turns, key, persona, round, memory: null });
      turns.push({ ...reply, speaker: key, agent: persona.name, round, stance: persona.stance ?? "" });
    }
  return { stage1, turns, summary: judgeStance({ text, language_code, context, turns, personas }) };
}
