import type { Section } from "../../contract/view.ts";
import { shortenText } from "../../text/short-text.ts";
import type { Flip } from "../redecide/redecide.ts";
import { type Change, describeChange } from "./change.ts";
import { isDecisive, type Weighed, type Why } from "./explain-run.ts";

/** How many changes of a kind are shown; the rest are counted. */
const shownRows = 12;

/** What a decision hangs on, for every output. */
export function makeWhySections(why: Why): Section[] {
  return [...makeSaidSections(why), ...tabulate("Settings that would flip it", "one setting at a time", why.settings)];
}

/** What of all that was said a decision hangs on; settings apart. */
export function makeSaidSections(why: Why): Section[] {
  const decisive = why.turns.filter(isDecisive);
  const verdict: Section = {
    kind: "verdict",
    title: "What does the decision hang on?",
    answer: sayAnswer(why, decisive.length),
    tone: "neutral",
    points: sayPoints(why),
  };
  return [
    verdict,
    ...tabulate("Turns it hangs on", "if this turn were silent", decisive),
    ...tabulate("Claims, quotes and other parts it hangs on", "without this part", why.parts),
    ...tabulate("Scores that would flip it", "one score at a time, the nearest value", why.scores),
    ...(why.together ? [tellTogether(why.together)] : []),
  ];
}

function sayAnswer({ headline, turns }: Why, decisive: number): string {
  const what = Object.values(headline).join(" · ") || "the decision";
  if (decisive === 0) return `${what}: on no single turn of the ${turns.length}`;
  return `${what}: on ${decisive} of ${turns.length} turns, each by itself`;
}

function sayPoints({ turns, together, tried, untried, parts, scores, settings }: Why): string[] {
  const unknown = turns.filter(({ flips }) => flips === null).length;
  const alone = parts.length + scores.length + settings.length > 0 || turns.some(isDecisive);
  const points = [
    `The rules were run ${tried} times over the recorded turns; nobody was asked again: the other speakers repeat what they said.`,
  ];
  if (untried > 0) points.push(`${untried} more changes were left untried: the debate is too long to try them all.`);
  else if (unknown > 0)
    points.push(
      `${unknown} ${unknown === 1 ? "turn" : "turns"} cannot be left out: the debate would then need turns that were never held.`,
    );
  if (!alone && !together) points.push("No set of changes was found that flips it.");
  return points;
}

function tabulate(title: string, note: string, weighed: readonly Weighed[]): Section[] {
  if (weighed.length === 0) return [];
  const more = weighed.length - shownRows;
  return [
    {
      kind: "table",
      title,
      note: more > 0 ? `${note}; ${more} more are not shown here` : note,
      columns: ["change", "then"],
      rows: weighed.slice(0, shownRows).map(({ change, flips }) => [describeChange(change), sayFlips(flips ?? [])]),
    },
  ];
}

function tellTogether({ changes, flips, proven }: NonNullable<Why["together"]>): Section {
  return {
    kind: "list",
    title: `The smallest change that flips it: ${changes.length} together`,
    note: `${sayFlips(flips)}. ${proven ? "Every smaller set was tried and does not." : "None of them can be spared, but not every smaller set was tried."}`,
    items: changes.map((change: Change) => describeChange(change)),
  };
}

function sayFlips(flips: readonly Flip[]): string {
  return flips
    .map(({ name, before, after }) => `${name}: ${shortenText(before, 50)} → ${shortenText(after, 50)}`)
    .join("; ");
}
