import * as z from "zod";
import type { Measure } from "../../engine/pack.ts";
import type { LawDecision } from "./schemas/decision.ts";
import { RouteLabelSchema } from "./schemas/material.ts";
import { PositionSchema } from "./schemas/messages.ts";

export const LawGoldSchema = z.strictObject({
  route: RouteLabelSchema.nullable().default(null),
  out_of_scope: z.boolean().default(false).meta({ title: "Is it outside what the sources cover?" }),
  positions: z.array(PositionSchema).default([]).meta({ title: "Which readings are right?" }),
  must_cite: z.array(z.string()).default([]).meta({ title: "Sources that a right answer must cite" }),
  may_cite: z.array(z.string()).default([]).meta({ title: "Sources that it may cite" }),
  needs_human_review: z.boolean().nullable().default(null),
});
export type LawGold = z.infer<typeof LawGoldSchema>;

const share = (wanted: string[], found: string[]): number | null =>
  wanted.length === 0 ? null : wanted.filter((id) => found.includes(id)).length / wanted.length;
const divide = (part = 0, whole = 0): number | null => (whole === 0 ? null : part / whole);
function listCited({ claims, used_claims }: LawDecision): string[] {
  const used = claims.filter(({ claim }) => used_claims.includes(claim));
  return [...new Set(used.flatMap(({ evidence }) => evidence))].filter((id) => !/^(?:rule|kg):/.test(id));
}

/** How a law decision is measured (law spec §8.1). */
export const measure: Measure<LawDecision, LawGold> = {
  gold: LawGoldSchema,
  primary: "position",
  goldOf: ({ position, route }) => ({ positions: [position], route: route.label, out_of_scope: route.out_of_scope }),
  score: (decision, gold) => ({
    position: gold.positions.length === 0 ? null : Number(gold.positions.includes(decision.position)),
    route: gold.route === null ? null : Number(gold.route === decision.route.label),
    out_of_scope: Number(gold.out_of_scope === decision.route.out_of_scope),
    citation_recall: share(gold.must_cite, listCited(decision)),
    citation_precision:
      gold.may_cite.length === 0 ? null : share(listCited(decision), [...gold.must_cite, ...gold.may_cite]),
    needs_human_review: Number(decision.needs_human_review),
    review: gold.needs_human_review === null ? null : Number(gold.needs_human_review === decision.needs_human_review),
  }),
  confidence: ({ claims, used_claims }) => {
    const used = claims.filter(({ claim }) => used_claims.includes(claim));
    return divide(
      used.reduce((sum, { confidence }) => sum + confidence, 0),
      used.length,
    );
  },
  tally: ({ claims, summary }) => ({
    claims: claims.length,
    claims_without_evidence: claims.filter(({ evidence }) => evidence.length === 0).length,
    ...Object.fromEntries(
      Object.entries(summary?.critique_counts ?? {}).map(([key, count]) => [`critiques_${key}`, count]),
    ),
    converged: Number(summary?.convergence.met ?? false),
    faults: summary?.faults.length ?? 0,
  }),
  rates: (totals) => ({
    critique_acceptance: divide(totals["critiques_accepted"], totals["critiques_raised"]),
    critique_contest: divide(totals["critiques_contested"], totals["critiques_raised"]),
    critique_withdrawal: divide(totals["critiques_withdrawn"], totals["critiques_raised"]),
    claims_without_evidence: divide(totals["claims_without_evidence"], totals["claims"]),
  }),
  positions: ({ votes, rounds, position }) =>
    votes.length > 0
      ? votes.map((vote) => ({ round: 1, role: vote.voter, answer: vote.position }))
      : [{ round: rounds.length, role: "sup", answer: position }],
  isCorrect: (answer, gold) => (gold.positions as string[]).includes(answer),
};
