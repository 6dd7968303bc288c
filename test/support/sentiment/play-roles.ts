/** Plays stages and debates with the experts, without the protocol around them. */
import {
  type Aspect,
  defaultOrder,
  defaultPersonas,
  experts,
  type LanguageCode,
  type PatchJudgeReply,
  type PatchTurn,
  type Sentiment,
  type Stage1,
  type StanceSummary,
  type StanceTurn,
  toDebateContext,
} from "../../../src/packs/sentiment/index.ts";

/** Stage 1 as the experts play it; `given` aspects replace those of ATE. */
export async function playStage1(text: string, language_code: LanguageCode, given?: Aspect[]): Promise<Stage1> {
  const aspects = given ?? (await experts.extractAspects({ text, language_code })).aspects;
  const { aspect_sentiments: said } = await experts.judgeSentiments({ text, language_code, aspects });
  const aspect_sentiments = said as Sentiment[];
  const validator = await experts.validate({ text, language_code, aspects, aspect_sentiments });
  return { aspects, aspect_sentiments, validator };
}

/** One round of a patch debate on a text, every role played by an expert. */
export async function playPatchDebate(
  text: string,
  language_code: LanguageCode,
  given?: Aspect[],
): Promise<{ stage1: Stage1; turns: PatchTurn[]; summary: PatchJudgeReply }> {
  const stage1 = await playStage1(text, language_code, given);
  const shared = { text, language_code, context: toDebateContext(text, stage1) };
  const personas = defaultPersonas.patch;
  const turns: PatchTurn[] = [];
  for (const key of defaultOrder.patch) {
    const persona = personas[key] as (typeof personas)[string];
    const reply = await experts.speakPatch({ ...shared, history: turns, key, persona, round: 1, memory: null });
    turns.push({ speaker: key, agent: persona.name, round: 1, proposed_edits: reply?.proposed_edits ?? [] });
  }
  return { stage1, turns, summary: await experts.judgePatch({ ...shared, turns, personas }) };
}

/** Two rounds of a stance debate on a text, every role played by an expert. */
export async function playStanceDebate(
  text: string,
  language_code: LanguageCode,
): Promise<{ stage1: Stage1; turns: StanceTurn[]; summary: StanceSummary }> {
  const stage1 = await playStage1(text, language_code);
  const shared = { text, language_code, context: toDebateContext(text, stage1) };
  const personas = defaultPersonas.stance;
  const turns: StanceTurn[] = [];
  for (const round of [1, 2])
    for (const key of defaultOrder.stance) {
      const persona = personas[key] as (typeof personas)[string];
      const reply = await experts.speakStance({ ...shared, history: turns, key, persona, round, memory: null });
      if (reply) turns.push({ ...reply, speaker: key, agent: persona.name, round, stance: persona.stance ?? "" });
    }
  return { stage1, turns, summary: await experts.judgeStance({ ...shared, turns, personas }) };
}
