import type { Dataset, Row } from "../sentiment-data.ts";
import { ablation } from "./switchboard.ts";

type Opinions = typeof import("../../src/knowledge/opinions/index.ts");

/** How often each reading of the items of one text is right, and what it finds of their terms. */
export type Tally = { near: number; scoped: number; stage1: number; structure: number; found: number; named: number };

export const measures = ["near", "scoped", "stage1", "structure", "found", "named"] as const;

/** A text with the set it belongs to. */
export type Item = { set: string; row: Row };

export function listItems(sets: readonly Dataset[]): Item[] {
  return sets.flatMap((set) => set.rows.map((row) => ({ set: set.name, row })));
}

/** Reads one text with whatever is left out now. */
export function readItem(opinions: Opinions, { row }: Item): Tally {
  ablation.text += 1;
  ablation.asked = 0;
  const tally: Tally = { near: 0, scoped: 0, stage1: 0, structure: 0, found: 0, named: 0 };
  const named = row.aspects.filter((aspect) => aspect.term);
  const spans = named.map(({ from, to }) => ({ start: from, end: to }));
  const asked = named.map(({ term, from, to }) => ({
    term: `${term} ${from}`,
    span: { start: from, end: to },
    normalized: null,
    confidence: 1,
  }));
  const views = opinions.viewAspects(row.text, row.lang, asked);
  for (const [index, { polarity }] of named.entries()) count(tally, views[index], polarity, opinions);
  for (const { category, polarity } of row.aspects.filter((aspect) => !aspect.term))
    count(tally, opinions.viewImplicit(row.text, row.lang, category ?? null), polarity, opinions);
  const candidates = opinions.readerOf(row.lang).candidates(row.text);
  tally.named = -candidates.length;
  tally.found = candidates.filter(({ span }) =>
    spans.some((one) => one.start === span.start && one.end === span.end),
  ).length;
  return tally;
}

function count(
  tally: Tally,
  view: ReturnType<Opinions["viewImplicit"]> | undefined,
  gold: string,
  { judgeByStructure }: Opinions,
): void {
  if (view === undefined) return;
  const first = (view.learnt ?? view.near).polarity ?? "neutral";
  if ((view.near.polarity ?? "neutral") === gold) tally.near += 1;
  if ((view.scoped.polarity ?? "neutral") === gold) tally.scoped += 1;
  if (first === gold) tally.stage1 += 1;
  if ((judgeByStructure(view) ?? first) === gold) tally.structure += 1;
}
