import type { Point } from "../../../contract/story.ts";
import { readVote } from "../rules/tuples/votes.ts";
import type { PatchJudgeReply, PatchTurnReply, StanceSummary, StanceTurnReply } from "../schemas/debate.ts";
import { describeEdit } from "./debate-lines.ts";
import type { Said, Teller } from "./teller.ts";
import { nameAspect, nameSentiment } from "./tell-stages.ts";

/** The edits of a speaker: what each would change, and on which words. */
export function tellEdits(reply: object, { stage1, decision }: Teller, turn: string): Said {
  const { proposed_edits } = reply as PatchTurnReply;
  const points = proposed_edits.map((edit, at): Point => {
    const aspect = edit.target.aspect_ref;
    const { polarity, removal } = readVote(edit);
    const before = stage1.get(aspect) ?? "none";
    const after = removal ? "none" : polarity;
    const settled = decision?.settlements.find((one) => one.aspect === aspect);
    const isChange = after !== null && after !== before;
    const agrees = settled && (settled.settled ?? "none") === after;
    return {
      id: `${turn}/${at}`,
      name: nameAspect(aspect),
      text: edit.op === "confirm_tuple" ? `confirms ${after ?? before}` : describeEdit({ ...edit, evidence: null }),
      ...(isChange && { change: { before, after } }),
      ...(settled && agrees && { standing: "stands" as const, status: "settled so" }),
      ...(settled && !agrees && { standing: "dropped" as const, status: `settled ${settled.settled ?? "without it"}` }),
      ...(edit.confidence !== null && { score: { label: "sure", value: edit.confidence, most: 1 } }),
      answers: [nameSentiment(aspect)],
      uses: edit.evidence ? [edit.evidence] : [],
    };
  });
  return { says: points.length === 0 ? "No edits." : "", points };
}

/** A speech for or against. */
export function tellStance(reply: object, _teller: Teller, turn: string): Said {
  const { message, key_points } = reply as StanceTurnReply;
  return { says: message, points: key_points.map((text, at) => ({ id: `${turn}/${at}`, name: "point", text })) };
}

/** What the judge makes of the debate, aspect by aspect. */
export function tellJudge(reply: object, { stage1, decision }: Teller, turn: string): Said {
  if (!("final_tuples" in reply)) return tellConsensus(reply as StanceSummary, turn);
  const { final_tuples, rationale, unresolved_conflicts, aspect_evidence } = reply as PatchJudgeReply;
  const tuples = final_tuples.map(({ aspect_ref, polarity }, at): Point => {
    const before = stage1.get(aspect_ref) ?? "none";
    const after = polarity ?? "none";
    const settled = decision?.settlements.find(({ aspect }) => aspect === aspect_ref);
    return {
      id: `${turn}/${at}`,
      name: nameAspect(aspect_ref),
      text: after,
      ...(before !== after && { change: { before, after } }),
      ...(settled && {
        standing: (settled.settled ?? "none") === after ? ("stands" as const) : ("dropped" as const),
        status: settled.reason.replaceAll("_", " "),
      }),
      answers: [nameSentiment(aspect_ref)],
      uses: (aspect_evidence ?? []).filter(({ aspect }) => aspect === aspect_ref).map(({ span }) => span),
    };
  });
  const open = unresolved_conflicts.map(
    (text, at): Point => ({
      id: `${turn}/open-${at}`,
      name: "open",
      text,
      standing: "contested",
      status: "not settled",
    }),
  );
  return { says: rationale ?? "", points: [...tuples, ...open] };
}

function tellConsensus({ rationale, consensus, key_agreements, key_disagreements }: StanceSummary, turn: string): Said {
  const list = (name: string, items: string[]) =>
    items.map((text, at): Point => ({ id: `${turn}/${name}-${at}`, name, text }));
  const points = [
    ...list("consensus", consensus === null ? [] : [consensus]),
    ...list("agreed", key_agreements),
    ...list("disputed", key_disagreements),
  ];
  return { says: rationale, points };
}
