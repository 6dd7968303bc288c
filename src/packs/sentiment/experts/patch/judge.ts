import type { PatchJudgeInput } from "../../schemas/role-inputs.ts";
import type { Patch, PatchJudgeReply } from "../../schemas/debate.ts";
import type { AspectView } from "../../../../knowledge/opinions/index.ts";
import { viewDebate } from "./debate-views.ts";
import { confirm, drop, findStage1Polarity, quoteEvidence, rename, set } from "./edits.ts";
import { type Resolution, resolve } from "./resolve.ts";

type Resolved = { view: AspectView; resolution: Resolution };

/** The judge of a patch debate as a program: decides every aspect and says on which words (sentiment spec §3). */
export function judgePatch(input: PatchJudgeInput): PatchJudgeReply {
  const { text, context, turns } = input;
  const views = viewDebate(text, input.language_code, context);
  const resolved = views.map((view) => ({ view, resolution: resolve(text, view, turns, context) }));
  const tuples = resolved.flatMap(({ view, resolution }) =>
    resolution.kind === "polarity" ? [{ aspect_ref: view.term, polarity: resolution.polarity }] : [],
  );
  const evidence = resolved.flatMap(({ view }) => {
    const span = quoteEvidence(text, view, view.scoped);
    return span === null ? [] : [{ aspect: view.term, span }];
  });
  const contested = resolved.filter(({ resolution }) => resolution.kind === "polarity" && resolution.contested);
  return {
    final_patch: resolved.flatMap((one) => toPatch(input, one)),
    final_tuples: tuples,
    unresolved_conflicts: contested.map(({ view }) => `${view.term || "(implicit)"}: the readings are nearly balanced`),
    sentence_polarity: labelSentence(tuples.map((tuple) => tuple.polarity)),
    sentence_evidence_spans: pickEvidence(
      text,
      evidence.map((one) => one.span),
    ),
    aspect_evidence: evidence,
    rationale: explain(resolved),
  };
}

function toPatch({ context }: PatchJudgeInput, { view, resolution }: Resolved): Patch[] {
  const none = { evidence: null, confidence: null };
  const stated = findStage1Polarity(context, view.term)?.polarity ?? null;
  const edit =
    resolution.kind === "merge"
      ? rename("merge_tuples", view.term, resolution.into, none)
      : resolution.kind === "drop"
        ? drop(view.term, none)
        : resolution.kind === "silent"
          ? null
          : stated === resolution.polarity
            ? confirm(view.term, stated, none)
            : set(view.term, stated, resolution.polarity, none);
  return edit === null ? [] : [{ op: edit.op, target: edit.target, value: edit.value }];
}

function labelSentence(polarities: readonly string[]): string {
  const both = polarities.includes("positive") && polarities.includes("negative");
  return both ? "mixed" : (polarities.find((polarity) => polarity !== "neutral") ?? "neutral");
}

/** At least one span: the longest evidence, else the start of the text. */
function pickEvidence(text: string, spans: readonly string[]): string[] {
  const found = spans.toSorted((a, b) => b.length - a.length).slice(0, 3);
  return found.length > 0 ? found : [text.trim().slice(0, 80).trim()];
}

function explain(resolved: readonly Resolved[]): string {
  const parts = resolved.flatMap(({ view, resolution }) => {
    const words = view.scoped.opinions.map((opinion) => `"${opinion.term}"`).join(", ");
    if (resolution.kind !== "polarity") return [];
    return [
      `${view.term || "(implicit)"} ${resolution.polarity}${words === "" ? "" : ` (${words}, ${view.scoped.via})`}`,
    ];
  });
  return parts.length > 0 ? parts.join("; ") : "the text judges nothing that was named";
}
