import type { Contested } from "../contract/api/reviews.ts";
import type { Section, SectionOf } from "../contract/view.ts";
import { type Difference, formatDifference } from "../text/json.ts";
import type { RunDiff, TurnChange } from "./diff-runs.ts";
import { type Flip, formatRuleChanges, type Redecided, type RuleChange } from "./redecide.ts";

const mostShown = 20;

/** How two runs differ: what was decided, then from the first turn to the last. */
export function buildDiffSections({ headline, start, turns, rules, end }: RunDiff): Section[] {
  const parts = turns.map((turn, at) => describeTurn(turn, at === 0));
  return [
    buildFlips("What was decided", headline),
    listDifferences("Settings at the start", start),
    { kind: "group", title: "Turns that differ", sections: parts },
    listRules(rules),
    listDifferences("Differences in the result", end),
  ];
}

/** What other settings make of a recorded run. */
export function buildRedecidedSections(run: string, redecided: Redecided): Section[] {
  const { config, outcome, headline, decision, rules, settled } = redecided;
  const unchanged = `as recorded; \`parley show ${run} --why\` lists settings that would change the decision`;
  const note = "A person settled this run; this compares with what the rules had decided before.";
  return [
    {
      ...buildFlips(`Run ${run}, decided again without calling a model`, [
        { name: "outcome", ...outcome },
        ...headline,
      ]),
      ...(settled && { note }),
    },
    listDifferences("Settings", config, unchanged),
    listRules(rules),
    listDifferences("Changes in the decision", decision, "nothing"),
  ];
}

/** What a challenge concerns, who was asked again, and what became of the decision. */
export function buildContestSections({ touches, changed, why }: Contested): Section[] {
  const { claims, quotes, rules, turns } = touches;
  const items = [
    ...claims.map(({ name, turn, text }) => `${name} (${turn}): ${text}`),
    ...quotes.map(({ source, quote }) => `quote from ${source}: ${quote}`),
    ...rules.map((rule) => `rule ${rule}`),
    ...(claims.length === 0 ? turns : []),
  ];
  const [answer = "", points] = [why.at(-1), why.slice(0, -1)];
  return [
    { kind: "verdict", title: "", answer, tone: changed === false ? "neutral" : "warn", points },
    { kind: "list", title: "It concerns", items },
  ];
}

function buildFlips(title: string, flips: readonly Flip[]): SectionOf<"facts"> {
  const rows = flips.map(({ name, before, after }) =>
    before === after
      ? { label: name, value: `${after} (as before)` }
      : { label: name, value: `${before} → ${after}`, tone: "warn" as const },
  );
  return { kind: "facts", title, rows };
}

function listDifferences(title: string, differences: readonly Difference[], none = ""): Section {
  if (differences.length === 0) return { kind: "text", title, text: none };
  const items = differences.slice(0, mostShown).map(formatDifference);
  const more = differences.length - items.length;
  return { kind: "list", title, items, ...(more > 0 && { note: `… and ${more} more values; --json shows all` }) };
}

const changeWords: Record<TurnChange["change"], string> = {
  only_in_first: "only in first",
  only_in_second: "only in second",
  prompt: "was asked something else",
  reply: "answered differently",
  status: "ended differently",
};

function describeTurn({ turn, change, prompt, reply }: TurnChange, isFirst: boolean): Section {
  return {
    kind: "group",
    title: isFirst ? `${turn} · the runs diverge here` : turn,
    folded: !isFirst,
    sections: [
      { kind: "text", title: "", text: changeWords[change] },
      { kind: "code", title: "", text: prompt ?? "" },
      { kind: "list", title: "", items: reply.slice(0, mostShown).map(formatDifference) },
    ],
  };
}

function listRules(rules: readonly RuleChange[]): Section {
  return { kind: "list", title: "Rules that decided differently", items: formatRuleChanges(rules) };
}
