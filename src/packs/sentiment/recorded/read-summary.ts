import { isRecord } from "../../../text/is-record.ts";
import { groundPatchSummary } from "../roles/debate/ground-patch-summary.ts";
import type { Patch, PatchJudgeReply, PatchSummary, StanceSummary } from "../schemas/debate.ts";
import type { AspectMatcher } from "../rules/tuples/aspect-matcher.ts";
import { type Tally, readText, readWord, readWords } from "./loose.ts";
import { findAspect, readEdits, fillConfirmedPolarity } from "./read-edit.ts";

/** Reads the judge of a patch debate; a judge that gives no patch at all confirms its tuples. */
export function readPatchSummary(
  raw: unknown,
  matcher: AspectMatcher,
  stage1PolarityOf: (aspect: string) => string | null,
  tally: Tally,
): PatchSummary | null {
  if (!isRecord(raw)) return null;
  const tuples = (Array.isArray(raw.final_tuples) ? raw.final_tuples : []).filter(isRecord);
  const final_tuples = tuples.map((tuple) => ({
    aspect_ref: findAspect(tuple, matcher),
    polarity: readWord(tuple.polarity ?? tuple.sentiment),
  }));
  const said = (aspect: string) =>
    final_tuples.find((tuple) => tuple.aspect_ref === aspect)?.polarity ?? stage1PolarityOf(aspect);
  const given = Array.isArray(raw.final_patch)
    ? fillConfirmedPolarity(
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
    unresolved_conflicts: readWords(raw.unresolved_conflicts),
    sentence_polarity: readWord(raw.sentence_polarity),
    sentence_evidence_spans: readWords(raw.sentence_evidence_spans),
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
    return value.filter(isRecord).flatMap((pair) => {
      const aspect = readWord(pair.aspect ?? pair.aspect_ref ?? pair.aspect_term);
      const span = readWord(pair.span ?? pair.evidence ?? pair.text);
      return aspect === null || span === null ? [] : [{ aspect, span }];
    });
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([aspect, span]) => {
    const word = readWord(span);
    return word === null ? [] : [{ aspect, span: word }];
  });
}

export function readStanceSummary(raw: unknown): StanceSummary | null {
  if (!isRecord(raw)) return null;
  const from: Record<string, unknown> = raw;
  return {
    winner: readWord(from.winner),
    consensus: readWord(from.consensus),
    key_agreements: readWords(from.key_agreements),
    key_disagreements: readWords(from.key_disagreements),
    rationale: readText(from.rationale),
  };
}
