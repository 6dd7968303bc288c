import type { Debate } from "../../../engine/debate.ts";
import type { AteInput } from "../role-inputs.ts";
import type { SentimentRoles } from "../roles/roles.ts";
import { matcherOf } from "../roles/stage1-roles.ts";
import type { Aspect, Sentiment, Stage1, ValidatorReply } from "../schemas/stage1.ts";
import { groundAspects, type Strike } from "../stage1/ground-aspects.ts";
import { groundSentiments } from "../stage1/ground-sentiments.ts";
import { groundValidator } from "../stage1/ground-validator.ts";

/** Stage 1 as it was given, and who of it stayed silent. */
export type Stage1Result = { stage1: Stage1; silent: string[]; strikes: Strike[] };

/** ATE, then ATSA on the kept aspects, then the Validator (spec section 2). `step` keeps repeated samples apart. */
export async function askStage1(
  debate: Debate,
  roles: SentimentRoles,
  input: AteInput,
  options: { validate: boolean; step?: string },
): Promise<Stage1Result> {
  const step = (name: string) => (options.step === undefined ? name : `${name}-${options.step}`);
  const found = await debate.tryAsk(roles.ate, input, step("ate"));
  const { aspects, strikes } = groundAspects(input.text, found?.aspects ?? []);
  if (found === null) return ending(aspects, [], null, ["ate"], strikes);
  const said = await debate.tryAsk(roles.atsa, { ...input, aspects }, step("atsa"));
  const matcher = matcherOf({ ...input, aspects });
  const grounded = groundSentiments(input.text, aspects, said?.aspect_sentiments ?? [], matcher);
  const sofar = [...strikes, ...grounded.strikes];
  if (said === null) return ending(aspects, [], null, ["atsa"], sofar);
  if (!options.validate) return ending(aspects, grounded.sentiments, null, [], sofar);
  const rated = { ...input, aspects, aspect_sentiments: grounded.sentiments };
  const checked = await debate.tryAsk(roles.validator, rated, step("validator"));
  const validator = checked && groundValidator(input.text, checked, matcherOf(rated));
  const all = [...sofar, ...(validator?.strikes ?? [])];
  return ending(aspects, grounded.sentiments, validator?.validator ?? null, checked === null ? ["validator"] : [], all);
}

function ending(
  aspects: Aspect[],
  aspect_sentiments: Sentiment[],
  validator: ValidatorReply | null,
  silent: string[],
  strikes: Strike[],
): Stage1Result {
  return { stage1: { aspects, aspect_sentiments, validator }, silent, strikes };
}
