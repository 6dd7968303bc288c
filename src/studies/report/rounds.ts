import type { Cell, Section } from "../../contract/view.ts";
import { formatCount, countText, formatSigned, valueText } from "../../text/number-text.ts";
import type { FlipRow } from "../summary/ledger.ts";
import type { ArmSummary } from "../summary/summarise-arm.ts";
import type { StudySummary } from "../summary/summarise-study.ts";
import { buildFrontier, sayTest, sayWorth } from "../panel/panel-sections.ts";
import type { RunSets } from "./details.ts";

/** The flip ledger: who changed to right and to wrong, conformity and its cost, votes per round, how alike the players err. */
export function buildFlipsSection(summary: StudySummary, runs: RunSets): Section[] {
  const [reference, ...others] = summary.arms;
  if (!reference || (reference.flips.length === 0 && reference.votes.length === 0)) return [];
  const also = others.filter((one) => one.flips.length > 0 && one.callsSaved === 0);
  const same: Section = {
    kind: "group",
    title: `The same for ${also.map((one) => one.arm.name).join(", ")}`,
    folded: true,
    sections: also.map((one) => ({ kind: "group", title: one.arm.name, sections: armFlips(one, runs) })),
  };
  return [
    { kind: "group", title: "What the rounds changed", id: "flips", sections: [...armFlips(reference, runs), same] },
  ];
}

function armFlips(one: ArmSummary, runs: RunSets): Section[] {
  const { flips: rows } = one;
  return [
    { kind: "text", title: "", text: explainVotes(one) },
    ledgerTable(one, runs),
    { kind: "text", title: "", text: explainConformity(rows) },
    ...buildErrorSections(one),
  ];
}

type Counts = { [K in keyof FlipRow]: FlipRow[K] extends number ? K : never }[keyof FlipRow];

function addUp(rows: FlipRow[], key: Counts): number {
  return rows.reduce((sum, row) => sum + row[key], 0);
}

function explainVotes({ votes: rounds, arm, right }: ArmSummary): string {
  const [first] = rounds;
  if (!first) return "";
  const parts = rounds.map(
    ({ round, right: count, items }) => `after round ${round} ${valueText(count / Math.max(1, items))}`,
  );
  const decided =
    right !== null && first.items === right.cases ? `; the decision is right in ${valueText(right.estimate)}` : "";
  return `Had the speakers of ${arm.name} simply voted, the vote would have been right: ${parts.join(", ")}${decided}. (${formatCount(first.items, "position")}; a tied vote counts in part.)`;
}

function ledgerTable({ arm, flips: rows }: ArmSummary, runs: RunSets): Section {
  const numeric = (name: string, hint?: string) => ({ name, numeric: true, hint });
  const linked = (own: string[], title: string): Cell => {
    const wanted = new Set(own);
    const set = runs.refer(
      title,
      (card) => card.arm === arm.name && wanted.has(card.run_id ?? `${card.case_id}#${card.seed}`),
    );
    return { text: countText(own.length), runs: set };
  };
  return {
    kind: "table",
    title: "",
    note: `Flip ledger of ${arm.name}, against gold.`,
    columns: [
      "role",
      numeric("into round"),
      numeric("wrong → right"),
      numeric("right → wrong"),
      numeric("wrong → wrong"),
      numeric("kept right"),
      numeric("kept wrong"),
      numeric("against majority"),
      numeric("gave in", "went over to the majority of the round before"),
    ],
    rows: rows.map((row) => [
      row.entered ? { text: row.role, note: "from where the others stood" } : row.role,
      countText(row.round),
      linked(row.fixed_runs, `${arm.name}: ${row.role} went from wrong to right in round ${row.round}`),
      linked(row.broken_runs, `${arm.name}: ${row.role} went from right to wrong in round ${row.round}`),
      ...[row.wrong_to_wrong, row.kept_right, row.kept_wrong, row.against_majority, row.conformed].map(countText),
    ]),
  };
}

