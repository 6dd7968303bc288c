import { findEvidence } from "../../../../knowledge/law/index.ts";
import { phrasesOf } from "../wording/phrases.ts";
import type { AgentOutput } from "../../schemas/agent-output.ts";
import type { AgentInput } from "../role-inputs.ts";
import { type Check, reject, flag } from "./check.ts";
import { createClaimChecks } from "./claim-checks.ts";
import { getCaseGround, createCitationCheck } from "./text-citations.ts";

type AgentCheck = Check<AgentOutput, AgentInput>;

/** The agent speaks for itself and for this round. */
const speaker: AgentCheck = {
  find: (reply, { agent, round }) => [
    ...(reply.agent === agent ? [] : [reject("wrong_agent", `you are ${agent}, not ${reply.agent}`, ["agent"])]),
    ...(reply.round === round ? [] : [flag("wrong_round", `this is round ${round}, not ${reply.round}`, ["round"])]),
  ],
  mend: (reply, { round }) => ({ ...reply, round }),
};

/** Each critique on the agent is answered once, with a reason, on evidence that was retrieved. */
const responses: AgentCheck = {
  find: (reply, { critiques, file }) => {
    const answered = new Set(reply.responses.map(({ critique_id }) => critique_id));
    const missing = critiques.filter(({ id }) => !answered.has(id));
    return [
      ...missing.map(({ id }) =>
        flag("unanswered_critique", `critique ${id} has no response; say accepted or rejected, with a reason`, [
          "responses",
        ]),
      ),
      ...reply.responses.flatMap((one, index) => {
        const path = ["responses", index];
        if (!critiques.some(({ id }) => id === one.critique_id))
          return [
            flag("unknown_critique", `nobody raised a critique ${one.critique_id} of you`, [...path, "critique_id"]),
          ];
        if (!one.reason.trim())
          return [flag("no_reason", `the response to ${one.critique_id} gives no reason`, [...path, "reason"])];
        const unknown = one.evidence.filter((id) => !findEvidence(file, id));
        return unknown.length > 0
          ? [
              flag(
                "unknown_evidence",
                `the response to ${one.critique_id} cites ${unknown.join(", ")}, which was not retrieved`,
                [...path, "evidence"],
              ),
            ]
          : [];
      }),
    ];
  },
  mend: (reply, { critiques, file }) => ({
    ...reply,
    responses: reply.responses
      .filter(({ critique_id, reason }) => reason.trim() && critiques.some(({ id }) => id === critique_id))
      .map((one) => ({ ...one, evidence: one.evidence.filter((id) => findEvidence(file, id)) })),
  }),
};

/** An answer that speaks only of provisions nobody retrieved is replaced by its claims. */
const citations: AgentCheck = createCitationCheck(
  ({ file }) => getCaseGround(file),
  ({ claims, agent }, { file }) =>
    claims.map(({ statement }) => statement).join(" ") || phrasesOf(file.retrieval.language).nothingKnown(agent),
);

export const agentChecks: AgentCheck[] = [speaker, ...createClaimChecks<AgentOutput>(), citations, responses];
