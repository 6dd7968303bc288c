import type { ReasonerInput, RootCauseExperts } from "../roles/role-inputs.ts";
import type { SalvagedReply } from "../schemas/hypothesis.ts";
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
  return (input) => (input.round === 1 ? propose(input) : refineHypotheses(input, propose));
}
