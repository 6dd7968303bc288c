import type { Scorecard } from "../results/scorecard.ts";
import { html, type Markup } from "../../text/html.ts";

/** One run in the page's list of runs. */
export type RunRow = {
  arm: number;
  case: string;
  seed: number;
  run: string | null;
  outcome: string;
  score: number | null;
  right: boolean | null;
  tokens: number;
};

/** The runs behind the numbers of a report: a number links to a named set, and the page lists that set. */
export type RunIndex = {
  rows: RunRow[];
  sets: { title: string; rows: number[] }[];
  /** A number as a link to the runs it was made of. */
  link(text: string | Markup, title: string, belongs: (card: Scorecard) => boolean): Markup;
};

/** Collects the runs of a study and the sets that its numbers point to; equal titles are one set. */
export function runIndex(armNames: string[], cards: readonly Scorecard[]): RunIndex {
  const sets: RunIndex["sets"] = [];
  const known = new Map<string, number>();
  const at = new Map(armNames.map((name, i) => [name, i]));
  const add = (title: string, belongs: (card: Scorecard) => boolean): number => {
    const rows = cards.flatMap((card, i) => (belongs(card) ? [i] : []));
    known.set(title, sets.push({ title, rows }) - 1);
    return sets.length - 1;
  };
  return {
    rows: cards.map((card) => rowOf(card, at.get(card.arm) ?? 0)),
    sets,
    link(text, title, belongs) {
      const set = known.get(title) ?? add(title, belongs);
      return html`<a class="n" href="#runs-${set}" title="${title}">${text}</a>`;
    },
  };
}

function rowOf(card: Scorecard, arm: number): RunRow {
  const { inputTokens, outputTokens } = card.cost.usage;
  return {
    arm,
    case: card.case_id,
    seed: card.seed,
    run: card.run_id,
    outcome: card.outcome,
    score: card.primary,
    right: card.right,
    tokens: inputTokens + outputTokens,
  };
}
