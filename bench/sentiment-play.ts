import {
  type Aspect,
  buildReviewContext,
  type CaseTurns,
  createExperts,
  decideCase,
  type FinalOutput,
  type LanguageCode,
  noMemory,
  type PatchDebate,
  type PatchTurn,
  personasOf,
  prepare,
  type Sentiment,
  sentiment,
  SentimentConfigSchema,
  type Stage1,
  toSummary,
} from "../src/packs/sentiment/index.ts";

/** What was decided after the debate, and what the reviews alone would have come to. */
export type Played = { output: FinalOutput; alone: FinalOutput; stage1: Stage1 };

/** How texts are played: settings of the pack, among them the learnt layers that the experts read with. */
export type Settings = Record<string, unknown>;

/** Plays a patch debate with the expert cast and lets the pack's rules decide; `given` replaces ATE's aspects. */
export async function play(
  text: string,
  language_code: LanguageCode,
  settings: Settings,
  given?: Aspect[],
): Promise<Played> {
  const config = SentimentConfigSchema.parse(settings);
  const experts = createExperts(config.learnt);
  const material = prepare({ text, language_code }, config);
  const aspects = given ?? (await experts.extractAspects({ material })).aspects;
  const aspect_sentiments = (await experts.judgeSentiments({ material, aspects })).aspect_sentiments as Sentiment[];
  const validator = await experts.validate({ material, aspects, aspect_sentiments });
  const stage1: Stage1 = { aspects, aspect_sentiments, validator };
  const personas = personasOf(config, language_code);
  const roles = sentiment.roles(config);
  const ground = <T>(name: string, reply: T, input: object): T =>
    roles.find((role) => role.name === name)?.salvage?.(reply, [], input) as T;
  const turns: PatchTurn[] = [];
  for (const [key, persona] of Object.entries(personas)) {
    const input = { material, stage1, history: [...turns], key, persona, round: 1, memory: null };
    const said = await experts.speakPatch(input);
    const { proposed_edits } = ground(key, said ?? { agent: null, proposed_edits: [] }, input);
    turns.push({ speaker: key, agent: persona.name, round: 1, proposed_edits, by_program: true });
  }
  const asked = { material, stage1, turns, personas };
  const summary = toSummary(ground("judge", await experts.judgePatch(asked), asked));
  const rounds = [{ round: 1, turns }];
  const debate: PatchDebate = { style: "patch", topic: text, personas, memory: noMemory, rounds, summary };
  const review = async (held: PatchDebate | null) => {
    const input = { material, stage1, review_context: held && buildReviewContext({ material, stage1, debate: held }) };
    return {
      aspect_review: (await experts.reviewAspects(input)).aspect_review,
      sentiment_review: (await experts.reviewSentiments(input)).sentiment_review,
      validator: await experts.reviewValidation(input),
    };
  };
  const base: Omit<CaseTurns, "debate" | "stage2"> = { text_id: "", source: text, material, stage1, strikes: [] };
  const debated = { ...base, debate, stage2: await review(debate) };
  return {
    output: decideCase(debated, config),
    alone: decideCase({ ...base, debate: null, stage2: await review(null) }, config),
    stage1,
  };
}
