import type { PatchTurn, PatchTurnReply, Persona } from "../schemas/debate.ts";
import type { TurnStrike } from "../schemas/debate-output.ts";
import type { AspectMatcher } from "../text/aspect-matcher.ts";
import { groundEdits } from "./ground-edits.ts";

/** Who speaks, in which round. */
export type Seat = { key: string; persona: Persona; round: number };

/** A patch turn as it is kept (spec section 3): named by its persona, unknown edits struck, evidence outside the text struck. */
export function groundPatchTurn(
  text: string,
  reply: PatchTurnReply,
  seat: Seat,
  matcher: AspectMatcher,
): { turn: PatchTurn; strikes: TurnStrike[] } {
  const { kept, strikes } = groundEdits(reply.proposed_edits, matcher);
  const where = { speaker: seat.key, round: seat.round };
  const struck: TurnStrike[] = strikes.map(({ code, what }) => ({ ...where, code, what }));
  const edits = kept.map((edit) => {
    const evidence = edit.evidence?.trim() ?? "";
    if (evidence === "") return { ...edit, evidence: null };
    if (text.includes(evidence)) return { ...edit, evidence };
    struck.push({ ...where, code: "evidence_not_in_text", what: evidence });
    return { ...edit, evidence: null };
  });
  const turn = { speaker: seat.key, agent: seat.persona.name, round: seat.round, proposed_edits: edits };
  return { turn, strikes: struck };
}
