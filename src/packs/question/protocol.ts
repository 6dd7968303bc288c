import type { Protocol } from "../../engine/pack.ts";
import { decide } from "./decision.ts";
import { adaptiveVote } from "./protocol/adaptive-vote.ts";
import { courtroom } from "./protocol/courtroom.ts";
import { critic } from "./protocol/critic.ts";
import { onDisagreement } from "./protocol/on-disagreement.ts";
import { quotesOnly } from "./protocol/quotes-only.ts";
import { roundTable } from "./protocol/round-table.ts";
import { selfConsistency } from "./protocol/self-consistency.ts";
import { selfMoa } from "./protocol/self-moa.ts";
import { type Heard, openSession, type Session } from "./protocol/session.ts";
import { vote } from "./protocol/vote.ts";
import type { QuestionRoles } from "./roles/create-roles.ts";
import type { QuestionConfig } from "./schemas/config.ts";
import type { QuestionDecision } from "./schemas/decision.ts";
import type { Question } from "./schemas/question.ts";
import type { Said } from "./schemas/said.ts";

/** The protocols by name: each begins with openings that nobody else has seen. */
const protocols: Record<QuestionConfig["protocol"], (session: Session) => Promise<Heard>> = {
  single: vote,
  vote,
  self_consistency: selfConsistency,
  "adaptive-vote": adaptiveVote,
  "on-disagreement": onDisagreement,
  critic,
  "quotes-only": quotesOnly,
  "round-table": roundTable,
  courtroom,
  "self-moa": selfMoa,
};

/** Holds the debate as its protocol says, then decides by the judge or the vote (question spec §2). */
export function createProtocol(makeRoles: () => QuestionRoles): Protocol<Question, QuestionConfig, QuestionDecision> {
  return async (debate, { input: question }, config) => {
    const setting = { question, config, decide: (said: Said) => decide(said).decision };
    const heard = await protocols[config.protocol](openSession(debate, makeRoles(), setting));
    return decide({ question, config, ...heard });
  };
}
