import type { DebateContext } from "../../schemas/role-inputs.ts";
import type { PatchTurn } from "../../schemas/debate.ts";
import { canonicalisePolarity } from "../../rules/tuples/canonical-polarity.ts";
import type { Polarity } from "../../schemas/stage1.ts";
import { type AspectView, isRuledOut, judgeByStructure } from "../../../../knowledge/opinions/index.ts";
import { findStage1Polarity } from "./edits.ts";

/** What becomes of an aspect: a polarity, its removal, a merge into another name, or nothing said; and the share of the weight behind it. */
export type Resolution = { share: number } & (
  | { kind: "polarity"; polarity: Polarity; contested: boolean }
  | { kind: "drop" }
  | { kind: "merge"; into: string }
  | { kind: "silent" }
);

/** Weighs what was said of an aspect with Stage 1 and with the judge's own view, the text as a whole: evidence in the text counts in full, a bare claim by half. */
export function resolve(
  text: string,
  view: AspectView,
  turns: readonly PatchTurn[],
  context: DebateContext,
): Resolution {
  const merge = turns
    .flatMap((turn) => turn.proposed_edits)
    .findLast(
      (edit) =>
        /^(merge_tuples|set_aspect_ref)$/.test(edit.op) && edit.target.aspect_ref === view.term && edit.value !== null,
    );
  if (merge?.value && text.includes(merge.value))
    return { kind: "merge", into: merge.value, share: merge.confidence ?? 1 };
  const scores = new Map<Polarity | "drop", number>();
  const add = (vote: Polarity | "drop", weight: number) => scores.set(vote, (scores.get(vote) ?? 0) + weight);
  for (const { vote, weight } of listVotes(text, view.term, turns)) add(vote, weight);
  const stated = findStage1Polarity(context, view.term);
  if (stated) add(stated.polarity, 0.4 * stated.sentiment.confidence);
  const own = scores.size > 0 ? readWhole(view) : readOpening(view);
  if (own) add(own, view.whole.confidence);
  const ranked = [...scores].sort((a, b) => b[1] - a[1]);
  const [best, second] = ranked;
  if (!best) return { kind: "silent", share: 0 };
  const share = best[1] / [...scores.values()].reduce((sum, weight) => sum + weight, 0);
  if (best[0] === "drop") return { kind: "drop", share };
  return {
    kind: "polarity",
    share,
    polarity: best[0],
    contested: second !== undefined && second[0] !== "drop" && second[1] >= 0.8 * best[1],
  };
}

/** The judge's own view: the tone of the whole text, unless its structure says that nothing of it is meant for this aspect. */
function readWhole(view: AspectView): Polarity | null {
  const { polarity } = view.whole;
  const word = judgeByStructure(view);
  /** Of the implicit aspect Stage 1 has read the whole text already. */
  if (word === "neutral" || view.term === "") return word;
  return polarity === null || polarity === "neutral" || isRuledOut(view, polarity) ? null : polarity;
}

/** Of what nobody spoke of, the judge says no more than the structure of the text shows. */
function readOpening(view: AspectView): Polarity | null {
  const word = judgeByStructure(view);
  return word === "neutral" ? null : word;
}

/** The last word of each speaker on an aspect. */
function listVotes(
  text: string,
  aspect: string,
  turns: readonly PatchTurn[],
): { vote: Polarity | "drop"; weight: number }[] {
  const last = new Map<string, { vote: Polarity | "drop"; weight: number }>();
  for (const turn of turns) {
    for (const edit of turn.proposed_edits) {
      if (edit.target.aspect_ref !== aspect) continue;
      const vote =
        edit.op === "drop_tuple"
          ? "drop"
          : canonicalisePolarity(
              edit.op === "set_polarity" ? edit.value : edit.op === "confirm_tuple" ? edit.target.polarity : null,
            );
      const grounded = edit.evidence !== null && edit.evidence !== "" && text.includes(edit.evidence);
      if (vote !== null) last.set(turn.speaker, { vote, weight: (edit.confidence ?? 0.6) * (grounded ? 1 : 0.5) });
    }
  }
  return [...last.values()];
}
