import type { PatchTurn, PatchTurnReply, Persona } from "../../schemas/debate.ts";
import type { TurnStrike } from "../../schemas/debate-output.ts";
import type { AspectMatcher } from "../../rules/tuples/aspect-matcher.ts";
import { findQuote } from "../../rules/tuples/find-quote.ts";
import { groundEdits } from "./ground-edits.ts";

/** Who speaks, in which round. */
export type Speaker = { key: string; persona: Persona; round: number };

/** A patch turn as it is kept (sentiment spec §3): named by its persona, unknown edits struck, evidence outside the text struck. */
export function groundPatchTurn(
  text: string,
  reply: PatchTurnReply,
  speaker: Speaker,
  matcher: AspectMatcher,
): { turn: PatchTurn; strikes: TurnStrike[] } {
  const { kept, strikes } = groundEdits(reply.proposed_edits, matcher);
  const where = { speaker: speaker.key, round: speaker.round };
  const struck: TurnStrike[] = strikes.map(({ code, what }) => ({ ...where, code, what }));
  const edits = kept.map((edit) => {
    const evidence = edit.evidence?.trim() ?? "";
    if (evidence === "") return { ...edit, evidence: null };
    const quote = findQuote(text, evidence);
    if (quote !== null) return { ...edit, evidence: quote };
    struck.push({ ...where, code: "evidence_not_in_text", what: evidence });
    return { ...edit, evidence: null };
  });
  const turn = { speaker: speaker.key, agent: speaker.persona.name, round: speaker.round, proposed_edits: edits };
  return { turn, strikes: struck };
}
