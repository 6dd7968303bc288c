import {
  type Answer,
  digestText,
  judgeShares,
  type Layer,
  type Learnt,
  type Lesson,
  measureAnswers,
  weighFeatures,
} from "../../knowledge/opinions/index.ts";
import { bootstrapStatistics } from "../../studies/statistics/bootstrap.ts";
import type { Interval } from "../../studies/statistics/interval.ts";
import { createRandom } from "../../text/random.ts";

/** One way to answer the labelled aspects, and how often it is right. */
export type Contender = { name: string; accuracy: Interval; macroF1: number; aspects: number };

/** What the rules, the layer in use and the new layer say of the same labelled aspects. */
export type Comparison = {
  contenders: Contender[];
  /** The new layer against what it would take the place of, on aspects that neither was fitted on. */
  gain: { over: string; difference: Interval; aspects: number };
};

type Rival = { name: string; layer: Layer | null };
type Entry = { text: string; answer: Answer };

/** Compares a new layer, by cross-validation, with the rules and with the layer in use, on texts that this one has not seen. */
export function compareLayers(lessons: readonly Lesson[], { answers }: Learnt, rival: Rival): Comparison {
  const enter = (said: (lesson: Lesson, index: number) => Answer): Entry[] =>
    lessons.map((lesson, index) => ({ text: lesson.text, answer: said(lesson, index) }));
  const near = enter((lesson) => answerByRule(lesson, lesson.near));
  const scoped = enter((lesson) => answerByRule(lesson, lesson.scoped));
  const learnt = enter((_, index) => answers[index] as Answer);
  const { layer } = rival;
  const fresh = (entry: Entry) => layer === null || !layer.seen.has(digestText(entry.text));
  const held = layer && enter((lesson) => judgeShares(weighFeatures(layer, lesson.features), lesson.label));
  const rules = countRight(scoped) >= countRight(near) ? scoped : near;
  const before = (held ?? rules).filter(fresh);
  return {
    contenders: [
      describe("rules, nearest opinions", near),
      describe("rules, by structure", scoped),
      ...(held ? [describe(rival.name, held.filter(fresh))] : []),
      describe("learnt here, by cross-validation", learnt),
    ],
    gain: {
      over: held ? rival.name : "the rules",
      difference: estimateDifference(before, learnt.filter(fresh)),
      aspects: before.length,
    },
  };
}

function answerByRule({ label }: Lesson, said: Answer["said"]): Answer {
  return { label, said, confidence: 1, right: said === label };
}

function countRight(entries: readonly Entry[]): number {
  return entries.filter(({ answer }) => answer.right).length;
}

function describe(name: string, entries: readonly Entry[]): Contender {
  const { macro_f1 } = measureAnswers(entries.map(({ answer }) => answer));
  const { accuracy = { estimate: 0, low: 0, high: 0 } } = estimate([entries], ([own = 0]) => own);
  return { name, accuracy, macroF1: macro_f1, aspects: entries.length };
}

function estimateDifference(before: readonly Entry[], after: readonly Entry[]): Interval {
  const { accuracy } = estimate([before, after], ([old = 0, own = 0]) => own - old);
  return accuracy ?? { estimate: 0, low: 0, high: 0 };
}

/** Texts are drawn anew, with all their aspects: those of one text are not independent. */
function estimate(lists: readonly (readonly Entry[])[], combine: (accuracies: number[]) => number) {
  const texts = [...new Set(lists[0]?.map((entry) => entry.text))];
  const tallies = lists.map((entries) => {
    const byText = Map.groupBy(entries, (entry) => entry.text);
    return texts.map((text) => ({ right: countRight(byText.get(text) ?? []), all: byText.get(text)?.length ?? 0 }));
  });
  const accuracyOf = (tally: (typeof tallies)[number], drawn: Int32Array) => {
    let [right, all] = [0, 0];
    for (const at of drawn) {
      right += tally[at]?.right ?? 0;
      all += tally[at]?.all ?? 0;
    }
    return all === 0 ? 0 : right / all;
  };
  return bootstrapStatistics(
    texts.length,
    (drawn) => ({ accuracy: combine(tallies.map((tally) => accuracyOf(tally, drawn))) }),
    { random: createRandom(1) },
  );
}
