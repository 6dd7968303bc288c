import type { CorrectionProposal, StructuralRisk, ValidatorReply } from "../../schemas/stage1.ts";
import { groundRisks, groundValidator } from "../../stage1/ground-validator.ts";
import type { AspectMatcher } from "../../text/aspect-matcher.ts";
import type { Strike } from "../../stage1/ground-aspects.ts";
import { confidenceOf, isLoose, listAt, type Loose, spanOf, type Tally, textOf, valueAt, wordOfKeys } from "./loose.ts";

const riskKeys = ["structural_risks", "stage1_structural_risks", "risks"];
const proposalKeys = ["correction_proposals", "stage1_correction_proposals", "proposals"];

/** Reads the Validator's part; null when nothing of it was recorded. */
export function readValidator(
  part: unknown,
  text: string,
  matcher: AspectMatcher,
  tally: Tally,
): ValidatorReply | null {
  const risks = listAt(part, riskKeys);
  const proposals = listAt(part, proposalKeys);
  const score = valueAt(part, ["consistency_score"]);
  if (risks === null && proposals === null && score === undefined) return null;
  const reply: ValidatorReply = {
    structural_risks: (risks ?? []).filter(isLoose).map((item) => readRisk(item, text)),
    consistency_score: confidenceOf(score, 0),
    correction_proposals: (proposals ?? []).filter(isLoose).map((item) => readProposal(item, text)),
  };
  const grounded = groundValidator(text, reply, matcher);
  for (const { code } of grounded.strikes) tally.add(code);
  return grounded.validator;
}

/** Reads the risks that a Stage 2 validator still sees. */
export function readRisks(part: unknown, text: string, tally: Tally): StructuralRisk[] {
  const strikes: Strike[] = [];
  const risks = (listAt(part, ["structural_risks"]) ?? []).filter(isLoose).map((item) => readRisk(item, text));
  const grounded = groundRisks(text, risks, strikes);
  for (const { code } of strikes) tally.add(code);
  return grounded;
}

function readRisk(item: Loose, text: string): StructuralRisk {
  return {
    type: riskType(wordOfKeys(item, ["type", "risk_type", "risk_id"]) ?? ""),
    scope: spanOf(text, item.scope ?? item.span) ?? { start: 0, end: text.length },
    severity: wordOfKeys(item, ["severity"]) ?? "medium",
    description: textOf(item.description),
  };
}

/** A type in other words is the known one it contains. */
function riskType(word: string): string {
  const plain = word
    .trim()
    .toUpperCase()
    .replace(/[\s-]+/g, "_");
  if (/^(NEGATION|CONTRAST)(_SCOPE)?$/.test(plain)) return plain;
  return ["NEGATION", "CONTRAST", "IRONY"].find((type) => plain.includes(type)) ?? plain;
}

function readProposal(item: Loose, text: string): CorrectionProposal {
  return {
    target_aspect: wordOfKeys(item, ["target_aspect", "aspect_ref", "aspect_term", "aspect", "target"]) ?? "",
    proposal_type: wordOfKeys(item, ["proposal_type", "type"]) ?? "",
    revised_span: spanOf(text, item.revised_span),
    rationale: textOf(item.rationale),
  };
}
