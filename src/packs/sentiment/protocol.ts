import type { Debate } from "../../engine/debate.ts";
import { sha256 } from "../../engine/hash.ts";
import type { Protocol, Verdict } from "../../engine/pack.ts";
import type { SentimentCase } from "./schemas/case.ts";
import { personasOf, type SentimentConfig } from "./config/config.ts";
import { decideCase, type FinalOutput } from "./decision.ts";
import { toSummary } from "./roles/debate.ts";
import type { GroundedRole } from "./roles/grounded.ts";
import type { SentimentRoles } from "./roles/roles.ts";
import { findUnsettled } from "./rules/doubts.ts";
import { takeMajority } from "./rules/majority.ts";
import { matchStage1 } from "./rules/matcher.ts";
import { openMemory } from "./rules/memory.ts";
import { buildReviewContext } from "./rules/review-context.ts";
import type { DebateOutput, PatchTurn, Persona, StanceTurn, TurnStrike } from "./schemas/debate.ts";
import type { CaseTurns, SpeakerInput } from "./schemas/inputs.ts";
import type { Material } from "./schemas/material.ts";
import type { Stage1 } from "./schemas/stage1.ts";
import type { Stage2 } from "./schemas/stage2.ts";

type Setup = {
  debate: Debate;
  roles: SentimentRoles;
  material: Material;
  config: SentimentConfig;
  personas: Record<string, Persona>;
  strikes: TurnStrike[];
};

type Opening = { stage1: Stage1; silent: string[] };

/** Stage 1 → debate → review context → Stage 2 → settle, adopt, moderate (sentiment spec §1). */
export function createProtocol(roles: SentimentRoles): Protocol<SentimentCase, SentimentConfig, FinalOutput, Material> {
  return async (debate, { input, material }, config) => {
    const about = { text_id: input.id ?? sha256(input.text).slice(0, 12), source: input.text, material };
    const personas = personasOf(config, material.language_code);
    const setup: Setup = { debate, roles, material, config, personas, strikes: [] };
    const { stage1, silent } = await openings[config.protocol](setup);
    const turns: CaseTurns = { ...about, stage1, debate: null, stage2: null, strikes: setup.strikes };
    showStanding(debate, turns, config);
    const goesOn = config.protocol === "debate" && silent.every((role) => role === "validator");
    if (goesOn && config.enable_debate) {
      turns.debate = await holdDebate(setup, stage1);
      showStanding(debate, turns, config);
    }
    if (goesOn) turns.stage2 = await askReviews(setup, turns);
    return conclude(debate, turns, config, silent);
  };
}

/** The start of each protocol: the debate with Stage 1, the control arms with everything (sentiment spec §1). */
const openings: Record<SentimentConfig["protocol"], (setup: Setup) => Promise<Opening>> = {
  debate: (setup) => askStage1(setup, { validate: true }),
  single: (setup) => askStage1(setup, { validate: false }),
  vote: (setup) => askRepeatedly(setup, voters),
  self_consistency: (setup) => askRepeatedly(setup, setup.config.samples),
};

function showStanding(debate: Debate, turns: CaseTurns, config: SentimentConfig): void {
  const held = { ...turns };
  debate.standing(() => decideCase(held, config));
}

/** Decides and records the rules' results; undecided below the quorum (all of Stage 1 and the judge), or with nothing settled. */
function conclude(
  debate: Debate,
  turns: CaseTurns,
  config: SentimentConfig,
  silent: readonly string[],
): Verdict<FinalOutput> {
  const decision = decideCase(turns, config);
  for (const correction of decision.correction_applied_log) debate.note("correction", correction);
  for (const record of decision.override_gate) debate.note("override_gate", record);
  for (const settlement of decision.settlements) debate.note("settlement", settlement);
  const { adopt_decision, adopt_reason, ev_score, ev_threshold, ev_components } = decision.meta;
  debate.note("adoption", { adopt_decision, adopt_reason, ev_score, ev_threshold, ev_components });
  debate.note("moderator", decision.moderator);
  const absent = [...silent, ...(turns.debate?.summary === null ? ["judge"] : [])];
  const reasons = [...absent.map((role) => `${role} gave no usable reply`), ...findUnsettled(turns, decision)];
  if (reasons.length > 0) return { outcome: "undecided", reasons, decision };
  return { outcome: "decided", reasons: [`${adopt_decision}: ${adopt_reason}`], decision };
}

const longestStrike = 200;

/** Asks a role and grounds its reply; records everything that was struck. */
async function ask<I, O extends object, K extends O>(
  { debate, strikes }: Setup,
  role: GroundedRole<I, O, K>,
  input: I,
  at: { round: number; step?: string },
): Promise<K | null> {
  const said = await debate.tryAsk(role, input, at.step);
  if (said === null) return null;
  const { struck = [], ...reply } = said;
  const grounded = role.ground(reply as unknown as O, input);
  for (const { code, what } of [...struck, ...grounded.strikes])
    strikes.push({ speaker: role.name, round: at.round, code, what: what.slice(0, longestStrike) });
  return grounded.reply;
}

