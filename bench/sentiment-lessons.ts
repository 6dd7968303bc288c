import { type LabelledText, type Lesson, makeLessons } from "../src/knowledge/opinions/index.ts";
import type { Label } from "../src/knowledge/opinions/index.ts";
import type { Dataset, Row } from "./sentiment-data.ts";

/** The lessons of a dataset, in its language. */
export function lessonsOf({ rows, lang }: Dataset): Lesson[] {
  return makeLessons(rows.map(toLabelledText), lang);
}

function toLabelledText({ text, aspects }: Row): LabelledText {
  return {
    text,
    aspects: aspects.map(({ term, from, to, category, polarity }) => ({
      span: term ? { start: from, end: to } : null,
      category: category ?? null,
      polarity: polarity as Label,
    })),
  };
}
