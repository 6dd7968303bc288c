import type { Debate } from "../../engine/debate.ts";
import type { Protocol, Verdict } from "../../engine/pack.ts";
import type { RootCauseCase } from "./case.ts";
import { readLimits, type RootCauseConfig } from "./config.ts";
import { decide, type RootCauseDecision } from "./decision.ts";
import { listReasoners, type RootCauseRoles } from "./roles/roles.ts";
import { anonymise, evaluate, labelAll } from "./rules/judge-score.ts";
import { buildRound, pickTops, readHypotheses, reviewRound, type Spoken } from "./rules/round.ts";
import { settle } from "./rules/settle.ts";
import { stopAfter } from "./rules/stop.ts";
import { countVotes } from "./rules/vote.ts";
import { type ReasonerName, reasonerNames } from "./schemas/hypothesis.ts";
import type { JudgeEvaluation } from "./schemas/judgement.ts";
import type { Material } from "./schemas/material.ts";
import type { Round } from "./schemas/round.ts";

/** The fewest reasoners that make a debate (root-cause spec §4). */
const leastReasoners = 2;

/** Three reasoners propose, the judge scores, they refine until plateau, consensus or the last round (root-cause spec §4). */
export function createProtocol(
  roles: RootCauseRoles,
): Protocol<RootCauseCase, RootCauseConfig, RootCauseDecision, Material> {
  return async (debate, { material }, config) => {
    if (config.protocol !== "debate") return runControlArm(debate, roles, material, config);
    const rounds: Round[] = [];
    for (;;) {
      const number = rounds.length + 1;
      const round = await debate.round(number, async () => {
        const spoken = await speak(debate, roles, material, { number, last: rounds.at(-1) });
        const enough = spoken.length >= leastReasoners;
        const judged = enough
          ? await score(debate, roles, material, { number, spoken, swap: config.judge.swap })
          : null;
        return buildRound(number, spoken, judged);
      });
      rounds.push(round);
      if (!round.judge_evaluation) return endBelowQuorum(debate, rounds, material);
      const trajectory = rounds.flatMap(({ top_hypothesis }) => top_hypothesis?.judge_score ?? []);
      const stop = stopAfter(trajectory, pickTops(round), readLimits(config));
      debate.note("stop_check", stop);
      const decision = decide(rounds, stop, { debate, material });
      debate.standing(() => decision);
      if (!stop.stop) continue;
      const { outcome, reasons } = settle(rounds, material);
      return { outcome, reasons: [...reasons, `stopped by ${stop.stop_reason}`], decision };
    }
  };
}

async function speak(
  debate: Debate,
  roles: RootCauseRoles,
  material: Material,
  { number, last }: { number: number; last: Round | undefined },
): Promise<Spoken[]> {
  const reasoners = listReasoners(material.history !== null).map((name) => roles[name]);
  const answers = await debate.askAll(number === 1 ? "propose" : "refine", reasoners, (role) => {
    const reasoner = role.name as ReasonerName;
    return { reasoner, round: number, material, ...reviewRound(last, reasoner) };
  });
  return answers.map(({ role, reply }) => ({
    source: role as ReasonerName,
    hypotheses: readHypotheses(reply),
    fewer_reason: reply.fewer_reason,
  }));
}

/** The judge scores all hypotheses at once; with `judge.swap` again in the opposite order. Without any valid score it has not judged. */
async function score(
  debate: Debate,
  { judge }: RootCauseRoles,
  material: Material,
  { number, spoken, swap }: { number: number; spoken: Spoken[]; swap: boolean },
): Promise<JudgeEvaluation | null> {
  const labelled = labelAll(spoken, debate.seed, number);
  const hypotheses = anonymise(labelled);
  const given = { round: number, material, hypotheses };
  const first = await debate.tryAsk(judge, given);
  if (first?.scores.length === 0) return null;
  if (!first || !swap) return first && evaluate(labelled, [first]);
  const second = await debate.tryAsk(judge, { ...given, hypotheses: hypotheses.toReversed() }, "judge_swapped");
  return second && second.scores.length > 0 ? evaluate(labelled, [first, second]) : null;
}

function endBelowQuorum(debate: Debate, rounds: Round[], material: Material): Verdict<RootCauseDecision> {
  const decision = decide(rounds, { stop_reason: "quorum", convergence_achieved: false }, { debate, material });
  const reason = `round ${rounds.length} did not have two reasoners and a judge`;
  debate.note("below_quorum", { reason });
  return { outcome: "undecided", reasons: [reason], decision };
}

/** The control arms: one reasoner, one reasoner several times, or all three, without judge and rounds (root-cause spec §4.7). */
async function runControlArm(
  debate: Debate,
  roles: RootCauseRoles,
  material: Material,
  config: RootCauseConfig,
): Promise<Verdict<RootCauseDecision>> {
  const askOne = async (reasoner: ReasonerName, step: string): Promise<Spoken[]> => {
    const reply = await debate.tryAsk(roles[reasoner], { reasoner, round: 1, material, own: [], others: [] }, step);
    return reply ? [{ source: reasoner, hypotheses: readHypotheses(reply) }] : [];
  };
  const askAll = async () => {
    if (config.protocol === "single") return askOne(config.reasoner, "propose");
    const asked =
      config.protocol === "vote"
        ? listReasoners(material.history !== null).map((name) => askOne(name, "propose"))
        : Array.from({ length: config.samples }, (_, index) => askOne(config.reasoner, `sample_${index + 1}`));
    return (await Promise.all(asked)).flat();
  };
  const spoken = await debate.round(1, askAll);
  const bySource = reasonerNames.flatMap((source) => {
    const hypotheses = spoken.filter((one) => one.source === source).flatMap((one) => one.hypotheses);
    return hypotheses.length > 0 ? [{ source, hypotheses }] : [];
  });
  const vote = countVotes(spoken);
  debate.note("vote", vote && { winner: vote.top.id, votes: vote.votes });
  const rounds = [{ ...buildRound(1, bySource, null), top_hypothesis: vote?.top ?? null }];
  const decision = decide(rounds, { stop_reason: "no_debate", convergence_achieved: false }, { debate, material });
  const least = config.protocol === "vote" ? 2 : 1;
  if (spoken.length < least)
    return { outcome: "undecided", reasons: [`${spoken.length} of at least ${least} reasoners answered`], decision };
  return { outcome: "decided", reasons: [`${config.protocol} of ${spoken.length}`], decision };
}
