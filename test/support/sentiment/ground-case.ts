/** Replies of the roles, grounded as the protocol does, and decided without a player. */
import {
  type AteReply,
  type AtsaReply,
  type CaseTurns,
  decideCase,
  type LanguageCode,
  noMemory,
  type PatchJudgeReply,
  type PatchTurnReply,
  personasOf,
  prepare,
  sentiment,
  SentimentConfigSchema,
  type Stage1,
  type Stage2,
  toSummary,
  type TurnStrike,
  type ValidatorReply,
} from "../../../src/packs/sentiment/index.ts";

export type Replies = {
  text: string;
  language_code?: LanguageCode | null;
  ate: AteReply;
  atsa: AtsaReply;
  validator: ValidatorReply | null;
  /** By speaker; null where no debate was held. */
  debate: { speakers: Record<string, PatchTurnReply["proposed_edits"]>; judge: PatchJudgeReply | null } | null;
  stage2: Stage2 | null;
};

type Ground = <T extends object>(name: string, round: number, reply: T, input: object) => T;

const roles = sentiment.roles(SentimentConfigSchema.parse({}));

export function decideReplies(said: Replies, given: unknown = {}, by_program = false) {
  const config = SentimentConfigSchema.parse(given);
  const strikes: TurnStrike[] = [];
  const ground: Ground = <T extends object>(name: string, round: number, reply: T, input: object) => {
    const role = roles.find((one) => one.name === name);
    const salvaged = role?.salvage?.(reply, [], input) as { struck?: { code: string; what: string }[] };
    const { struck = [], ...kept } = salvaged;
    for (const { code, what } of struck) strikes.push({ speaker: name, round, code, what });
    return kept as T;
  };
  const material = prepare({ text: said.text, language_code: said.language_code }, config);
  const { aspects } = ground("ate", 0, said.ate, { material });
  const rated = ground("atsa", 0, said.atsa, { material, aspects });
  const aspect_sentiments = rated.aspect_sentiments as Stage1["aspect_sentiments"];
  const checked = { material, aspects, aspect_sentiments };
  const validator = said.validator && ground("validator", 0, said.validator, checked);
  const stage1: Stage1 = { aspects, aspect_sentiments, validator };
  const base = { text_id: "t1", source: said.text, material, stage1, strikes };
  const debate = said.debate && hold(said.debate, { ...base, by_program }, ground);
  const input = { material, stage1 };
  const stage2: CaseTurns["stage2"] = said.stage2 && {
    ...ground("ate_review", 3, { aspect_review: said.stage2.aspect_review }, input),
    ...ground("atsa_review", 3, { sentiment_review: said.stage2.sentiment_review }, input),
    validator: said.stage2.validator,
  };
  return decideCase({ ...base, debate, stage2 }, config);
}

function hold(
  { speakers, judge }: NonNullable<Replies["debate"]>,
  { material, stage1, by_program }: Pick<CaseTurns, "material" | "stage1"> & { by_program: boolean },
  ground: Ground,
): CaseTurns["debate"] {
  const personas = personasOf(SentimentConfigSchema.parse({}), material.language_code);
  const turns = Object.entries(speakers).map(([speaker, edits]) => {
    const persona = personas[speaker];
    const reply = { agent: null, proposed_edits: edits };
    const { proposed_edits } = ground(speaker, 1, reply, { material, stage1, persona, key: speaker });
    return { speaker, agent: persona?.name ?? speaker, round: 1, by_program, proposed_edits };
  });
  const summary = judge && toSummary(ground("judge", 2, judge, { material, stage1 }));
  return { style: "patch", topic: material.text, personas, memory: noMemory, rounds: [{ round: 1, turns }], summary };
}
