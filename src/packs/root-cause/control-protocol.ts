import type { Debate } from "../../engine/debate.ts";
import type { Verdict } from "../../engine/pack.ts";
import type { RootCauseConfig } from "./config.ts";
import { decide, type RootCauseDecision } from "./decision.ts";
import type { IncidentData } from "./roles/role-inputs.ts";
import { listReasoners, type RootCauseRoles } from "./roles/roles.ts";
import { buildRound, readHypotheses, type Spoken } from "./rules/round.ts";
import { countVotes } from "./rules/vote.ts";
import { type ReasonerName, reasonerNames } from "./schemas/hypothesis.ts";

/** The control arms of a study: one reasoner, one reasoner several times, or all three, without judge and rounds (root-cause spec §4.7). */
export async function runControlArm(
  debate: Debate,
  roles: RootCauseRoles,
  incident: IncidentData,
  config: RootCauseConfig,
): Promise<Verdict<RootCauseDecision>> {
  const spoken = await debate.round(1, () => openArm(debate, roles, incident, config));
  const round = buildRound(1, joinBySource(spoken), null);
  const vote = countVotes(spoken);
  debate.note("vote", vote && { winner: vote.top.id, votes: vote.votes });
  const rounds = [{ ...round, top_hypothesis: vote?.top ?? null }];
  const decision = decide(
    rounds,
    { stop_reason: "no_debate", convergence_achieved: false },
    { debate, log: incident.log },
  );
  const least = config.protocol === "vote" ? 2 : 1;
  if (spoken.length < least)
    return { outcome: "undecided", reasons: [`${spoken.length} of at least ${least} reasoners answered`], decision };
  return { outcome: "decided", reasons: [`${config.protocol} of ${spoken.length}`], decision };
}

async function openArm(
  debate: Debate,
  roles: RootCauseRoles,
  incident: IncidentData,
  config: RootCauseConfig,
): Promise<Spoken[]> {
  const askOne = async (reasoner: ReasonerName, step: string): Promise<Spoken[]> => {
    const given = { reasoner, round: 1, incident, own: [], others: [], told: [] };
    const reply = await debate.tryAsk(roles[reasoner], given, step);
    return reply ? [{ source: reasoner, hypotheses: readHypotheses(reply) }] : [];
  };
  if (config.protocol === "single") return askOne(config.reasoner, "propose");
  const asked =
    config.protocol === "vote"
      ? listReasoners(incident.knowledge !== null).map((name) => askOne(name, "propose"))
      : Array.from({ length: config.samples }, (_, index) => askOne(config.reasoner, `sample_${index + 1}`));
  return (await Promise.all(asked)).flat();
}

/** Samples of one reasoner are listed together under its name. */
function joinBySource(spoken: Spoken[]): Spoken[] {
  return reasonerNames.flatMap((source) => {
    const hypotheses = spoken.filter((one) => one.source === source).flatMap((one) => one.hypotheses);
    return hypotheses.length > 0 ? [{ source, hypotheses }] : [];
  });
}
