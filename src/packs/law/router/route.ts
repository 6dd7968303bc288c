/** What a question is about (law spec §1). */
export type RouteLabel = "pure_national" | "pure_adat" | "conflict" | "consensus";

/** A router's answer; `out_of_scope` stands beside the label, it is not one. */
export type Route = {
  label: RouteLabel;
  scores: { national: number; adat: number; conflict: number };
  out_of_scope: boolean;
  rationale: string;
};
