import type { Cell, Section } from "../../../contract/view.ts";
import { isShare, formatRange, valueText } from "../../../text/number-text.ts";
import type { StudySummary } from "../../summary/summarise-study.ts";

/** The pack's corpus metrics (micro and macro scores, mapping, overrides) of each arm, with its warnings and tips. */
export function buildRatesSection(summary: StudySummary): Section[] {
  const names = [...new Set(summary.arms.flatMap((one) => Object.keys(one.rates)))];
  if (names.length === 0) return [];
  const differing = names.filter((name) => isDiffering(name, summary));
  const equal = names.filter((name) => !differing.includes(name));
  const folded: Section = {
    kind: "group",
    title: `${equal.length} more that are the same in all arms`,
    folded: true,
    sections: [rateTable(equal, summary)],
  };
  return [
    {
      kind: "group",
      title: `Corpus metrics of the ${summary.manifest.pack} pack`,
      id: "rates",
      sections: [
        ...warnings(summary),
        rateTable(differing.length > 0 ? differing : names, summary),
        ...(differing.length > 0 ? [folded] : []),
      ],
    },
  ];
}

function rateTable(names: string[], summary: StudySummary): Section {
  return {
    kind: "table",
    title: "",
    note: "Over all cases of an arm, with 95 % bootstrap intervals over cases.",
    columns: ["metric", ...summary.arms.map((one) => ({ name: one.arm.name, numeric: true }))],
    rows: names.map((name) => rowOf(name, summary)),
  };
}

/** Whether the arms differ in a metric, as far as a reader can see. */
function isDiffering(name: string, { arms }: StudySummary): boolean {
  return new Set(arms.map((one) => one.rates[name]?.estimate.toFixed(3))).size > 1;
}

/** One notice per metric and level, with every arm it is about. */
function warnings({ arms }: StudySummary): Section[] {
  const found = arms.flatMap((one) => one.warnings.map((warning) => ({ ...warning, arm: one.arm.name })));
  const groups = Map.groupBy(found, (one) => JSON.stringify([one.level, one.metric, one.tip]));
  return [...groups.values()].flatMap((group): Section[] => {
    const [first] = group;
    if (!first) return [];
    const where = group.map((one) => `${valueText(one.value, isShare([one.value]))} in ${one.arm}`).join(", ");
    const level = first.level === "high" ? "High" : "Warning";
    const text = `${level}: ${first.metric} is ${where}.\n${first.tip}`;
    return [{ kind: "text", title: "", text, tone: first.level === "high" ? "bad" : "warn" }];
  });
}

function rowOf(name: string, { arms }: StudySummary): Cell[] {
  const share = isShare(
    arms.flatMap((one) => (one.rates[name] ? [one.rates[name].estimate, one.rates[name].high] : [])),
  );
  return [
    name,
    ...arms.map((one): Cell => {
      const rate = one.rates[name];
      return rate ? { text: valueText(rate.estimate, share), note: formatRange(rate, share) } : "–";
    }),
  ];
}
