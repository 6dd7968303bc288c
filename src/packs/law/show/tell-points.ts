import type { Point, Standing } from "../../../contract/story.ts";
import { type Agent, type AgentOutput, type Claim, opponentOf } from "../schemas/agent-output.ts";
import type { Critique, CritiqueMessage } from "../schemas/critique-message.ts";
import type { LawDecision } from "../schemas/decision.ts";
import { isAgentTurn, isCriticTurn, type Teller } from "./teller.ts";

/** The claims of one side in a round, each with what became of it. */
export function tellClaims(teller: Teller, { agent, round, claims }: AgentOutput): Point[] {
  return claims.map((claim) => {
    const before = findClaim(teller, agent, claim.id, round - 1);
    const isSame = before?.statement === claim.statement;
    return {
      id: nameClaim(round, agent, claim.id),
      name: `${agent} ${claim.id}`,
      text: claim.statement,
      score: { label: teller.labels.confidence, value: claim.confidence, most: 1 },
      ...(claim.risk && { tags: [teller.labels.noEvidence] }),
      ...tellStanding(teller, agent, claim, round),
      ...(before && isSame && { repeats: nameClaim(round - 1, agent, claim.id) }),
      ...(before && !isSame && { change: { before: before.statement, after: claim.statement } }),
      uses: claim.evidence,
      more: claim.assumptions.map((text) => ({ label: teller.labels.assumptions, text })),
    };
  });
}

function tellStanding(teller: Teller, agent: Agent, claim: Claim, round: number): Partial<Point> {
  const { decision, labels } = teller;
  if (!decision) return {};
  const name = `${agent}:${claim.id}`;
  const hits = (decision.summary?.critiques ?? []).filter(
    ({ critique }) => critique.target === agent && critique.target_claim_id === claim.id && critique.round >= round,
  );
  if (hits.some(({ status }) => status === "accepted")) return { standing: "conceded", status: labels.gaveUp };
  const rejected = decision.rejected_claims.find((one) => one.claim === name);
  if (rejected) return { standing: "dropped", status: labels.rejected, why: rejected.why };
  const disputed = decision.summary?.disputed_claims.find((one) => one.claim === name);
  if (disputed) return { standing: "contested", status: labels.disputed, why: disputed.why };
  return decision.used_claims.includes(name) ? { standing: "stands", status: labels.used } : {};
}

const standings: Record<"open" | "contested" | "accepted" | "withdrawn" | "finding", Standing> = {
  open: "contested",
  contested: "contested",
  accepted: "stands",
  withdrawn: "dropped",
  finding: "stands",
};

/** What one side holds against the other in a round. */
export function tellCritiques(teller: Teller, { agent, target, round, critiques }: CritiqueMessage): Point[] {
  return critiques.map((critique) => {
    const story = teller.decision?.summary?.critiques.find(
      (one) => one.critique.agent === agent && one.critique.id === critique.id && one.critique.round === round,
    );
    const hit = critique.target_claim_id === null ? null : findClaim(teller, target, critique.target_claim_id, round);
    return {
      id: nameCritique(round, agent, critique.id),
      name: `${agent} ${critique.id}`,
      text: critique.description,
      tags: [teller.labels.severities[critique.severity], teller.labels.issues[critique.issue_type]],
      ...(story && { standing: standings[story.status], status: teller.labels.status[story.status], why: story.why }),
      ...(hit && { answers: [nameClaim(round, target, hit.id)] }),
      uses: critique.evidence,
      more: critique.suggested_fix === "" ? [] : [{ label: teller.labels.fix, text: critique.suggested_fix }],
    };
  });
}

/** What one side says to the critiques on it. */
export function tellReplies(teller: Teller, { agent, round, responses }: AgentOutput): Point[] {
  const critic = opponentOf(agent);
  return responses.map(({ critique_id, reason, evidence, response }) => {
    const hit = findCritique(teller, critic, critique_id, round - 1);
    const accepts = response === "accepted";
    return {
      id: `${round}/${agent}>${critique_id}`,
      name: `${agent} ${teller.labels.replies[response]} ${critic} ${critique_id}`,
      text: reason,
      ...(accepts && { standing: "conceded" as const, status: teller.labels.replies.accepted }),
      ...(hit && { answers: [nameCritique(hit.round, critic, critique_id)] }),
      uses: evidence,
    };
  });
}

/** What a critic now says of its own earlier critiques. */
export function tellVerdicts(teller: Teller, { agent, round, verdicts }: CritiqueMessage): Point[] {
  return verdicts.map(({ critique_id, reason, verdict }) => {
    const own = findCritique(teller, agent, critique_id, round - 1);
    const replied = `${round}/${opponentOf(agent)}>${critique_id}`;
    return {
      id: `${round}/${agent}=${critique_id}`,
      name: `${agent} ${teller.labels.verdicts[verdict]} ${critique_id}`,
      text: reason,
      ...(verdict === "withdrawn" && { standing: "conceded" as const, status: teller.labels.status.withdrawn }),
      answers: [...(own ? [nameCritique(own.round, agent, critique_id)] : []), replied],
    };
  });
}

type Concluded = {
  reasons: string[];
  dissent: string | null;
  used_claims?: string[];
  rejected_claims?: LawDecision["rejected_claims"];
};

/** What the supervisor made of it: its reasons, what it does not follow, who dissents. */
export function tellSupervision({ labels, ...teller }: Omit<Teller, "decision">, said: Concluded): Point[] {
  const last = Math.max(0, ...teller.turns.map(({ key }) => key.round));
  const idOf = (name: string) => {
    const [agent = "", id = ""] = name.split(":");
    return nameClaim(last, agent, id);
  };
  return [
    ...said.reasons.map((text, at) => ({
      id: `0/reason-${at + 1}`,
      name: labels.reasons,
      text,
      ...(at === 0 && { answers: (said.used_claims ?? []).map(idOf) }),
    })),
    ...(said.rejected_claims ?? []).map(({ claim, why }) => ({
      id: `0/rejected-${claim}`,
      name: `${labels.rejected}: ${claim.replace(":", " ")}`,
      text: why,
      answers: [idOf(claim)],
    })),
    ...(said.dissent === null ? [] : [{ id: "0/dissent", name: labels.dissent, text: said.dissent }]),
  ];
}

function nameClaim(round: number, agent: string, id: string): string {
  return `${round}/${agent}:${id}`;
}

function nameCritique(round: number, agent: Agent, id: string): string {
  return `${round}/${agent}!${id}`;
}

/** A claim as it stood in a round. */
function findClaim({ turns }: Teller, agent: Agent, id: string, round: number): Claim | undefined {
  const said = turns.filter(isAgentTurn).find(({ key, reply }) => key.round === round && reply.agent === agent);
  return said?.reply.claims.find((claim) => claim.id === id);
}

/** The latest critique of that name up to a round. */
function findCritique(
  { turns }: Teller,
  agent: Agent,
  id: string,
  until: number,
): (Critique & { round: number }) | undefined {
  return turns
    .filter(isCriticTurn)
    .filter(({ key, reply }) => reply.agent === agent && key.round <= until)
    .flatMap(({ key, reply }) => reply.critiques.map((critique) => ({ ...critique, round: key.round })))
    .findLast((critique) => critique.id === id);
}
