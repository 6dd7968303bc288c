import type { RunRow, Section } from "../../../contract/view.ts";
import type { Scorecard } from "../../results/scorecard.ts";
import { spendOf } from "../../summary/summarise-arm.ts";

/** The runs behind the numbers of a report: a number refers to a named set, and the report lists that set. */
export type RunSets = {
  /** The id of the set with this title; equal titles are one set. An empty set has none. */
  refer(title: string, belongs: (card: Scorecard) => boolean): string | undefined;
  /** The runs and the sets that were referred to. */
  section(): Section;
};

/** Collects the sets that the numbers of a study point to. */
export function collectRuns(cards: readonly Scorecard[]): RunSets {
  const sets = new Map<string, { id: string; title: string; rows: number[] }>();
  return {
    refer(title, belongs) {
      const known = sets.get(title);
      if (known) return known.id;
      const rows = cards.flatMap((card, i) => (belongs(card) ? [i] : []));
      if (rows.length === 0) return undefined;
      const id = String(sets.size);
      sets.set(title, { id, title, rows });
      return id;
    },
    section: () => ({
      kind: "runs",
      title: "Runs",
      id: "runs",
      rows: cards.map(rowOf),
      sets: [...sets.values()],
    }),
  };
}

function rowOf(card: Scorecard): RunRow {
  return {
    run: card.run_id,
    arm: card.arm,
    case: card.case_id,
    seed: card.seed,
    outcome: card.outcome,
    score: card.primary,
    right: card.right,
    tokens: spendOf(card).tokens,
  };
}
