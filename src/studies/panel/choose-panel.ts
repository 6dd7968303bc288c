import { applyJury } from "../../contract/jury.ts";
import { ParleyError } from "../../contract/error.ts";
import { measurePanel, type PanelMeasure, weighVotes } from "./measure-panel.ts";
import { countOnce, pickRows, requireNames, splitRows, type VoteRow } from "./votes.ts";

export type ChosenPanel = ReturnType<typeof choosePanel>;

const fewestRows = 100;

/** Picks a panel greedily on half of the cases, by what each member adds; the other half measures it. */
export function choosePanel(
  all: readonly VoteRow[],
  size: number,
  { mostCalls = null, among }: { mostCalls?: number | null; among?: readonly string[] } = {},
) {
  const rows = countOnce(all);
  if (rows.length < fewestRows)
    throw new ParleyError(
      "bad_input",
      `choosing a panel needs at least ${fewestRows} cases, and there are ${rows.length}`,
    );
  const parts = splitRows(rows, 2, 2);
  const train = rows.filter((_, i) => parts[i] === 0);
  const rest = rows.filter((_, i) => parts[i] === 1);
  const found = [...new Set(rows.flatMap(({ votes }) => Object.keys(votes)))].sort();
  requireNames(among ?? [], found);
  const names = among ?? found;
  if (!Number.isInteger(size) || size < 1)
    throw new ParleyError("bad_input", `--choose ${size}: give a whole number of members`);
  if (mostCalls !== null && mostCalls < 1)
    throw new ParleyError("bad_input", `--budget ${mostCalls}: a case takes at least one call`);
  if (size > names.length)
    throw new ParleyError("bad_input", `--choose ${size}: there are ${names.length} members to choose from`);
  const panel = growPanel(train, names, size);
  const best = rankByAccuracy(train, names).slice(0, size);
  const measure = measurePanel(pickRows(rest, panel), panel);
  return {
    panel,
    measure,
    best_by_accuracy: { panel: best, vote: measurePanel(pickRows(rest, best), best).vote },
    within_budget:
      mostCalls === null ? null : pickWithin(measurePanel(pickRows(train, panel), panel), measure, mostCalls),
  };
}

function growPanel(train: readonly VoteRow[], names: readonly string[], size: number): string[] {
  const panel: string[] = [];
  while (panel.length < size) {
    const gains = names
      .filter((name) => !panel.includes(name))
      .map((name) => ({ name, surprise: measureSurprise(train, [...panel, name]) }));
    panel.push(gains.reduce((best, one) => (one.surprise < best.surprise ? one : best)).name);
  }
  return panel;
}

/** The mean surprisal of the right answers under a panel's weighted vote; an answer that nobody gave is one of many. */
function measureSurprise(rows: readonly VoteRow[], panel: readonly string[]): number {
  const jury = { weights: weighVotes(rows, panel), none: { bias: 0, categories: {} } };
  const each = rows.map(({ votes, gold }) => {
    const ballot = { votes: panel.map((member) => ({ member, answer: votes[member] ?? null })) };
    return -Math.log(Math.max(0.01, applyJury(jury, ballot).shares[gold] ?? 0));
  });
  return each.reduce((sum, one) => sum + one, 0) / Math.max(1, each.length);
}

function rankByAccuracy(rows: readonly VoteRow[], names: readonly string[]): string[] {
  const right = new Map(names.map((name) => [name, rows.filter(({ votes, gold }) => votes[name] === gold).length]));
  return names.toSorted((a, b) => (right.get(b) ?? 0) - (right.get(a) ?? 0));
}

function pickWithin(seen: PanelMeasure, measured: PanelMeasure, mostCalls: number) {
  const allowed = seen.ways.filter(({ calls }) => calls <= mostCalls);
  const best = allowed.toSorted((a, b) => b.accuracy - a.accuracy || a.calls - b.calls)[0];
  return measured.ways.find(({ use }) => use === best?.use) ?? null;
}
