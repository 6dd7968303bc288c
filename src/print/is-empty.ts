import type { Chart } from "../contract/chart.ts";
import type { Section, SectionOf } from "../contract/view.ts";

/** Whether there is nothing to show of a section, so that its title can be left out too. */
export function isEmpty(section: Section): boolean {
  return (emptiness[section.kind] as (section: Section) => boolean)(section);
}

const emptiness: { [K in Section["kind"]]: (section: SectionOf<K>) => boolean } = {
  verdict: () => false,
  facts: ({ rows }) => rows.length === 0,
  text: ({ text }) => text.trim() === "",
  list: ({ items }) => items.length === 0,
  code: ({ text }) => text.trim() === "",
  table: ({ rows }) => rows.length === 0,
  highlight: ({ text }) => text.trim() === "",
  lines: ({ lines }) => lines.length === 0,
  steps: ({ steps }) => steps.length === 0,
  checks: ({ findings }) => findings.length === 0,
  cards: ({ cards }) => cards.length === 0,
  series: ({ points }) => points.length === 0,
  chart: ({ chart }) => partsOf(chart).length === 0,
  runs: ({ rows }) => rows.length === 0,
  group: ({ sections }) => sections.every(isEmpty),
};

function partsOf(chart: Chart): readonly unknown[] {
  if (chart.type === "cost" || chart.type === "frontier") return chart.points;
  if (chart.type === "timeline") return chart.lanes;
  if (chart.type === "flips") return chart.rounds;
  return chart.type === "lines" ? chart.lines.filter(({ points }) => points.length > 0) : chart.rows;
}
