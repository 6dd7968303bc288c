import type { Cell, Section } from "../../contract/view.ts";
import { countText, formatCount, valueText } from "../../text/format.ts";
import { buildFrontier, sayTest, sayWorth } from "../panel/panel-sections.ts";
import { type ArmSummary, nameRun } from "../summary/summarise-arm.ts";
import type { StudySummary } from "../summary/summarise-study.ts";
import type { RunSets } from "./details.ts";
import { numeric } from "./overview.ts";

/** The flip ledger of the reference: who changed to right and to wrong, and who only followed the majority. */
export function buildFlipsSection({ arms: [reference] }: StudySummary, runs: RunSets): Section[] {
  if (!reference || reference.flips.length === 0) return [];
  const { arm, flips } = reference;
  const linked = (own: string[], title: string): Cell => {
    const wanted = new Set(own);
    const set = runs.refer(title, (card) => card.arm === arm.name && wanted.has(nameRun(card)));
    return { text: countText(own.length), runs: set };
  };
  return [
    {
      kind: "group",
      title: "What the rounds changed",
      id: "flips",
      sections: [
        {
          kind: "table",
          title: "",
          note: `Flip ledger of ${arm.name}, against gold.`,
          columns: [
            "role",
            numeric("into round"),
            numeric("wrong → right"),
            numeric("right → wrong"),
            numeric("gave in", "went over to the majority of the round before"),
            numeric("and was wrong then"),
          ],
          rows: flips.map((row) => [
            row.role,
            countText(row.round),
            linked(row.fixed_runs, `${arm.name}: ${row.role} went from wrong to right in round ${row.round}`),
            linked(row.broken_runs, `${arm.name}: ${row.role} went from right to wrong in round ${row.round}`),
            countText(row.conformed),
            countText(row.conformed_right_to_wrong),
          ]),
        },
      ],
    },
  ];
}

/** What the speakers of each arm are worth as a panel, and what no debate or vote among them can pass. */
export function buildPanelsSection({ arms }: StudySummary): Section[] {
  const found = arms.flatMap(({ arm, panel, right }) => (panel ? [{ arm: arm.name, panel, right }] : []));
  const [first] = found;
  if (!first) return [];
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
            panel.n_eff === null ? "–" : `${panel.n_eff.toFixed(1)} of ${formatCount(panel.members.length, "speaker")}`,
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