/** ATE, then ATSA on the kept aspects, then the Validator (sentiment spec §2). `step` keeps repeated samples apart. */
async function askStage1(setup: Setup, options: { validate: boolean; step?: string }): Promise<Opening> {
  const { roles, material } = setup;
  const at = (name: string) => ({ round: 0, step: options.step === undefined ? name : `${name}-${options.step}` });
  const end = (stage1: Partial<Stage1>, ...silent: string[]): Opening => ({
    stage1: { aspects: [], aspect_sentiments: [], validator: null, ...stage1 },
    silent,
  });
  const found = await ask(setup, roles.ate, { material }, at("ate"));
  if (found === null) return end({}, "ate");
  const rated = await ask(setup, roles.atsa, { material, ...found }, at("atsa"));
  if (rated === null) return end(found, "atsa");
  if (!options.validate) return end({ ...found, ...rated });
  const validator = await ask(setup, roles.validator, { material, ...found, ...rated }, at("validator"));
  return end({ ...found, ...rated, validator }, ...(validator === null ? ["validator"] : []));
}

const voters = 3;

/** Independent readings of the text, and what more than half of them hold. */
async function askRepeatedly(setup: Setup, count: number): Promise<Opening> {
  const { debate, material } = setup;
  const readings: Opening[] = [];
  for (let sample = 1; sample <= count; sample += 1)
    readings.push(await askStage1(setup, { validate: false, step: `sample-${sample}` }));
  const answered = readings.filter((reading) => reading.silent.length === 0);
  debate.note("vote", { readings: readings.length, answered: answered.length });
  const stages = answered.map((reading) => reading.stage1);
  return {
    stage1: takeMajority(material.text, stages),
    silent: answered.length * 2 > readings.length ? [] : (readings[0]?.silent ?? ["ate"]),
  };
}

type Spoken = Pick<PatchTurn, "speaker" | "agent" | "round" | "by_program">;

/** The debate in either style: turns in order, each seeing all before it, then the judge (sentiment spec §3). */
async function holdDebate(setup: Setup, stage1: Stage1): Promise<DebateOutput> {
  const { debate, roles, material, config, personas, strikes } = setup;
  const memory = openMemory(material.episodes, config);
  const matcher = matchStage1(material, stage1);
  const risks = stage1.validator?.structural_risks ?? [];
  const from = strikes.length;
  const at = { round: config.debate.rounds + 1 };
  const hold = async <T extends PatchTurn | StanceTurn>(
    speak: (about: SpeakerInput<T>) => Promise<Omit<T, keyof Spoken> | null>,
  ) => {
    const rounds: { round: number; turns: T[] }[] = [];
    for (let round = 1; round <= config.debate.rounds; round += 1) {
      const turns: T[] = [];
      rounds.push({ round, turns });
      await debate.round(round, async () => {
        for (const [key, persona] of Object.entries(personas)) {
          const history = rounds.flatMap((one) => one.turns);
          const so = { turns: history, strikes: strikes.slice(from), risks, matcher };
          const shown = memory.before(`${round}/${key}`, so);
          const said = await speak({ material, stage1, history, key, persona, round, memory: shown });
          const by: Spoken = { speaker: key, agent: persona.name, round, by_program: debate.isProgram(key) };
          if (said !== null) turns.push({ ...said, ...by } as T);
        }
      });
    }
    return { topic: material.text, personas, memory: memory.trace(), rounds };
  };
  if (config.debate.style === "stance") {
    const held = await hold<StanceTurn>(async (about) => {
      const said = await ask(setup, roles.stanceSpeaker(about.key), about, about);
      return said && { ...said, stance: about.persona.stance ?? "neutral" };
    });
    const input = { material, stage1, turns: held.rounds.flatMap((one) => one.turns), personas };
    const summary = await debate.round(at.round, () => ask(setup, roles.stanceJudge, input, at));
    return { style: "stance", ...held, summary };
  }
  const held = await hold<PatchTurn>(async (about) => {
    const said = await ask(setup, roles.patchSpeaker(about.key), about, about);
    return said && { proposed_edits: said.proposed_edits };
  });
  const input = { material, stage1, turns: held.rounds.flatMap((one) => one.turns), personas };
  const judged = await debate.round(at.round, () => ask(setup, roles.patchJudge, input, at));
  return { style: "patch", ...held, summary: judged && toSummary(judged) };
}

/** Stage 2: three parallel reviews of Stage 1 and the debate (sentiment spec §5). */
async function askReviews(setup: Setup, { stage1, debate: held }: CaseTurns): Promise<Stage2> {
  const { debate, roles, material, config } = setup;
  const review_context = held && buildReviewContext({ material, stage1, debate: held });
  if (review_context) debate.note("review_context", review_context.mapping_stats);
  const input = { material, stage1, review_context };
  const at = { round: config.debate.rounds + 2 };
  const [aspects, sentiments, validator] = await debate.round(at.round, () =>
    Promise.all([
      ask(setup, roles.ateReview, input, at),
      ask(setup, roles.atsaReview, input, at),
      ask(setup, roles.validatorReview, input, at),
    ]),
  );
  return {
    aspect_review: aspects?.aspect_review ?? [],
    sentiment_review: sentiments?.sentiment_review ?? [],
    validator,
  };
}
