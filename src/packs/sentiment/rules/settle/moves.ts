import { findMoveTarget } from "../tuples/votes.ts";
import type { PatchSummary, PatchTurn } from "../../schemas/debate.ts";
import type { Sentiment } from "../../schemas/stage1.ts";
import type { ReviewContext } from "../../schemas/stage2.ts";
import { keepStated } from "../tuples/stated.ts";
import type { AspectMatcher } from "../tuples/aspect-matcher.ts";

/** A sentiment goes from one term to another. */
export type Move = { from: string; to: string };

/** The renames and merges that the judge's patch or tuples confirm (sentiment spec §6a, step 1). */
export function findConfirmedMoves(summary: PatchSummary, turns: readonly PatchTurn[], matcher: AspectMatcher): Move[] {
  const toMoves = (edits: Parameters<typeof findMoveTarget>[0][]): Move[] =>
    edits.flatMap((edit) => {
      const to = findMoveTarget(edit, matcher);
      return to === null || to === "" || to === edit.target.aspect_ref ? [] : [{ from: edit.target.aspect_ref, to }];
    });
  const judged = toMoves(summary.final_patch);
  const named = new Set(summary.final_tuples.map((tuple) => tuple.aspect_ref));
  const isConfirmed = ({ from, to }: Move) =>
    !named.has(from) && (named.has(to) || judged.some((move) => move.from === from && move.to === to));
  const moves: Move[] = [];
  for (const move of [...toMoves(turns.flatMap((turn) => turn.proposed_edits)), ...judged]) {
    const known = moves.some(({ from, to }) => from === move.from || from === move.to || to === move.from);
    if (!known && isConfirmed(move)) moves.push(move);
  }
  return moves;
}

/** The terms that the judge's patch renames an aspect to while its tuples still name the old one: no aspects of their own. */
export function findDeniedNames(summary: PatchSummary, matcher: AspectMatcher): Set<string> {
  const named = new Set(summary.final_tuples.map((tuple) => tuple.aspect_ref));
  const denied = summary.final_patch
    .filter((edit) => edit.op === "set_aspect_ref" && named.has(edit.target.aspect_ref))
    .flatMap((edit) => findMoveTarget(edit, matcher) ?? []);
  return new Set(denied.filter((term) => !matcher.terms.includes(term)));
}

/** Carries out the moves on a list; an aspect that received a sentiment keeps one of each polarity. */
export function moveSentiments(sentiments: readonly Sentiment[], moves: readonly Move[]): Sentiment[] {
  const targets = new Set(moves.map((move) => move.to));
  const moved = sentiments.map((sentiment) => {
    const move = moves.find(({ from }) => from === sentiment.aspect_ref);
    return move ? { ...sentiment, aspect_ref: move.to, is_implicit: false } : sentiment;
  });
  return moved.filter((sentiment, at) => {
    if (!targets.has(sentiment.aspect_ref)) return true;
    const rivals = moved.filter((other) => other.aspect_ref === sentiment.aspect_ref);
    if (sentiment.polarity === null) return keepStated(rivals).length === 0;
    const same = rivals.filter((other) => other.polarity === sentiment.polarity);
    const best = same.reduce((a, b) => (b.confidence > a.confidence ? b : a));
    return moved.indexOf(best) === at;
  });
}

/** Votes on an aspect that was renamed or merged are votes on what it became. */
export function moveVotes(context: ReviewContext, moves: readonly Move[]): ReviewContext {
  if (moves.length === 0) return context;
  const hints = new Map(Object.entries(context.aspect_hints));
  const invalid = new Map(Object.entries(context.invalid_hint_count));
  for (const { from, to } of moves) {
    const moved = hints.get(from);
    if (moved === undefined) continue;
    hints.set(to, [...(hints.get(to) ?? []), ...moved]);
    invalid.set(to, (invalid.get(to) ?? 0) + (invalid.get(from) ?? 0));
    hints.delete(from);
    invalid.delete(from);
  }
  return { ...context, aspect_hints: Object.fromEntries(hints), invalid_hint_count: Object.fromEntries(invalid) };
}
