import type { Finding } from "../../../engine/pack.ts";
import { isDisclaimer } from "../rules/checks/supervisor-checks.ts";
import type { LawFinished } from "./law-finished.ts";
import { converged } from "../rules/converged.ts";
import { critiqueStatus } from "../rules/critique-status.ts";
import { escalationReasons } from "../rules/escalation-reasons.ts";
import type { LawDecision } from "../schemas/decision.ts";

/** Checks a finished debate against its own record: every citation exists, the supervisor added nothing, the rules come out the same (law spec §6). */
export function verify({ result, config }: LawFinished): Finding[] {
  const { decision } = result;
  if (!decision) return [];
  return [
    ...checkCitations(decision),
    ...checkSupervisorClaims(decision),
    checkDisclaimer(decision),
    ...deriveAgain(decision, config),
  ];
}

function checkCitations(decision: LawDecision): Finding[] {
  const known = new Set(decision.sources.map(({ id }) => id));
  const foreign = decision.claims.flatMap(({ claim, evidence }) =>
    evidence.filter((id) => !known.has(id)).map((id) => `${claim} cites ${id}`),
  );
  return [
    makeFinding(
      "evidence_exists",
      foreign.length === 0,
      "claims",
      foreign.join("; ") || `${known.size} sources, all known`,
    ),
  ];
}

function checkSupervisorClaims({ claims, used_claims, rejected_claims }: LawDecision): Finding[] {
  const names = new Set(claims.map(({ claim }) => claim));
  const unknown = [...used_claims, ...rejected_claims.map(({ claim }) => claim)].filter((name) => !names.has(name));
  const bare = claims
    .filter(({ claim, evidence }) => used_claims.includes(claim) && evidence.length === 0)
    .map(({ claim }) => claim);
  return [
    makeFinding(
      "only_agents_claims",
      unknown.length === 0,
      "supervisor",
      unknown.join(", ") || "speaks only of the agents' claims",
    ),
    makeFinding(
      "used_claims_have_evidence",
      bare.length === 0,
      "supervisor",
      bare.join(", ") || "every used claim has evidence",
    ),
  ];
}

function checkDisclaimer({ disclaimer: text }: LawDecision): Finding {
  return makeFinding("disclaimer", isDisclaimer(text), "supervisor", text);
}

/** Convergence, critique statuses and escalation derived again from the recorded rounds. */
function deriveAgain(decision: LawDecision, config: LawFinished["config"]): Finding[] {
  const { summary, rounds } = decision;
  if (!summary) return [];
  /** The words may be of either language: earlier versions wrote them in English. */
  const derived = (["id", "en"] as const).map((language) => ({
    convergence: converged(rounds, config),
    critiques: critiqueStatus(rounds, language),
    reasons: escalationReasons(rounds, config, language),
  }));
  return (["convergence", "critiques", "reasons"] as const).map((key) =>
    makeFinding(
      `${key}_rederived`,
      derived.some((again) => JSON.stringify(again[key]) === JSON.stringify(summary[key])),
      "debate_summary",
      `${key} from ${rounds.length} rounds`,
    ),
  );
}

function makeFinding(check: string, ok: boolean, where: string, message: string): Finding {
  return { check, ok, where, message };
}
