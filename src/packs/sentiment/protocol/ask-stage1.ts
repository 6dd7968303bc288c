import type { Strike } from "../roles/checks/strikes.ts";
import { groundAspects } from "../roles/stage1/ground-aspects.ts";
import { groundSentiments } from "../roles/stage1/ground-sentiments.ts";
import { groundValidator } from "../roles/stage1/ground-validator.ts";
import { createStage1Matcher } from "../rules/tuples/aspect-matcher.ts";
import type { Aspect, Sentiment, Stage1, ValidatorReply } from "../schemas/stage1.ts";
import type { Setup } from "./setup.ts";

/** Stage 1 as it was given, and who of it stayed silent. */
export type Stage1Result = { stage1: Stage1; silent: string[]; strikes: Strike[] };

/** ATE, then ATSA on the kept aspects, then the Validator (sentiment spec §2). `step` keeps repeated samples apart. */
export async function askStage1(
  { debate, roles, input }: Pick<Setup, "debate" | "roles" | "input">,
  options: { validate: boolean; step?: string },
): Promise<Stage1Result> {
  const step = (name: string) => (options.step === undefined ? name : `${name}-${options.step}`);
  const found = await debate.tryAsk(roles.ate, input, step("ate"));
  const { aspects, strikes: repaired } = groundAspects(input.text, found?.aspects ?? []);
  const strikes = [...(found?.struck ?? []), ...repaired];
  if (found === null) return end(aspects, [], null, ["ate"], strikes);
  const said = await debate.tryAsk(roles.atsa, { ...input, aspects }, step("atsa"));
  const matcher = createStage1Matcher(input, { aspects });
  const grounded = groundSentiments(input.text, aspects, said?.aspect_sentiments ?? [], matcher);
  const sofar = [...strikes, ...(said?.struck ?? []), ...grounded.strikes];
  if (said === null) return end(aspects, [], null, ["atsa"], sofar);
  if (!options.validate) return end(aspects, grounded.sentiments, null, [], sofar);
  const rated = { ...input, aspects, aspect_sentiments: grounded.sentiments };
  const checked = await debate.tryAsk(roles.validator, rated, step("validator"));
  const { struck = [], ...reply } = checked ?? {};
  const validator = checked && groundValidator(input.text, reply as ValidatorReply, createStage1Matcher(input, rated));
  const all = [...sofar, ...struck, ...(validator?.strikes ?? [])];
  return end(aspects, grounded.sentiments, validator?.validator ?? null, checked === null ? ["validator"] : [], all);
}

function end(
  aspects: Aspect[],
  aspect_sentiments: Sentiment[],
  validator: ValidatorReply | null,
  silent: string[],
  strikes: Strike[],
): Stage1Result {
  return { stage1: { aspects, aspect_sentiments, validator }, silent, strikes };
}
