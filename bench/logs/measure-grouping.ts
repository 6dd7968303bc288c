/** One line's group and template text, as parsed or as in the ground truth. */
export type LineLabel = { group: string; template: string };

/** GA and FGA compare which lines stand together; PA and FTA also compare the template text. All are 0..1. */
export type GroupingMetrics = { ga: number; fga: number; pa: number; fta: number; groups: number; truthGroups: number };

type Group = { size: number; partner: string | null; textRight: number };

/**
 * Measures a parse against ground truth (root-cause spec §2.3). A group is right when its lines are exactly the lines of one
 * truth group: GA is the share of lines in right groups, FGA the F1 of right groups among found and true ones. PA is the
 * share of lines whose template text is right, FTA the F1 of groups that are right and whose text is right.
 */
export function measureGrouping(parsed: readonly LineLabel[], truth: readonly LineLabel[]): GroupingMetrics {
  if (parsed.length !== truth.length) {
    throw new RangeError(`cannot compare ${parsed.length} parsed lines with ${truth.length} lines of ground truth`);
  }
  const truthSizes = countBy(truth.map((label) => label.group));
  const found = new Map<string, Group>();
  let textRight = 0;
  for (const [index, label] of parsed.entries()) {
    const expected = truth[index] ?? label;
    const right = label.template === expected.template ? 1 : 0;
    textRight += right;
    const group = found.get(label.group);
    if (group === undefined) {
      found.set(label.group, { size: 1, partner: expected.group, textRight: right });
      continue;
    }
    group.size += 1;
    group.textRight += right;
    if (group.partner !== expected.group) group.partner = null;
  }
  const rightGroups = [...found.values()].filter((g) => g.partner !== null && truthSizes.get(g.partner) === g.size);
  const rightLines = rightGroups.reduce((sum, group) => sum + group.size, 0);
  const rightTexts = rightGroups.filter((group) => group.textRight === group.size);
  return {
    ga: divide(rightLines, parsed.length),
    fga: computeF1(rightGroups.length, found.size, truthSizes.size),
    pa: divide(textRight, parsed.length),
    fta: computeF1(rightTexts.length, found.size, truthSizes.size),
    groups: found.size,
    truthGroups: truthSizes.size,
  };
}

function computeF1(right: number, found: number, expected: number): number {
  return divide(2 * right, found + expected);
}

function divide(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}

function countBy(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
