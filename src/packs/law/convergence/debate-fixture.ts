import type { Agent, AgentOutput, Claim, Response } from "../messages/agent-output.ts";
import type { Critique, CritiqueMessage, CritiqueVerdict } from "../messages/critique-message.ts";
import { otherAgent } from "../messages/agent-output.ts";

/** Builders for the tests of the debate's rules. */
export function claim(over: Partial<Claim> = {}): Claim {
  return {
    id: "C1",
    statement: "Anak mewaris.",
    evidence: ["NAT-KUHPER-852"],
    confidence: 0.7,
    assumptions: [],
    ...over,
  };
}

export function output(agent: Agent, over: Partial<AgentOutput> = {}): AgentOutput {
  return {
    round: 1,
    agent,
    answer: `Jawaban ${agent}.`,
    claims: [claim()],
    uncertainties: [],
    open_questions: [],
    responses: [],
    ...over,
  };
}

export function critique(over: Partial<Critique> = {}): Critique {
  return {
    id: "K1",
    target_claim_id: "C1",
    issue_type: "overclaim",
    description: "Melebihi sumbernya.",
    severity: "MAJOR",
    suggested_fix: "Batasi klaim.",
    ...over,
  };
}

export function message(agent: Agent, critiques: Critique[], verdicts: CritiqueVerdict[] = []): CritiqueMessage {
  return { round: 1, agent, target: otherAgent(agent), critiques, verdicts };
}

export function response(over: Partial<Response> = {}): Response {
  return { critique_id: "K1", response: "accepted", reason: "Benar.", evidence: [], ...over };
}
