import { readVote } from "../tuples/votes.ts";
import type { Label, PatchTurn } from "../../schemas/debate.ts";
import type { Polarity } from "../../schemas/stage1.ts";
import { sortByPlace } from "../tuples/text-order.ts";
import { keepOwnVoices } from "../tuples/own-voices.ts";
import type { Move } from "./moves.ts";

/** Why an addition is accepted; null when it is not. */
export type AdditionReason = "added_by_all_speakers" | "added_by_enough_speakers" | "added_stage1_found_nothing" | null;

/** A tuple that might be added. */
export type Candidate = { aspect: string; polarity: Polarity };

/** Says whether an addition is accepted, and why. */
export type AdditionRule = (aspect: string, polarity: Polarity) => AdditionReason;

/** Counts the speakers whose last word on an aspect, under any of its names, is this polarity; a repeated turn is no voice of its own. */
export function countAgreeing(
  turns: readonly PatchTurn[],
  moves: readonly Move[],
  { aspect, polarity }: Candidate,
): number {
  const names = new Set([aspect, ...moves.filter((move) => move.to === aspect).map((move) => move.from)]);
  const voices = keepOwnVoices(turns);
  const speakers = [...new Set(voices.map((turn) => turn.speaker))];
  return speakers.filter((speaker) => findLastWord(voices, speaker, names) === polarity).length;
}

/** The rule on additions (sentiment spec §6a, step 5): enough speakers whose last word is this polarity, or a silent Stage 1. */
export function createAdditionRule(input: {
  turns: readonly PatchTurn[];
  moves: readonly Move[];
  minSpeakers: number | null;
  /** The judge's word on the whole text. */
  sentence: Label | null;
  /** What the judge would add to a Stage 1 that found nothing, in its order, and how many of it may be added; null otherwise. */
  whenEmpty: { candidates: readonly Candidate[]; most: number } | null;
  /** Terms that are no aspects of their own. */
  denied: ReadonlySet<string>;
}): AdditionRule {
  const speakers = new Set(input.turns.map((turn) => turn.speaker)).size;
  const count = (candidate: Candidate) => countAgreeing(input.turns, input.moves, candidate);
  const chosen = input.whenEmpty?.candidates
    .filter((one) => !input.denied.has(one.aspect))
    .toSorted((a, b) => count(b) - count(a))
    .slice(0, input.whenEmpty.most);
  return (aspect, polarity) => {
    if (input.denied.has(aspect)) return null;
    if (chosen)
      return chosen.some((one) => one.aspect === aspect && one.polarity === polarity)
        ? "added_stage1_found_nothing"
        : null;
    if (speakers === 0) return null;
    const agreeing = count({ aspect, polarity });
    if (agreeing === speakers) return "added_by_all_speakers";
    const voices = agreeing + (agreeing > 0 && polarity === input.sentence ? 1 : 0);
    return input.minSpeakers !== null && voices >= input.minSpeakers ? "added_by_enough_speakers" : null;
  };
}

/**
 * What might stand for the whole text, the likeliest first (sentiment spec §6a, step 5): what agrees with the judge's word on
 * the text; in a text of two minds what comes last, because the end of a contrast concludes; otherwise the judge's order.
 */
export function orderCandidates(text: string, candidates: readonly Candidate[], sentence: Label | null): Candidate[] {
  if (sentence === "mixed") return sortByPlace(text, candidates, ({ aspect }) => aspect).toReversed();
  return candidates.toSorted((a, b) => Number(b.polarity === sentence) - Number(a.polarity === sentence));
}

/** A speaker's last vote on an aspect: a polarity, its removal, or nothing. */
function findLastWord(turns: readonly PatchTurn[], speaker: string, names: Set<string>): Polarity | "removal" | null {
  const votes = turns
    .filter((turn) => turn.speaker === speaker)
    .flatMap((turn) => turn.proposed_edits)
    .filter((edit) => names.has(edit.target.aspect_ref))
    .map(readVote)
    .filter((vote) => vote.polarity !== null || vote.removal);
  const last = votes.at(-1);
  return last?.removal ? "removal" : (last?.polarity ?? null);
}
