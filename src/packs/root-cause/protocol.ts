import type { Debate } from "../../engine/debate.ts";
import type { Verdict } from "../../engine/pack.ts";
import type { RootCauseConfig } from "./config.ts";
import { controlProtocol } from "./control-protocol.ts";
import type { RootCauseDecision, Round } from "./decision.ts";
import { gatherIncident } from "./gather-incident.ts";
import { type ReasonerName, reasonerNames } from "./hypothesis.ts";
import type { RootCauseInput } from "./input.ts";
import type { JudgeEvaluation } from "./judgement.ts";
import { judge } from "./roles/judge.ts";
import { reasoners } from "./roles/reasoner.ts";
import type { IncidentData } from "./roles/reasoner-input.ts";
import { decisionOf } from "./rules/decide.ts";
import { evaluate } from "./rules/judge-score.ts";
import { anonymise, hypothesesOf, labelAll, reviewOf, roundOf, type Spoken, topsOf } from "./rules/round.ts";
import { stopAfter } from "./rules/stop.ts";

/** The fewest reasoners that make a debate (root-cause §4, product §2). */
const leastReasoners = 2;

/** Three reasoners propose, the judge scores, they refine until plateau, consensus or the last round (root-cause §4). */
export async function rootCauseProtocol(
  debate: Debate,
  input: RootCauseInput,
  config: RootCauseConfig,
): Promise<Verdict<RootCauseDecision>> {
  if (config.protocol !== "debate") return controlProtocol(debate, input, config);
  const incident = gatherIncident(input, config);
  const rounds: Round[] = [];
  for (;;) {
    const number = rounds.length + 1;
    const round = await debate.round(number, async () => {
      const spoken = await speak(debate, incident, number, rounds.at(-1));
      const judged = spoken.length < leastReasoners ? null : await score(debate, incident, number, spoken, config);
      return roundOf(number, spoken, judged);
    });
    rounds.push(round);
    if (!round.judge_evaluation) return belowQuorum(debate, rounds);
    const trajectory = rounds.flatMap(({ top_hypothesis }) => top_hypothesis?.judge_score ?? []);
    const stop = stopAfter(trajectory, topsOf(round), config);
    debate.note("stop_check", stop);
    const decision = decisionOf(rounds, stop, debate);
    debate.standing(() => decision);
    if (stop.stop) return { outcome: "decided", reasons: [`stopped by ${stop.stop_reason}`], decision };
  }
}

/** The reasoners speak in parallel: in round 1 on the incident alone, later also on what the judge said of them. */
async function speak(
  debate: Debate,
  incident: IncidentData,
  round: number,
  last: Round | undefined,
): Promise<Spoken[]> {
  const names = reasonerNames.filter((name) => name !== "kg_focused" || incident.knowledge !== null);
  const roles = names.map((name) => reasoners[name]);
  const answers = await debate.askAll(round === 1 ? "propose" : "refine", roles, (role) => {
    const reasoner = role.name as ReasonerName;
    return { reasoner, round, incident, ...reviewOf(reasoner, last) };
  });
  return answers.map(({ role, reply }) => ({ source: role as ReasonerName, hypotheses: hypothesesOf(reply) }));
}

/** The judge scores all hypotheses at once; with `judge.swap` a second time in the opposite order. */
async function score(
  debate: Debate,
  incident: IncidentData,
  round: number,
  spoken: Spoken[],
  config: RootCauseConfig,
): Promise<JudgeEvaluation | null> {
  const labelled = labelAll(spoken, debate.seed, round);
  const hypotheses = anonymise(labelled);
  const first = await debate.tryAsk(judge, { round, incident, hypotheses });
  if (!first) return null;
  if (!config.judge.swap) return evaluate(labelled, [first]);
  const second = await debate.tryAsk(judge, { round, incident, hypotheses: hypotheses.toReversed() }, "judge_swapped");
  return second && evaluate(labelled, [first, second]);
}

function belowQuorum(debate: Debate, rounds: Round[]): Verdict<RootCauseDecision> {
  const stop = { stop_reason: "quorum" as const, convergence_achieved: false };
  const decision = decisionOf(rounds, stop, debate);
  const reason = `round ${rounds.length} had no two reasoners and a judge`;
  debate.note("below_quorum", { reason });
  return { outcome: "undecided", reasons: [reason], decision };
}
