import { encodeCanonicalJson } from "../../../../engine/hash.ts";
import type { PatchTurn } from "../../schemas/debate.ts";

/**
 * The turns of a debate that are voices of their own (sentiment spec §4): each speaker has heard those before it, so one who
 * says the same again, or word for word what another said, quotes and confidences included, adds no support. Votes without
 * either may well agree by themselves; so may openings that nobody heard (the `vote` protocol), which all count.
 */
export function keepOwnVoices(turns: readonly PatchTurn[]): PatchTurn[] {
  return turns.filter((turn, at) => !turns.slice(0, at).some((earlier) => repeats(turn, earlier)));
}

function repeats(turn: PatchTurn, earlier: PatchTurn): boolean {
  if (turn.proposed_edits.length === 0 || turn.proposed_edits.length !== earlier.proposed_edits.length) return false;
  if (encodeCanonicalJson(turn.proposed_edits) !== encodeCanonicalJson(earlier.proposed_edits)) return false;
  return (
    turn.speaker === earlier.speaker ||
    turn.proposed_edits.some((edit) => edit.evidence !== null && edit.confidence !== null)
  );
}
