import {
  type Aspect,
  createAspectMatcher,
  buildReviewContext,
  decideCase,
  experts,
  type FinalOutput,
  groundPatchSummary,
  groundPatchTurn,
  type LanguageCode,
  noMemory,
  type PatchDebate,
  type PatchTurn,
  type Sentiment,
  SentimentConfigSchema,
  type Stage1,
  listStage1Terms,
} from "../src/packs/sentiment/index.ts";
import { languageOf } from "../src/knowledge/opinions/index.ts";

export type Played = { output: FinalOutput; stage1: Stage1 };

/** Plays a patch debate with the expert cast and lets the pack's rules decide; `given` replaces ATE's aspects. */
export async function play(
  text: string,
  lang: LanguageCode,
  policy: "explicit" | "mention",
  given?: Aspect[],
): Promise<Played> {
  const config = SentimentConfigSchema.parse({ neutral_policy: policy });
  const language = languageOf(lang);
  const aspects = given ?? (await experts.extractAspects({ text, language_code: lang })).aspects;
  const { aspect_sentiments } = await experts.judgeSentiments({ text, language_code: lang, aspects });
  const sentiments = aspect_sentiments as Sentiment[];
  const validator = await experts.validate({ text, language_code: lang, aspects, aspect_sentiments: sentiments });
  const stage1: Stage1 = { aspects, aspect_sentiments: sentiments, validator };
  const debate = await playDebate(text, lang, stage1, config);
  const review_context = buildReviewContext({ text, language, stage1, debate });
  const input = { text, language_code: lang, stage1, review_context };
  const stage2 = {
    aspect_review: (await experts.reviewAspects(input)).aspect_review,
    sentiment_review: (await experts.reviewSentiments(input)).sentiment_review,
    validator: await experts.reviewValidation(input),
  };
  const turns = { text_id: "", text, language_code: lang, stage1, debate, stage2, problems: {} };
  return { output: decideCase(turns, config), stage1 };
}

async function playDebate(
  text: string,
  lang: LanguageCode,
  stage1: Stage1,
  config: ReturnType<typeof SentimentConfigSchema.parse>,
): Promise<PatchDebate> {
  const matcher = createAspectMatcher(text, listStage1Terms(stage1), languageOf(lang));
  const context = {
    text,
    stage1_aspects: stage1.aspects,
    stage1_aspect_sentiments: stage1.aspect_sentiments,
    stage1_structural_risks: stage1.validator?.structural_risks ?? [],
    stage1_correction_proposals: stage1.validator?.correction_proposals ?? [],
  };
  const { order, personas } = config.debate;
  const turns: PatchTurn[] = [];
  for (const key of order) {
    const persona = personas[key] as (typeof personas)[string];
    const reply = await experts.speakPatch({
      text,
      language_code: lang,
      context,
      history: turns,
      key,
      persona,
      round: 1,
      memory: null,
    });
    if (reply) turns.push(groundPatchTurn(text, reply, { key, persona, round: 1 }, matcher).turn);
  }
  const judged = await experts.judgePatch({ text, language_code: lang, context, turns, personas });
  const { summary } = groundPatchSummary(judged, matcher);
  return {
    style: "patch",
    topic: text,
    personas,
    strikes: [],
    memory: noMemory,
    rounds: [{ round: 1, turns }],
    summary,
  };
}
