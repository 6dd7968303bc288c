import type { ReasonerInput, RootCauseExperts } from "../roles/role-inputs.ts";
import { checkEvidence } from "../rules/check-evidence.ts";
import { listQuotes } from "../rules/round.ts";
import type { Evidence, SalvagedReply } from "../schemas/hypothesis.ts";
import { proposeHybrid } from "./hybrid-reasoner.ts";
import { judgeByFacts } from "./judge.ts";
import { proposeFromHistory } from "./kg-reasoner.ts";
import { proposeFromLog } from "./log-reasoner.ts";
import { refineHypotheses } from "./refine.ts";

type Propose = (input: ReasonerInput) => SalvagedReply | null;

/** The built-in programs that play the roles: deterministic and offline. */
export const experts: RootCauseExperts = {
  log_focused: refineAfter(proposeFromLog),
  kg_focused: refineAfter(proposeFromHistory),
  hybrid: refineAfter(proposeHybrid),
  judge: judgeByFacts,
};

/** Proposes in round 1 and refines in later ones. */
function refineAfter(propose: Propose): Propose {
  return (input) => citeShown(input.round === 1 ? propose(input) : refineHypotheses(input, propose), input);
}

/** A program reads more of the log than a prompt shows, and cites what everybody can read. */
function citeShown(reply: SalvagedReply | null, input: ReasonerInput): SalvagedReply | null {
  if (reply === null) return null;
  const reader = { reasoner: input.reasoner, quoted: listQuotes(input) };
  const isCitable = (item: Evidence) => checkEvidence(item, input.incident, reader) === null;
  const hypotheses = reply.hypotheses.map((one) => ({ ...one, evidence: one.evidence.filter(isCitable) }));
  return { ...reply, hypotheses };
}
