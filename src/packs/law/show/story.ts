import type { LawDecision, Source } from "../schemas/decision.ts";
import type { Response } from "../schemas/agent-output.ts";
import { labelsOf } from "./labels.ts";

type Summary = NonNullable<LawDecision["summary"]>;
export type NamedClaim = LawDecision["claims"][number];

/** The provisions, norms and decisions that a claim cites, in its order. */
export function sourcesOf(decision: LawDecision, { evidence }: Pick<NamedClaim, "evidence">): Source[] {
  return findCited(decision, evidence).filter(({ kind }) => kind !== "rule" && kind !== "kg");
}

/** The rules and graph relations that bear a claim out: they restate sources and are named, not shown. */
export function derivedOf(decision: LawDecision, { evidence }: Pick<NamedClaim, "evidence">): string {
  const derived = findCited(decision, evidence).filter(({ kind }) => kind === "rule" || kind === "kg");
  return [...new Set(derived.map(({ title }) => title))].join("; ");
}

function findCited({ sources }: LawDecision, ids: string[]): Source[] {
  return ids.flatMap((id) => sources.find((source) => source.id === id) ?? []);
}

/** One critique with what became of it and what its target last said to it. */
export type CritiqueStory = Summary["critiques"][number] & { name: string; on: string; reply: Response | null };

/** Every critique of the debate, told to its end. */
export function critiqueStories({ summary, rounds }: LawDecision): CritiqueStory[] {
  return (summary?.critiques ?? []).map((one) => {
    const { agent, target, id, round, target_claim_id } = one.critique;
    const replies = rounds
      .filter((later) => later.round > round)
      .flatMap((later) => (target === "NLA" ? later.nla : later.ala).responses)
      .filter(({ critique_id }) => critique_id === id);
    return {
      ...one,
      name: `${agent}:${id}`,
      on: target_claim_id === null ? target : `${target}:${target_claim_id}`,
      reply: replies.at(-1) ?? null,
    };
  });
}

/** Which condition ended the debate, with its numbers, in one line. */
export function convergenceLine(decision: LawDecision): string {
  const labels = labelsOf(decision);
  const convergence = decision.summary?.convergence;
  if (!convergence) return labels.notConverged;
  const { condition, numbers } = convergence;
  const { CRITICAL, MAJOR, MINOR } = labels.severities;
  const open = `${numbers.open_critical} ${CRITICAL}, ${numbers.open_major} ${MAJOR}, ${numbers.open_minor} ${MINOR}`;
  const change =
    numbers.answer_change === null ? "" : `; ${labels.change} ${Math.round(numbers.answer_change * 100)} %`;
  const what = condition === null ? labels.notConverged : `(${condition}) ${labels.conditions[condition]}`;
  return `${what}, ${labels.afterRound} ${numbers.round}; ${labels.openCritiques}: ${open}${change}`;
}

/** Why a person must look, or that nobody needs to. */
export function escalationLines(decision: LawDecision): string[] {
  const reasons = decision.summary?.reasons ?? [];
  const { none, needed, requested } = labelsOf(decision);
  if (reasons.length === 0) return [decision.needs_human_review ? `${needed} (${requested})` : none];
  return reasons.map(({ message, refs }) => `${message}${refs.length > 0 ? ` (${refs.join(", ")})` : ""}`);
}

/** The route of a question in words. */
export function routeLine(decision: LawDecision): string {
  const labels = labelsOf(decision);
  const { label, out_of_scope } = decision.route;
  return `${labels.routes[label]}${out_of_scope ? `, ${labels.outOfScope}` : ""}`;
}

/** Who is meant by the name of a role or an agent. */
export function speakerName(decision: Pick<LawDecision, "language">, role: string): string {
  const labels = labelsOf(decision);
  const side = { nla: labels.speakers.NLA, ala: labels.speakers.ALA, sup: labels.speakers.sup }[role.slice(0, 3)];
  if (side !== undefined) return role.endsWith("_critic") ? `${side}, ${labels.critic}` : side;
  const voter = role.replace(/^voter_/, "");
  return labels.voters[voter as keyof typeof labels.voters] ?? role;
}

/** How a source is named in a list: title, id, how sure it is. */
export function sourceName(decision: LawDecision, { title, id, confidence, imported }: Source): string {
  const labels = labelsOf(decision);
  const known = confidence === "confirmed" ? labels.confirmed : labels.unconfirmed;
  return `${title} [${[id, ...(imported ? [labels.imported] : []), known].join(", ")}]`;
}

/** True when a claim repeats its source's paraphrase, so that a list need not show it twice. */
export function isQuotedIn(source: Source, claim: NamedClaim): boolean {
  return claim.statement.includes(source.statement.replace(/[.\s]+$/u, ""));
}

/** Everything that stayed wrong with a reply: of the agents and critics by round, and of whoever concluded. */
export function faultsOf(decision: LawDecision): Summary["faults"] {
  const speaker = decision.summary ? "sup" : decision.decided_by;
  const last = (decision.faults ?? []).map((fault) => ({ ...fault, round: decision.rounds.length, speaker }));
  return [...(decision.summary?.faults ?? []), ...last];
}
