import type { DebateContext } from "../../schemas/role-inputs.ts";
import {
  type AspectView,
  type LanguageCode,
  type Opinion,
  judgeByStructure,
} from "../../../../knowledge/opinions/index.ts";
import { viewDebate } from "../patch/debate-views.ts";

/** What a stance argues for. */
export type Side = "positive" | "negative" | "neutral";

/** An aspect with the words that speak for a side, and how much speaks for and against it. */
export type Point = { aspect: string; quotes: string[]; strength: number; against: number };

export function sideOf(stance: string | undefined): Side {
  const word = (stance ?? "").trim().toLowerCase();
  return word === "pro" ? "positive" : word === "con" ? "negative" : "neutral";
}

/** The points of a side, the strongest first: only aspects of which some words of the text really say so. */
export function listPoints(
  text: string,
  language: LanguageCode,
  context: DebateContext,
  side: "positive" | "negative",
): Point[] {
  const sign = side === "positive" ? 1 : -1;
  const points = viewDebate(text, language, context).map((view) => toPoint(text, view, sign));
  return points.filter((point) => point.quotes.length > 0).sort((a, b) => b.strength - a.strength);
}

function toPoint(text: string, view: AspectView, sign: number): Point {
  const nearby = view.scoped.opinions.length === 0 && judgeByStructure(view) !== "neutral" ? view.near.opinions : [];
  const opinions = [...view.scoped.opinions, ...nearby];
  const sum = (list: readonly Opinion[]) => list.reduce((total, opinion) => total + Math.abs(opinion.value), 0);
  const own = opinions.filter((opinion) => opinion.value * sign > 0);
  const quotes = own
    .map((opinion) => text.slice(opinion.span.start, opinion.span.end))
    .filter((quote) => quote.length >= 2);
  const against = sum(opinions.filter((opinion) => opinion.value * sign < 0));
  return { aspect: view.term, quotes, strength: sum(own), against };
}

/** The aspects that the text names without judging them, or rates as average. */
export function listUnjudged(text: string, language: LanguageCode, context: DebateContext): string[] {
  return viewDebate(text, language, context)
    .filter((view) => view.term !== "" && judgeByStructure(view) === "neutral")
    .map((view) => view.term);
}
