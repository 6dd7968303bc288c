import { groundPatchSummary } from "../../debate/ground-patch-summary.ts";
import type { Patch, PatchJudgeReply, PatchSummary, StanceSummary } from "../../schemas/debate.ts";
import type { AspectMatcher } from "../../text/aspect-matcher.ts";
import { isLoose, type Loose, type Tally, textOf, wordAt, wordsOf } from "./loose.ts";
import { aspectOf, readEdits, withConfirmedPolarity } from "./read-edit.ts";

/** Reads the judge of a patch debate; a judge that gives no patch at all confirms its tuples. */
export function readPatchSummary(
  raw: unknown,
  matcher: AspectMatcher,
  stage1PolarityOf: (aspect: string) => string | null,
  tally: Tally,
): PatchSummary | null {
  if (!isLoose(raw)) return null;
  const tuples = (Array.isArray(raw.final_tuples) ? raw.final_tuples : []).filter(isLoose);
  const final_tuples = tuples.map((tuple) => ({
    aspect_ref: aspectOf(tuple, matcher),
    polarity: wordAt(tuple.polarity ?? tuple.sentiment),
  }));
  const said = (aspect: string) =>
    final_tuples.find((tuple) => tuple.aspect_ref === aspect)?.polarity ?? stage1PolarityOf(aspect);
  const given = Array.isArray(raw.final_patch)
    ? withConfirmedPolarity(
        raw.final_patch.flatMap((item) => readEdits(item, matcher, tally)),
        said,
        tally,
      )
    : null;
  if (given === null && final_tuples.length > 0) tally.add("final_patch_missing");
  const confirmed = final_tuples.map((tuple): Patch => ({ op: "confirm_tuple", target: tuple, value: null }));
  const reply: PatchJudgeReply = {
    final_patch: given?.map(({ op, target, value }) => ({ op, target, value })) ?? confirmed,
    final_tuples,
    unresolved_conflicts: wordsOf(raw.unresolved_conflicts),
    sentence_polarity: wordAt(raw.sentence_polarity),
    sentence_evidence_spans: wordsOf(raw.sentence_evidence_spans),
    aspect_evidence: readEvidence(raw.aspect_evidence),
    rationale: typeof raw.rationale === "string" ? raw.rationale : null,
  };
  const { summary, strikes } = groundPatchSummary(reply, matcher);
  for (const { code } of strikes) tally.add(code);
  return summary;
}

/** A map from aspect to span, or a list of pairs. */
function readEvidence(value: unknown): { aspect: string; span: string }[] {
  if (Array.isArray(value))
    return value.filter(isLoose).flatMap((pair) => {
      const aspect = wordAt(pair.aspect ?? pair.aspect_ref ?? pair.aspect_term);
      const span = wordAt(pair.span ?? pair.evidence ?? pair.text);
      return aspect === null || span === null ? [] : [{ aspect, span }];
    });
  if (!isLoose(value)) return [];
  return Object.entries(value).flatMap(([aspect, span]) => {
    const word = wordAt(span);
    return word === null ? [] : [{ aspect, span: word }];
  });
}

export function readStanceSummary(raw: unknown): StanceSummary | null {
  if (!isLoose(raw)) return null;
  const from: Loose = raw;
  return {
    winner: wordAt(from.winner),
    consensus: wordAt(from.consensus),
    key_agreements: wordsOf(from.key_agreements),
    key_disagreements: wordsOf(from.key_disagreements),
    rationale: textOf(from.rationale),
  };
}
