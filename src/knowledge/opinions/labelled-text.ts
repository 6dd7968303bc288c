import { createHash } from "node:crypto";
import { readCategory } from "./category-reading.ts";
import type { LanguageCode } from "./language/language.ts";
import type { TextExample } from "./learnt/cross-validate.ts";
import type { Label } from "./learnt/fit.ts";
import { readerOf } from "./reader.ts";
import type { Polarity, Span } from "./reading/reading.ts";

/** An aspect with its right polarity; without a place it is the text as a whole, or a category of it. */
export type LabelledAspect = { span: Span | null; category: string | null; polarity: Label };

/** A text whose aspects someone labelled. */
export type LabelledText = { text: string; aspects: LabelledAspect[] };

/** A labelled aspect as a layer is taught it, alone or with others of its text, beside what the rules say of it. */
export type Lesson = TextExample & { implicit: boolean; lone: boolean; near: Polarity; scoped: Polarity };

/** Makes the lessons of labelled texts. */
export function makeLessons(texts: readonly LabelledText[], language: LanguageCode): Lesson[] {
  return texts.flatMap((labelled) => [...teachNamed(labelled, language), ...teachImplicit(labelled, language)]);
}

function teachNamed({ text, aspects }: LabelledText, language: LanguageCode): Lesson[] {
  const named = aspects.flatMap(({ span, polarity }) => (span === null ? [] : [{ span, polarity }]));
  if (named.length === 0) return [];
  const reader = readerOf(language);
  const spans = named.map(({ span }) => span);
  const [features, near, scoped] = [reader.describe(text, spans), reader.near(text, spans), reader.scoped(text, spans)];
  return named.flatMap(({ polarity }, index) => {
    const own = features[index];
    if (own === undefined) return [];
    const said = { near: near[index]?.polarity ?? "neutral", scoped: scoped[index]?.polarity ?? "neutral" } as const;
    return [{ text, features: own, label: polarity, weight: 1, implicit: false, lone: named.length === 1, ...said }];
  });
}

function teachImplicit({ text, aspects }: LabelledText, language: LanguageCode): Lesson[] {
  const implicit = aspects.filter(({ span }) => span === null);
  return implicit.map(({ category, polarity }) => {
    const whole = readerOf(language).overall(text);
    const scoped = (category === null ? null : readCategory(text, language, category)) ?? whole;
    const features = readerOf(language).describeWhole(text, category, scoped);
    const said = { near: whole.polarity ?? "neutral", scoped: scoped.polarity ?? "neutral" } as const;
    return { text, features, label: polarity, weight: 1, implicit: true, lone: false, ...said };
  });
}

/** The short digest by which a layer knows a text that it was fitted on. */
export function digestText(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
