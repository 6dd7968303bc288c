import type { PromptLanguage } from "../../contract/prompt.ts";
import type { Section } from "../../contract/view.ts";
import { shortenText } from "../../text/short-text.ts";
import type { Flip } from "../redecide/redecide.ts";
import { type Change, describeChange } from "./change.ts";
import { isDecisive, type Weighed, type Why } from "./explain-run.ts";
import { type WhyWords, whyWords } from "./why-words.ts";

/** How much of the verdict is said again; it stands above, whole. */
const shownVerdict = 80;
/** How many changes of a kind are shown; the rest are counted. */
const shownRows = 12;

/** What a decision hangs on, for every output. */
export function makeWhySections(why: Why, language: PromptLanguage = "en"): Section[] {
  return [...makeSaidSections(why, language), ...tabulate(whyWords[language], "settings", why.settings)];
}

/** What of all that was said a decision hangs on; settings apart. */
export function makeSaidSections(why: Why, language: PromptLanguage = "en"): Section[] {
  const words = whyWords[language];
  const decisive = why.turns.filter(isDecisive);
  const verdict: Section = {
    kind: "verdict",
    title: words.question,
    answer: sayAnswer(why, decisive.length, words),
    tone: "neutral",
    points: sayPoints(why, words),
  };
  return [
    verdict,
    ...tabulate(words, "turns", decisive),
    ...tabulate(words, "parts", why.parts),
    ...tabulate(words, "scores", why.scores),
    ...(why.together ? [tellTogether(why.together, words)] : []),
  ];
}

function sayAnswer({ headline, turns }: Why, decisive: number, words: WhyWords): string {
  const what = shortenText(Object.values(headline).join(" · "), shownVerdict) || words.decision;
  return `${what}: ${decisive === 0 ? words.onNone(turns.length) : words.onSome(decisive, turns.length)}`;
}

function sayPoints({ turns, together, tried, untried, parts, scores, settings }: Why, words: WhyWords): string[] {
  const unknown = turns.filter(({ flips }) => flips === null).length;
  const alone = parts.length + scores.length + settings.length > 0 || turns.some(isDecisive);
  const points = [words.tried(tried)];
  if (untried > 0) points.push(words.untried(untried));
  else if (unknown > 0) points.push(words.needed(unknown));
  if (!alone && !together) points.push(words.noSet);
  return points;
}

type Kind = "turns" | "parts" | "scores" | "settings";

function tabulate(words: WhyWords, kind: Kind, weighed: readonly Weighed[]): Section[] {
  if (weighed.length === 0) return [];
  const [title, note] = words[kind];
  const more = weighed.length - shownRows;
  return [
    {
      kind: "table",
      title,
      note: more > 0 ? `${note}; ${words.more(more)}` : note,
      columns: [...words.columns],
      rows: weighed
        .slice(0, shownRows)
        .map(({ change, flips }) => [describeChange(change, words), sayFlips(flips ?? [])]),
    },
  ];
}

function tellTogether({ changes, flips, proven }: NonNullable<Why["together"]>, words: WhyWords): Section {
  return {
    kind: "list",
    title: words.together(changes.length),
    note: `${sayFlips(flips)}. ${proven ? words.proven : words.unproven}`,
    items: changes.map((change: Change) => describeChange(change, words)),
  };
}

function sayFlips(flips: readonly Flip[]): string {
  return flips
    .map(({ name, before, after }) => `${name}: ${shortenText(before, 50)} → ${shortenText(after, 50)}`)
    .join("; ");
}
