import type { AgentOutput } from "../schemas/agent-output.ts";

/** An answer as it stands at the end; who gave it and when is on its label. */
export function showFinal({ responses, claims, uncertainties, open_questions, answer, faults }: AgentOutput) {
  return { responses, claims, uncertainties, open_questions, answer, faults };
}

/** An answer as it is told: whole in round 1, afterwards what has changed, and by name what has not. */
export function showOutput(output: AgentOutput, previous: AgentOutput | null) {
  const { responses, claims, uncertainties, open_questions, answer, faults } = output;
  if (!previous) return { claims, uncertainties, open_questions, answer, faults };
  const isKept = (one: unknown, earlier: unknown): boolean => JSON.stringify(one) === JSON.stringify(earlier);
  const kept = claims.filter((claim) => previous.claims.some((one) => isKept(claim, one)));
  const dropped = previous.claims.map(({ id }) => id).filter((id) => !claims.some((claim) => claim.id === id));
  const texts = { uncertainties, open_questions, answer };
  const same = (Object.keys(texts) as (keyof typeof texts)[]).filter((key) => isKept(texts[key], previous[key]));
  return {
    responses,
    claims: claims.filter((claim) => !kept.includes(claim)),
    unchanged: [...kept.map(({ id }) => id), ...same],
    dropped: dropped.length > 0 ? dropped : undefined,
    ...Object.fromEntries(Object.entries(texts).filter(([key]) => !same.some((one) => one === key))),
    faults,
  };
}
