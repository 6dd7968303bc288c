import type { Estimate } from "../../contract/chart.ts";
import type { Cell, Section } from "../../contract/view.ts";
import { frameOf } from "../../contract/frame-words.ts";
import { loadPageRenderer } from "../../print/viewer-build.ts";
import { playerNameOf } from "../../players/cast/cast-plan.ts";
import { createRandom } from "../../text/random.ts";
import { pairedBootstrap } from "../statistics/bootstrap.ts";
import type { LabPoint } from "./run-lab.ts";

/** What the lab found, for every output: a verdict for each kind of speaker, the table, accuracy over cost, and how beliefs moved. */
export function buildLabSections(points: readonly LabPoint[]): Section[] {
  const kinds = [...Map.groupBy(points, ({ speakers }) => playerNameOf({ kind: "synthetic", settings: speakers }))];
  return kinds.flatMap(([name, arms]): Section[] => [
    buildVerdict(name, arms),
    buildTable(arms),
    {
      kind: "chart",
      title: "Accuracy over cost",
      repeats: true,
      chart: {
        type: "cost",
        axes: { cost: "calls a case", quality: "accuracy" },
        points: arms.map(({ arm, control, calls, accuracy }) => ({
          name: arm,
          group: control ? "control" : "arm",
          cost: calls,
          quality: accuracy,
        })),
      },
    },
  ]);
}

/** Says whether the debate is better than the best control, over the same cases. */
function buildVerdict(name: string, arms: readonly LabPoint[]): Section {
  const title = `Was the debate worth it with ${name === "synthetic()" ? "speakers as they come" : name}?`;
  const best = arms.filter(({ control }) => control).toSorted((a, b) => b.accuracy.estimate - a.accuracy.estimate)[0];
  const debate = arms
    .filter(({ control }) => !control)
    .toSorted((a, b) => b.accuracy.estimate - a.accuracy.estimate)[0];
  if (!best || !debate)
    return { kind: "text", title, text: "There is nothing to compare: name a control and a debate." };
  const numbers = ({ right }: LabPoint) => right.map((one) => (one ? 1 : 0));
  const gain = pairedBootstrap(numbers(best), numbers(debate), { random: createRandom(1) });
  const won = gain.low > 0;
  const lost = gain.high < 0;
  const answer = won
    ? `Yes: ${debate.arm} beats ${best.arm} by ${percent(gain)}`
    : lost
      ? `No: ${best.arm} beats ${debate.arm} by ${percent({ estimate: -gain.estimate, low: -gain.high, high: -gain.low })}`
      : `Not shown: ${debate.arm} against ${best.arm} ${percent(gain)}`;
  const belief = `The share of speakers with the right answer moved by ${percent(debate.moved)} from the first round to the last.`;
  const cost = `${debate.arm} asks ${debate.calls.toFixed(1)} times a case, ${best.arm} ${best.calls.toFixed(1)} times.`;
  return { kind: "verdict", title, answer, tone: won ? "good" : lost ? "bad" : "neutral", points: [cost, belief] };
}

function buildTable(arms: readonly LabPoint[]): Section {
  return {
    kind: "table",
    title: "Arms",
    note: `${arms[0]?.cases ?? 0} questions; 95 % intervals by bootstrap over questions.`,
    columns: [
      "arm",
      { name: "right", numeric: true },
      { name: "calls", numeric: true },
      "right speakers, round by round",
    ],
    rows: arms.map(({ arm, control, accuracy, calls, beliefs }): Cell[] => [
      { text: arm, tag: control ? "control" : "arm" },
      percent(accuracy),
      calls.toFixed(1),
      beliefs.map(({ estimate }) => `${Math.round(100 * estimate)} %`).join(" → "),
    ]),
  };
}

function percent({ estimate, low, high }: Estimate): string {
  const write = (value: number) => (100 * value).toFixed(1);
  return `${write(estimate)} % [${write(low)}, ${write(high)}]`;
}

/** The lab's report as one HTML file. */
export async function writeLabPage(sections: readonly Section[]): Promise<string> {
  const { renderDocument } = await loadPageRenderer();
  return renderDocument({
    title: "When does a debate pay?",
    language: "en",
    from: "Parley · lab",
    intro: "Speakers of known quality on questions whose answer is known.",
    sections: [...sections],
    foot: "Made by Parley. This file needs no network; it can be sent and printed.",
    words: frameOf("en"),
  });
}
