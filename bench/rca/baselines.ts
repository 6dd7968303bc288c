import type { HadoopCase, NezhaCase } from "./cases.ts";

const keywords: [string, RegExp][] = [
  ["resource", /no space|not enough space|disk full|out of ?memory/i],
  ["network", /connection|network|route to host|socket|unreachable|timed out/i],
  ["hardware", /lost node|\*lost\*|unusable node|node.*(down|dead)|machine|hardware/i],
];

/** Keyword rules over all lines and templates: the category with most matching lines; none if nothing matches. */
export function guessByKeywords({ log }: HadoopCase): string {
  const counts = new Map<string, number>();
  for (const { raw } of log.events)
    for (const [category, pattern] of keywords)
      if (pattern.test(raw)) counts.set(category, (counts.get(category) ?? 0) + 1);
  const [best] = [...counts].sort(([, a], [, b]) => b - a);
  return best?.[0] ?? "none";
}

/** The first rule that any line satisfies, the more specific rules first. */
export function guessByFirstKeyword({ log }: HadoopCase): string {
  const text = log.events.map(({ raw }) => raw).join("\n");
  const specific = [keywords[0], keywords[2], ["network", /no route to host|network (is )?unreachable/i] as const];
  return specific.find((rule) => rule?.[1].test(text))?.[0] ?? "none";
}

/** The commonest label of the other cases. */
export function guessMajority(labels: readonly string[], leftOut: number): string {
  const others = labels.filter((_, index) => index !== leftOut);
  const counts = Map.groupBy(others, (label) => label);
  return [...counts].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))[0]?.[0] ?? "none";
}

/** The services of the other cases, the commonest first. */
export function listCommonestServices(cases: readonly NezhaCase[], leftOut: number): string[] {
  const counts = Map.groupBy(
    cases.filter((_, index) => index !== leftOut).map(({ row }) => row.root_service),
    (name) => name,
  );
  return [...counts].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1)).map(([name]) => name);
}

/** The services by their error lines, the most first. */
export function rankServicesByErrors({ row }: NezhaCase): string[] {
  return Object.entries(row.error_lines_by_service)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([name]) => name);
}
