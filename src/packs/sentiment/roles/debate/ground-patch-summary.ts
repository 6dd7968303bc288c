import { canonicalisePolarity } from "../../rules/tuples/canonical-polarity.ts";
import { LabelSchema, type PatchJudgeReply, type PatchSummary, type Tuple } from "../../schemas/debate.ts";
import { findContradictions } from "../../rules/settle/contradictions.ts";
import type { Strike } from "../checks/strikes.ts";
import type { AspectMatcher } from "../../rules/tuples/aspect-matcher.ts";
import { groundEdits } from "./ground-edits.ts";

/** The judge's summary as it is kept (sentiment spec §3): canonical, on known aspects, each strike counted. */
export function groundPatchSummary(
  reply: PatchJudgeReply,
  matcher: AspectMatcher,
): { summary: PatchSummary; strikes: Strike[] } {
  const patch = groundEdits(reply.final_patch, matcher);
  const strikes: Strike[] = patch.strikes.map((strike) => ({
    ...strike,
    path: ["final_patch", ...(strike.path ?? [])],
  }));
  const label = canonicalisePolarity(reply.sentence_polarity) ?? reply.sentence_polarity?.trim().toLowerCase() ?? null;
  const parsed = LabelSchema.safeParse(label);
  if (label !== null && !parsed.success)
    strikes.push({ code: "label_invalid", what: label, path: ["sentence_polarity"] });
  const final_tuples = groundTuples(reply, matcher, strikes);
  /** What was struck may be what was missing, so it is asked for first. */
  const sound =
    strikes.length === 0 ? { final_patch: patch.kept, final_tuples } : { final_patch: [], final_tuples: [] };
  for (const { aspect, patch: edited, tuples } of findContradictions(sound, matcher))
    strikes.push({
      code: "patch_contradicts_tuples",
      what: `"${aspect}": ${edited} in final_patch, ${tuples} in final_tuples`,
      path: ["final_tuples"],
    });
  return {
    summary: {
      final_patch: patch.kept,
      final_tuples,
      unresolved_conflicts: reply.unresolved_conflicts,
      sentence_polarity: parsed.success ? parsed.data : null,
      sentence_evidence_spans: reply.sentence_evidence_spans
        .map((span) => matcher.quote(span) ?? span.trim())
        .filter((span) => span !== ""),
      aspect_evidence: groundEvidence(reply, matcher, strikes),
      rationale: reply.rationale,
    },
    strikes,
  };
}

function groundTuples(reply: PatchJudgeReply, matcher: AspectMatcher, strikes: Strike[]): Tuple[] {
  const tuples = new Map<string, Tuple>();
  for (const [at, tuple] of reply.final_tuples.entries()) {
    const path = ["final_tuples", at];
    const { aspect } = matcher.resolve(tuple.aspect_ref);
    const polarity = canonicalisePolarity(tuple.polarity);
    if (aspect === null && tuple.aspect_ref.trim() !== "")
      strikes.push({ code: "unknown_aspect", what: tuple.aspect_ref, path: [...path, "aspect_ref"] });
    else if (polarity === null)
      strikes.push({ code: "polarity_invalid", what: tuple.polarity ?? "null", path: [...path, "polarity"] });
    else {
      const term = aspect ?? "";
      tuples.set(`${term}\u0000${polarity}`, { aspect_ref: term, aspect_term: term, polarity });
    }
  }
  return [...tuples.values()];
}

function groundEvidence(reply: PatchJudgeReply, matcher: AspectMatcher, strikes: Strike[]): Record<string, string> {
  const evidence = new Map<string, string>();
  for (const [at, { aspect, span }] of (reply.aspect_evidence ?? []).entries()) {
    const known = aspect.trim() === "" ? "" : matcher.resolve(aspect).aspect;
    if (known === null) strikes.push({ code: "unknown_aspect", what: aspect, path: ["aspect_evidence", at, "aspect"] });
    else if (span.trim() !== "" && !evidence.has(known)) evidence.set(known, matcher.quote(span) ?? span.trim());
  }
  return Object.fromEntries(evidence);
}
