import type { Debate } from "../../../engine/debate.ts";
import type { Protocol, Verdict } from "../../../engine/pack.ts";
import { sha256 } from "../../../engine/hash.ts";
import type { SentimentConfig } from "../config/config.ts";
import { decideCase } from "../decide/decide-case.ts";
import { buildReviewContext } from "../review/review-context.ts";
import type { AteInput } from "../role-inputs.ts";
import type { SentimentRoles } from "../roles/roles.ts";
import type { CaseTurns } from "../schemas/case-turns.ts";
import type { FinalOutput } from "../schemas/final-output.ts";
import type { Stage2 } from "../schemas/stage2.ts";
import type { SentimentCase } from "../sentiment-case.ts";
import type { Strike } from "../stage1/ground-aspects.ts";
import { detectLanguage, knownLanguage, languageOf } from "../text/detect-language.ts";
import { selfConsistency, single, vote } from "./control-arms.ts";
import { discuss } from "./discussion.ts";
import { noteDecision } from "./note-decision.ts";
import { askStage1, type Stage1Result } from "./stage1.ts";

/** Stage 1 → debate → review context → Stage 2 → apply, settle, adopt, moderate (spec section 1). */
export function sentimentProtocol(roles: SentimentRoles): Protocol<SentimentCase, SentimentConfig, FinalOutput> {
  return async (debate, { id, text, language_code: given }, config) => {
    const language_code = knownLanguage(given) ?? detectLanguage(text);
    const input = { text, language_code };
    const first = await openWith[config.protocol]({ debate, roles, input, config });
    const turns: CaseTurns = {
      text_id: id ?? sha256(text).slice(0, 12),
      ...input,
      stage1: first.stage1,
      debate: null,
      stage2: null,
      problems: countOf(first.strikes),
    };
    const isOpen = config.protocol === "debate" && !first.silent.some((role) => role !== "validator");
    standOn(debate, turns, config);
    if (isOpen && config.enable_debate) {
      turns.debate = await discuss({ debate, roles, input, stage1: turns.stage1, config });
      turns.problems = countOf([...first.strikes, ...turns.debate.strikes]);
      standOn(debate, turns, config);
    }
    if (isOpen && config.enable_stage2) turns.stage2 = await review(debate, roles, turns, config);
    const decision = decideCase(turns, config);
    noteDecision(debate, decision);
    return verdictOf(decision, first, turns);
  };
}

/** What would be decided on the turns so far. */
function standOn(debate: Debate, turns: CaseTurns, config: SentimentConfig): void {
  const held = { ...turns };
  debate.standing(() => decideCase(held, config));
}

const openWith = {
  debate: ({ debate, roles, input, config }) => askStage1(debate, roles, input, { validate: config.enable_validator }),
  single,
  vote,
  self_consistency: selfConsistency,
} satisfies Record<SentimentConfig["protocol"], (table: Table) => Promise<Stage1Result>>;

type Table = { debate: Debate; roles: SentimentRoles; input: AteInput; config: SentimentConfig };

/** Stage 2: the three reviews side by side, each given Stage 1 and what the debate made of it (spec section 5). */
async function review(
  debate: Debate,
  roles: SentimentRoles,
  turns: CaseTurns,
  config: SentimentConfig,
): Promise<Stage2> {
  const { text, language_code, stage1 } = turns;
  const language = languageOf(language_code);
  const review_context = turns.debate && buildReviewContext({ text, language, stage1, debate: turns.debate });
  if (review_context) debate.note("review_context", review_context.mapping_stats);
  const input = { text, language_code, stage1, review_context };
  const [aspects, sentiments, validation] = await debate.round(config.debate.rounds + 2, () =>
    Promise.all([
      debate.tryAsk(roles.ateReview, input),
      debate.tryAsk(roles.atsaReview, input),
      config.enable_validator ? debate.tryAsk(roles.validatorReview, input) : null,
    ]),
  );
  return {
    aspect_review: aspects?.aspect_review ?? [],
    sentiment_review: sentiments?.sentiment_review ?? [],
    validator: validation,
  };
}

/** Below the quorum (all of Stage 1 and the judge) the outcome is undecided (product spec, section 2). */
function verdictOf(decision: FinalOutput, first: Stage1Result, { debate }: CaseTurns): Verdict<FinalOutput> {
  const silent = [...first.silent, ...(debate !== null && debate.summary === null ? ["judge"] : [])];
  const { adopt_decision, adopt_reason } = decision.meta;
  if (silent.length > 0)
    return { outcome: "undecided", reasons: silent.map((role) => `${role} gave no usable reply`), decision };
  return { outcome: "decided", reasons: [`${adopt_decision}: ${adopt_reason}`], decision };
}

function countOf(strikes: readonly Pick<Strike, "code">[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of strikes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
