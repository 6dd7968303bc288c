import { findEvidence } from "../../../../knowledge/law/index.ts";
import { phrasesOf } from "../wording/phrases.ts";
import type { AgentOutput, Response } from "../../schemas/agent-output.ts";
import type { AgentInput } from "../role-inputs.ts";
import { bearsOn } from "./bearing.ts";
import { type Check, reject, flag, tellingOf } from "./check.ts";
import { createClaimChecks } from "./claim-checks.ts";
import { getCaseGround, createCitationCheck } from "./text-citations.ts";

type AgentCheck = Check<AgentOutput, AgentInput>;

/** The agent speaks for itself and for this round. */
const speaker: AgentCheck = {
  find: (reply, input) => {
    const { agent, round } = input;
    const tell = tellingOf(input);
    return [
      ...(reply.agent === agent ? [] : [reject("wrong_agent", tell.wrongAgent(agent, reply.agent), ["agent"])]),
      ...(reply.round === round ? [] : [flag("wrong_round", tell.wrongRound(round, reply.round), ["round"])]),
    ];
  },
  mend: (reply, { round }) => ({ ...reply, round }),
};

/** Each critique on the agent is answered once, with a reason, on evidence that was retrieved. */
const responses: AgentCheck = {
  find: (reply, input) => {
    const { critiques, file } = input;
    const tell = tellingOf(input);
    const answered = new Set(reply.responses.map(({ critique_id }) => critique_id));
    const missing = critiques.filter(({ id }) => !answered.has(id));
    return [
      ...missing.map(({ id }) => flag("unanswered_critique", tell.unanswered(id), ["responses"])),
      ...reply.responses.flatMap((one, index) => {
        const path = ["responses", index];
        if (!critiques.some(({ id }) => id === one.critique_id))
          return [flag("unknown_critique", tell.nobodyRaised(one.critique_id), [...path, "critique_id"])];
        if (!one.reason.trim()) return [flag("no_reason", tell.noReason(one.critique_id), [...path, "reason"])];
        const unknown = one.evidence.filter((id) => !findEvidence(file, id));
        if (unknown.length > 0)
          return [
            flag("unknown_evidence", tell.responseCites(one.critique_id, unknown.join(", ")), [...path, "evidence"]),
          ];
        const idle = one.evidence.filter((id) => !bears(id, one, input, reply));
        return idle.length > 0
          ? [flag("idle_evidence", tell.idleEvidence(one.critique_id, idle.join(", ")), [...path, "evidence"])]
          : [];
      }),
    ];
  },
  mend: (reply, input) => ({
    ...reply,
    responses: reply.responses
      .filter(({ critique_id, reason }) => reason.trim() && input.critiques.some(({ id }) => id === critique_id))
      .map((one) => ({ ...one, evidence: one.evidence.filter((id) => bears(id, one, input, reply)) })),
  }),
};

/** Whether what a response cites bears on the critique or the claim it is about; giving way needs no ground. */
function bears(id: string, response: Response, { file, critiques, previous }: AgentInput, reply: AgentOutput): boolean {
  const critique = critiques.find((one) => one.id === response.critique_id);
  if (response.response === "accepted" || !critique) return findEvidence(file, id) !== null;
  const claims = [...reply.claims, ...(previous?.claims ?? [])].filter(
    ({ id: name }) => name === critique.target_claim_id,
  );
  return bearsOn(file, id, [critique.description, critique.suggested_fix, ...claims.map(({ statement }) => statement)]);
}

/** An answer that speaks only of provisions nobody retrieved is replaced by its claims. */
const citations: AgentCheck = createCitationCheck(
  ({ file }) => getCaseGround(file),
  ({ claims, agent }, { file }) =>
    claims.map(({ statement }) => statement).join(" ") || phrasesOf(file.retrieval.language).nothingKnown(agent),
);

export const agentChecks: AgentCheck[] = [speaker, ...createClaimChecks<AgentOutput>(), citations, responses];
