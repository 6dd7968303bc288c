import type { Debate } from "../../engine/debate.ts";
import type { Protocol, Verdict } from "../../engine/pack.ts";
import type { RootCauseCase } from "./case.ts";
import type { RootCauseConfig } from "./config.ts";
import { readLimits } from "./config.ts";
import { runControlArm } from "./control-protocol.ts";
import { decide, type RootCauseDecision } from "./decision.ts";
import { gatherIncident } from "./roles/gather-incident.ts";
import type { IncidentData } from "./roles/role-inputs.ts";
import { listReasoners, type RootCauseRoles } from "./roles/roles.ts";
import { anonymise, labelAll } from "./rules/anonymise.ts";
import { evaluate } from "./rules/judge-score.ts";
import { buildRound, pickTops, readHypotheses, reviewRound, type Spoken } from "./rules/round.ts";
import { stopAfter } from "./rules/stop.ts";
import { tellRounds } from "./rules/transcript.ts";
import type { ReasonerName } from "./schemas/hypothesis.ts";
import type { JudgeEvaluation } from "./schemas/judgement.ts";
import type { Round } from "./schemas/round.ts";

/** The fewest reasoners that make a debate (root-cause spec §4). */
const leastReasoners = 2;

/** Three reasoners propose, the judge scores, they refine until plateau, consensus or the last round (root-cause spec §4). */
export function createProtocol(roles: RootCauseRoles): Protocol<RootCauseCase, RootCauseConfig, RootCauseDecision> {
  return async (debate, { input }, config) => {
    const incident = gatherIncident(input, config);
    if (config.protocol !== "debate") return runControlArm(debate, roles, incident, config);
    const rounds: Round[] = [];
    for (;;) {
      const number = rounds.length + 1;
      const round = await debate.round(number, async () => {
        const spoken = await speak(debate, roles, incident, { number, rounds });
        const enough = spoken.length >= leastReasoners;
        const judged = enough
          ? await score(debate, roles, incident, { number, rounds, spoken, swap: config.judge.swap })
          : null;
        return buildRound(number, spoken, judged);
      });
      rounds.push(round);
      if (!round.judge_evaluation) return endBelowQuorum(debate, rounds, incident);
      const trajectory = rounds.flatMap(({ top_hypothesis }) => top_hypothesis?.judge_score ?? []);
      const stop = stopAfter(trajectory, pickTops(round), readLimits(config));
      debate.note("stop_check", stop);
      const decision = decide(rounds, stop, { debate, log: incident.log });
      debate.standing(() => decision);
      if (stop.stop) return { outcome: "decided", reasons: [`stopped by ${stop.stop_reason}`], decision };
    }
  };
}

/** The reasoners speak in parallel: in round 1 on the incident alone, later also on what the judge said of them. */
async function speak(
  debate: Debate,
  roles: RootCauseRoles,
  incident: IncidentData,
  { number, rounds }: { number: number; rounds: readonly Round[] },
): Promise<Spoken[]> {
  const told = tellRounds(rounds);
  const reasoners = listReasoners(incident.knowledge !== null).map((name) => roles[name]);
  const answers = await debate.askAll(number === 1 ? "propose" : "refine", reasoners, (role) => {
    const reasoner = role.name as ReasonerName;
    return { reasoner, round: number, incident, told, ...reviewRound(rounds.at(-1), reasoner) };
  });
  return answers.map(({ role, reply }) => ({
    source: role as ReasonerName,
    hypotheses: readHypotheses(reply),
    fewer_reason: reply.fewer_reason,
  }));
}

/** The judge scores all hypotheses at once; with `judge.swap` a second time in the opposite order. */
async function score(
  debate: Debate,
  { judge }: RootCauseRoles,
  incident: IncidentData,
  { number, rounds, spoken, swap }: { number: number; rounds: readonly Round[]; spoken: Spoken[]; swap: boolean },
): Promise<JudgeEvaluation | null> {
  const used = rounds.reduce((sum, { judge_evaluation }) => sum + (judge_evaluation?.evaluated.length ?? 0), 0);
  const labelled = labelAll(spoken, debate.seed, number, used);
  const hypotheses = anonymise(labelled);
  const given = { round: number, incident, told: tellRounds(rounds), hypotheses };
  const first = await debate.tryAsk(judge, given);
  if (!first || !swap) return first && evaluate(labelled, [first]);
  const second = await debate.tryAsk(judge, { ...given, hypotheses: hypotheses.toReversed() }, "judge_swapped");
  return second && evaluate(labelled, [first, second]);
}

function endBelowQuorum(debate: Debate, rounds: Round[], { log }: IncidentData): Verdict<RootCauseDecision> {
  const decision = decide(rounds, { stop_reason: "quorum", convergence_achieved: false }, { debate, log });
  const reason = `round ${rounds.length} did not have two reasoners and a judge`;
  debate.note("below_quorum", { reason });
  return { outcome: "undecided", reasons: [reason], decision };
}
