import * as z from "zod";
import type { Measure, Position, Warning } from "../../engine/pack.ts";
import type { LawDecision } from "./schemas/decision.ts";
import { PositionSchema } from "./schemas/supervision.ts";
import { routeLabels } from "../../knowledge/law/index.ts";

/** What a right answer to a legal question has; an empty list or null is not judged. */
export const LawGoldSchema = z.strictObject({
  route: z.enum(routeLabels).nullable().default(null),
  out_of_scope: z.boolean().default(false),
  positions: z.array(PositionSchema).default([]),
  must_cite: z.array(z.string()).default([]),
  may_cite: z.array(z.string()).default([]),
  /** Whether a person must look at it: what decides is disputed or unknown. */
  needs_human_review: z.boolean().nullable().default(null),
});
export type LawGold = z.infer<typeof LawGoldSchema>;

/** How a law decision is measured (law spec §8.1). */
export const measure: Measure<LawDecision, LawGold> = {
  gold: LawGoldSchema,
  primary: "position",
  goldOf: ({ position, route }) => ({ positions: [position], route: route.label, out_of_scope: route.out_of_scope }),
  score: (decision, gold) => ({
    position: gold.positions.length === 0 ? null : Number(gold.positions.includes(decision.position)),
    route: gold.route === null ? null : Number(gold.route === decision.route.label),
    out_of_scope: Number(gold.out_of_scope === decision.route.out_of_scope),
    citation_recall: measureShare(gold.must_cite, listCited(decision)),
    citation_precision:
      gold.may_cite.length === 0 ? null : measureShare(listCited(decision), [...gold.must_cite, ...gold.may_cite]),
    valid_ids: measureShare(
      listAllCited(decision),
      decision.sources.map(({ id }) => id),
    ),
    claims_with_evidence: measureShareOf(decision.claims, ({ evidence }) => evidence.length > 0),
    needs_human_review: Number(decision.needs_human_review),
    review: gold.needs_human_review === null ? null : Number(gold.needs_human_review === decision.needs_human_review),
  }),
  confidence: (decision) => {
    const used = decision.claims.filter(({ claim }) => decision.used_claims.includes(claim));
    return used.length === 0 ? null : used.reduce((sum, { confidence }) => sum + confidence, 0) / used.length;
  },
  tally: (decision) => ({
    claims: decision.claims.length,
    claims_without_evidence: decision.claims.filter(({ evidence }) => evidence.length === 0).length,
    ...Object.fromEntries(
      Object.entries(decision.summary?.critique_counts ?? {}).map(([key, count]) => [`critiques_${key}`, count]),
    ),
    converged: Number(decision.summary?.convergence.met ?? false),
    faults: decision.summary?.faults.length ?? 0,
  }),
  rates: (totals) => ({
    critique_acceptance: divide(totals["critiques_accepted"], totals["critiques_raised"]),
    critique_contest: divide(totals["critiques_contested"], totals["critiques_raised"]),
    critique_withdrawal: divide(totals["critiques_withdrawn"], totals["critiques_raised"]),
    claims_without_evidence: divide(totals["claims_without_evidence"], totals["claims"]),
  }),
  warnings: (rates) => [
    ...warnAbove(
      rates,
      "claims_without_evidence",
      0.05,
      "claims lack evidence; ask for fewer claims, or raise retrieval.limit",
    ),
    ...warnAbove(
      rates,
      "critique_acceptance",
      0.95,
      "nearly every critique is accepted; a stronger model in the agents' seats would defend its claims",
    ),
  ],
  positions: listPositions,
  isCorrect: (answer, gold) => (gold.positions as string[]).includes(answer),
};

/** The provisions, norms and decisions that the used claims rest on; rules and graph relations restate them. */
export function listCited(decision: LawDecision): string[] {
  const used = decision.claims.filter(({ claim }) => decision.used_claims.includes(claim));
  return [...new Set(used.flatMap(({ evidence }) => evidence))].filter((id) => !/^(?:rule|kg):/.test(id));
}

function listAllCited({ claims }: LawDecision): string[] {
  return [...new Set(claims.flatMap(({ evidence }) => evidence))];
}

/** Where each voter or the supervisor stood. */
function listPositions(decision: LawDecision): Position[] {
  const votes = decision.votes.map(({ voter, position }) => ({ round: 1, role: voter, answer: position }));
  return votes.length > 0 ? votes : [{ round: decision.rounds.length, role: "sup", answer: decision.position }];
}

function measureShare(wanted: string[], found: string[]): number | null {
  return wanted.length === 0 ? null : wanted.filter((id) => found.includes(id)).length / wanted.length;
}

function measureShareOf<T>(items: T[], test: (item: T) => boolean): number | null {
  return items.length === 0 ? null : items.filter(test).length / items.length;
}

function divide(part: number | undefined, whole: number | undefined): number | null {
  return whole === undefined || whole === 0 ? null : (part ?? 0) / whole;
}

function warnAbove(rates: Record<string, number | null>, metric: string, limit: number, tip: string): Warning[] {
  const value = rates[metric] ?? null;
  return value !== null && value > limit ? [{ level: "warn", metric, value, tip }] : [];
}
