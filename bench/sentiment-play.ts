import {
  type Aspect,
  createAspectMatcher,
  buildReviewContext,
  decideCase,
  createExperts,
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

/** What was decided after the debate, and what the reviews alone would have come to. */
export type Played = {
  output: FinalOutput;
  alone: FinalOutput;
  /** What was decided when only doubts are debated. */
  doubted: FinalOutput;
  stage1: Stage1;
};

/** How texts are played: settings of the pack, among them the learnt layers that the experts read with. */
export type Settings = Record<string, unknown>;

type Experts = ReturnType<typeof createExperts>;

/** Plays a patch debate with the expert cast and lets the pack's rules decide; `given` replaces ATE's aspects. */
export async function play(text: string, lang: LanguageCode, settings: Settings, given?: Aspect[]): Promise<Played> {
  const config = SentimentConfigSchema.parse(settings);
  const experts = createExperts(config.learnt);
  const language = languageOf(lang);
  const aspects = given ?? (await experts.extractAspects({ text, language_code: lang })).aspects;
  const { aspect_sentiments } = await experts.judgeSentiments({ text, language_code: lang, aspects });
  const sentiments = aspect_sentiments as Sentiment[];
  const validator = await experts.validate({ text, language_code: lang, aspects, aspect_sentiments: sentiments });
  const stage1: Stage1 = { aspects, aspect_sentiments: sentiments, validator };
  const debate = await playDebate(experts, text, lang, stage1, config);
  const review_context = buildReviewContext({ text, language, stage1, debate });
  const input = { text, language_code: lang, stage1, review_context };
  const review = async (about: typeof input | (Omit<typeof input, "review_context"> & { review_context: null })) => ({
    aspect_review: (await experts.reviewAspects(about)).aspect_review,
    sentiment_review: (await experts.reviewSentiments(about)).sentiment_review,
    validator: await experts.reviewValidation(about),
  });
  const turns = { text_id: "", text, language_code: lang, stage1, problems: {} };
  const debated = { ...turns, debate, stage2: await review(input) };
  return {
    output: decideCase(debated, config),
    doubted: decideCase(debated, { ...config, debate: { ...config.debate, when: "disagreement" } }),
    alone: decideCase({ ...turns, debate: null, stage2: await review({ ...input, review_context: null }) }, config),
    stage1,
  };
}

async function playDebate(
  experts: Experts,
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
