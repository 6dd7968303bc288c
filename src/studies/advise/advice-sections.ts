import type { Cell, Section } from "../../contract/view.ts";
import { formatCount } from "../../text/number-text.ts";
import type { Advice, Duel, PilotArm } from "./reach-advice.ts";

/** An advice in words and numbers; `whole` is how many cases the data set has. */
export function buildAdviceSections(advice: Advice, arms: readonly PilotArm[], whole: number): Section[] {
  return [
    {
      kind: "verdict",
      title: "Which arm for this data?",
      answer: sayAnswer(advice),
      tone: advice.answer === "debate" ? "good" : advice.answer === "control" ? "bad" : "neutral",
      points: listPoints(advice, arms, whole),
    },
    {
      kind: "table",
      title: "Arms of the pilot",
      note: `${formatCount(advice.cases, "case")}; the cost of all ${whole} is reckoned from them.`,
      columns: [
        "arm",
        { name: "right", numeric: true },
        { name: "calls a case", numeric: true },
        { name: "tokens a case", numeric: true },
        { name: `USD for ${whole}`, numeric: true },
      ],
      rows: arms.map((arm) => tabulateArm(arm, whole)),
    },
    {
      kind: "table",
      title: "Against each other",
      note: "Evidence of 20 or more would be a false alarm at most once in twenty pilots, however often one looks.",
      columns: [
        "arm",
        "against",
        { name: "gain", numeric: true },
        { name: "won, lost", numeric: true },
        { name: "evidence", numeric: true },
        "cases to settle it",
      ],
      rows: advice.duels.map(tabulateDuel),
    },
  ];
}

function sayAnswer({ use, answer }: Advice): string {
  if (answer === "debate") return `Use ${use}: it is shown to beat every control`;
  if (answer === "control") return `Use ${use}: the debate is shown to be worse`;
  return `Use ${use}: no gain of the debate is shown, and this is the cheapest that nothing beats`;
}

function listPoints({ detectable, cases, duels, answer }: Advice, arms: readonly PilotArm[], whole: number): string[] {
  const debates = new Set(arms.filter(({ control }) => !control).map(({ name }) => name));
  const open = duels.filter(({ arm, shown }) => debates.has(arm) && !shown);
  const best = open.toSorted((a, b) => (b.toSettle ?? 0) - (a.toSettle ?? 0))[0];
  const seen =
    detectable === null
      ? `With ${formatCount(cases, "case")} hardly any difference could be seen.`
      : `With ${formatCount(cases, "case")} a difference of about ${percent(detectable)} or more is likely to be seen.`;
  const settle =
    answer === "not_shown" && best?.toSettle
      ? [
          `If ${best.arm} is as much better than ${best.against} as it looked (${percent(best.gain.estimate)}), about ${best.toSettle} cases would settle it.`,
        ]
      : [];
  const debate = arms.find(({ control }) => !control);
  const cost = debate
    ? [
        `${debate.name} on all ${whole} cases: about ${Math.round(debate.cost.calls * whole)} calls, ${Math.round(debate.cost.tokens * whole)} tokens${debate.cost.usd > 0 ? `, ${(debate.cost.usd * whole).toFixed(2)} USD` : ""}.`,
      ]
    : [];
  return [seen, ...settle, ...cost];
}

function tabulateArm({ name, control, right, cost }: PilotArm, whole: number): Cell[] {
  const share = right.filter(Boolean).length / Math.max(1, right.length);
  return [
    { text: name, tag: control ? "control" : "reference" },
    percent(share),
    cost.calls.toFixed(1),
    String(Math.round(cost.tokens)),
    (cost.usd * whole).toFixed(2),
  ];
}

function tabulateDuel({ arm, against, gain, wins, losses, evidence, shown, toSettle }: Duel): Cell[] {
  const { estimate, low, high } = gain;
  return [
    arm,
    against,
    `${percent(estimate)} [${percent(low)}, ${percent(high)}]`,
    `${wins}, ${losses}`,
    { text: evidence >= 1_000 ? "over 1000" : evidence.toFixed(2), tone: shown ? "good" : "neutral" },
    shown ? "settled" : toSettle === null ? "no difference seen" : `about ${toSettle}`,
  ];
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}
