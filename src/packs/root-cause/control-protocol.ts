import type { Debate } from "../../engine/debate.ts";
import type { Verdict } from "../../engine/pack.ts";
import type { RootCauseConfig } from "./config.ts";
import type { RootCauseDecision } from "./decision.ts";
import { gatherIncident } from "./gather-incident.ts";
import { type ReasonerName, reasonerNames } from "./hypothesis.ts";
import type { RootCauseInput } from "./input.ts";
import { reasoners } from "./roles/reasoner.ts";
import { decisionOf } from "./rules/decide.ts";
import { hypothesesOf, roundOf, type Spoken } from "./rules/round.ts";
import { voteOf } from "./rules/vote.ts";

/** The control arms of a study: one reasoner, one reasoner several times, or all three, without judge and rounds. */
export async function controlProtocol(
  debate: Debate,
  input: RootCauseInput,
  config: RootCauseConfig,
): Promise<Verdict<RootCauseDecision>> {
  const spoken = await debate.round(1, () => openings(debate, input, config));
  const round = roundOf(1, bySource(spoken), null);
  const vote = voteOf(spoken);
  debate.note("vote", vote && { winner: vote.top.id, votes: vote.votes });
  const rounds = [{ ...round, top_hypothesis: vote?.top ?? null }];
  const decision = decisionOf(rounds, { stop_reason: "no_debate", convergence_achieved: false }, debate);
  const least = config.protocol === "vote" ? 2 : 1;
  if (spoken.length < least)
    return { outcome: "undecided", reasons: [`${spoken.length} of at least ${least} reasoners answered`], decision };
  return { outcome: "decided", reasons: [`${config.protocol} of ${spoken.length}`], decision };
}

async function openings(debate: Debate, input: RootCauseInput, config: RootCauseConfig): Promise<Spoken[]> {
  const incident = gatherIncident(input, config);
  const askOne = async (reasoner: ReasonerName, step: string): Promise<Spoken[]> => {
    const given = { reasoner, round: 1, incident, own: [], others: [] };
    const reply = await debate.tryAsk(reasoners[reasoner], given, step);
    return reply ? [{ source: reasoner, hypotheses: hypothesesOf(reply) }] : [];
  };
  if (config.protocol === "single") return askOne(config.reasoner, "propose");
  const names = reasonerNames.filter((name) => name !== "kg_focused" || incident.knowledge !== null);
  const asked =
    config.protocol === "vote"
      ? names.map((name) => askOne(name, "propose"))
      : Array.from({ length: config.samples }, (_, index) => askOne(config.reasoner, `sample_${index + 1}`));
  return (await Promise.all(asked)).flat();
}

/** Samples of one reasoner stand together under its name. */
function bySource(spoken: Spoken[]): Spoken[] {
  return reasonerNames.flatMap((source) => {
    const hypotheses = spoken.filter((one) => one.source === source).flatMap((one) => one.hypotheses);
    return hypotheses.length > 0 ? [{ source, hypotheses }] : [];
  });
}
