import type { Debate } from "../../engine/debate.ts";
import { sha256 } from "../../engine/hash.ts";
import type { Protocol, Verdict } from "../../engine/pack.ts";
import { detectLanguage, readLanguageCode } from "../../knowledge/opinions/index.ts";
import type { SentimentCase } from "./case.ts";
import type { SentimentConfig } from "./config.ts";
import { decideCase, type FinalOutput, isDebated } from "./decision.ts";
import { askReviews } from "./protocol/ask-reviews.ts";
import { askStage1, type Stage1Result } from "./protocol/ask-stage1.ts";
import { askForVotes, askOnce, askRepeatedly } from "./protocol/control-arms.ts";
import { holdDebate } from "./protocol/hold-debate.ts";
import type { Setup } from "./protocol/setup.ts";
import type { SentimentRoles } from "./roles/roles.ts";
import { findDoubts } from "./rules/review/find-doubts.ts";
import type { CaseTurns } from "./schemas/case-turns.ts";

/** Stage 1 → debate → review context → Stage 2 → apply, settle, adopt, moderate (sentiment spec §1). */
export function createProtocol(roles: SentimentRoles): Protocol<SentimentCase, SentimentConfig, FinalOutput> {
  return async (debate, { input: { id, text, language_code } }, config) => {
    const input = { text, language_code: readLanguageCode(language_code) ?? detectLanguage(text) };
    const setup = { debate, roles, input, config };
    const first = await openings[config.protocol](setup);
    const turns = openTurns(id ?? sha256(text).slice(0, 12), setup, first);
    showStanding(debate, turns, config);
    const answered = first.silent.every((role) => role === "validator");
    const goesOn = config.protocol === "debate" && answered && isDebated(turns, config);
    if (config.debate.when === "disagreement") debate.note("doubts", findDoubts(turns, config.debate.sure_from));
    if (goesOn && config.enable_debate) {
      turns.debate = await holdDebate(setup, turns.stage1);
      turns.problems = addStrikes(turns.problems, turns.debate.strikes);
      showStanding(debate, turns, config);
    }
    if (goesOn && config.enable_stage2) {
      const { stage2, strikes } = await askReviews(setup, turns);
      turns.stage2 = stage2;
      turns.problems = addStrikes(turns.problems, strikes);
    }
    const decision = decideCase(turns, config);
    noteDecision(debate, decision);
    return conclude(decision, first, turns);
  };
}

/** How each protocol begins: the debate with Stage 1, the control arms with all they have (sentiment spec §1). */
const openings: Record<SentimentConfig["protocol"], (setup: Setup) => Promise<Stage1Result>> = {
  debate: (setup) => askStage1(setup, { validate: setup.config.enable_validator }),
  single: askOnce,
  vote: askForVotes,
  self_consistency: askRepeatedly,
};

function openTurns(text_id: string, { input }: Setup, { stage1, strikes }: Stage1Result): CaseTurns {
  return { text_id, ...input, stage1, debate: null, stage2: null, problems: addStrikes({}, strikes) };
}

/** Shows what would be decided on the turns so far. */
function showStanding(debate: Debate, turns: CaseTurns, config: SentimentConfig): void {
  const held = { ...turns };
  debate.standing(() => decideCase(held, config));
}

/** Puts what the rules decided into the transcript, in the order they decided it. */
function noteDecision(debate: Debate, decision: FinalOutput): void {
  for (const correction of decision.correction_applied_log) debate.note("correction", correction);
  for (const record of decision.override_gate) debate.note("override_gate", record);
  for (const settlement of decision.settlements) debate.note("settlement", settlement);
  const { adopt_decision, adopt_reason, ev_score, ev_threshold, ev_components } = decision.meta;
  debate.note("adoption", { adopt_decision, adopt_reason, ev_score, ev_threshold, ev_components });
  if (decision.moderator) debate.note("moderator", decision.moderator);
}

/** Below the quorum (all of Stage 1 and the judge) the outcome is undecided (product spec §2). */
function conclude(decision: FinalOutput, first: Stage1Result, { debate }: CaseTurns): Verdict<FinalOutput> {
  const silent = [...first.silent, ...(debate !== null && debate.summary === null ? ["judge"] : [])];
  const { adopt_decision, adopt_reason } = decision.meta;
  if (silent.length > 0)
    return { outcome: "undecided", reasons: silent.map((role) => `${role} gave no usable reply`), decision };
  return { outcome: "decided", reasons: [`${adopt_decision}: ${adopt_reason}`], decision };
}

function addStrikes(before: Record<string, number>, strikes: readonly { code: string }[]): Record<string, number> {
  const counts = { ...before };
  for (const { code } of strikes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