function explainConformity(rows: FlipRow[]): string {
  const [against, gave] = [addUp(rows, "against_majority"), addUp(rows, "conformed")];
  const [helped, harmed] = [addUp(rows, "conformed_wrong_to_right"), addUp(rows, "conformed_right_to_wrong")];
  if (against === 0) return "";
  const came = harmed > helped ? `cost ${countText(harmed - helped)}` : `gained ${countText(helped - harmed)}`;
  return `Conformity: ${formatCount(against, "time")} a speaker stood against the majority and ${formatCount(gave, "time")} it gave in (${valueText(gave / against)}). Giving in corrected ${countText(helped)} and spoiled ${countText(harmed)}: it ${came} right positions.`;
}

function buildErrorSections({ errors: pairs }: ArmSummary): Section[] {
  const alike = pairs.filter((pair) => (pair.correlation ?? 0) > 0.8);
  const names = alike.map((pair) => `${pair.first} and ${pair.second}`).join(", ");
  const warning: Section = {
    kind: "text",
    title: "",
    tone: "warn",
    text: `${names} err almost as one: a debate between them adds cost, not views. Cast different models, or roles that look at different evidence.`,
  };
  return [buildErrorTable(pairs), ...(alike.length > 0 ? [warning] : [])];
}

function buildErrorTable(pairs: ArmSummary["errors"]): Section {
  const numeric = (name: string, hint?: string) => ({ name, numeric: true, hint });
  return {
    kind: "table",
    title: "",
    note: "How alike the speakers err in their first words.",
    columns: [
      "first",
      "second",
      numeric("positions"),
      numeric("error correlation", "phi of being wrong in the first word; 1 means they err as one"),
      numeric("both wrong"),
      numeric("both wrong by chance"),
    ],
    rows: pairs.map((pair) => [
      pair.first,
      pair.second,
      countText(pair.items),
      pair.correlation === null ? "–" : formatSigned(pair.correlation),
      valueText(pair.bothWrong),
      valueText(pair.bothWrongByChance),
    ]),
  };
}

/** What the speakers of each arm are worth as a panel, and what no debate or vote among them can pass. */
export function buildPanelsSection({ arms }: StudySummary): Section[] {
  const found = arms.flatMap(({ arm, panel, right }) => (panel ? [{ arm: arm.name, panel, right }] : []));
  const [first] = found;
  if (!first) return [];
  const numeric = (name: string, hint?: string) => ({ name, numeric: true, hint });
  return [
    {
      kind: "group",
      title: "What the speakers are worth as a panel",
      id: "panels",
      sections: [
        {
          kind: "table",
          title: "",
          note: "From their first words, before anyone heard another. The ceiling is the share of items on which at least one is right.",
          columns: [
            "arm",
            numeric("items"),
            numeric("best single", "picked on a part, measured on the rest"),
            numeric("vote"),
            numeric("stop at two"),
            numeric("decided", "what the arm itself decided rightly"),
            numeric("all wrong (β)", "under it the exact upper bound"),
            numeric("ceiling"),
            numeric("independent votes"),
          ],
          rows: found.map(({ arm, panel, right }): Cell[] => [
            arm,
            countText(panel.n),
            { text: valueText(panel.best_single_held_out.accuracy), note: panel.best_single_held_out.member },
            valueText(panel.vote),
            { text: valueText(panel.stop_at_two.accuracy), note: `${panel.stop_at_two.calls.toFixed(1)} calls` },
            valueText(right?.estimate),
            { text: valueText(panel.beta), note: `≤ ${valueText(panel.beta_upper)}` },
            valueText(panel.ceiling),
            panel.n_eff === null ? "–" : `${panel.n_eff.toFixed(1)} of ${panel.members.length}`,
          ]),
        },
        { kind: "text", title: "", text: `${first.arm}: ${sayWorth(first.panel)}` },
        ...arms.flatMap(sayAfterSplit),
        buildFrontier(first.panel),
      ],
    },
  ];
}

/** Whoever decides after the openings, by talk or as a judge, is checked against their plain vote before being believed. */
function sayAfterSplit({ arm, afterSplit }: ArmSummary): Section[] {
  if (!afterSplit) return [];
  const isShown = afterSplit.p < 0.05 && afterSplit.difference.estimate > 0;
  const text = `${arm.name}, where the first words differ: what was decided afterwards against their vote: ${sayTest(afterSplit)}. ${isShown ? "What follows the openings earns its place." : "That what follows the openings decides better than their vote is not shown: do not believe it over the vote."}`;
  return [{ kind: "text", title: "", text, tone: isShown ? "good" : "warn" }];
}
