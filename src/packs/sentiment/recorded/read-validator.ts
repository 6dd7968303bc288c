import { isRecord } from "../../../text/is-record.ts";
import type { CorrectionProposal, StructuralRisk, ValidatorReply } from "../schemas/stage1.ts";
import { groundRisks, groundValidator } from "../roles/stage1/ground-validator.ts";
import type { AspectMatcher } from "../rules/tuples/aspect-matcher.ts";
import type { Strike } from "../roles/checks/strikes.ts";
import { readConfidence, findList, readSpan, type Tally, readText, findValue, findWord } from "./loose.ts";

const riskKeys = ["structural_risks", "stage1_structural_risks", "risks"];
const proposalKeys = ["correction_proposals", "stage1_correction_proposals", "proposals"];

/** Reads the Validator's part; null when nothing of it was recorded. */
export function readValidator(
  part: unknown,
  text: string,
  matcher: AspectMatcher,
  tally: Tally,
): ValidatorReply | null {
  const risks = findList(part, riskKeys);
  const proposals = findList(part, proposalKeys);
  const score = findValue(part, ["consistency_score"]);
  if (risks === null && proposals === null && score === undefined) return null;
  const reply: ValidatorReply = {
    structural_risks: (risks ?? []).filter(isRecord).map((item) => readRisk(item, text)),
    consistency_score: readConfidence(score, 0),
    correction_proposals: (proposals ?? []).filter(isRecord).map((item) => readProposal(item, text)),
  };
  const grounded = groundValidator(text, reply, matcher);
  for (const { code } of grounded.strikes) tally.add(code);
  return grounded.validator;
}

/** Reads the risks that a Stage 2 validator still sees. */
export function readRisks(part: unknown, text: string, tally: Tally): StructuralRisk[] {
  const strikes: Strike[] = [];
  const risks = (findList(part, ["structural_risks"]) ?? []).filter(isRecord).map((item) => readRisk(item, text));
  const grounded = groundRisks(text, risks, strikes);
  for (const { code } of strikes) tally.add(code);
  return grounded;
}

function readRisk(item: Record<string, unknown>, text: string): StructuralRisk {
  return {
    type: readRiskType(findWord(item, ["type", "risk_type", "risk_id"]) ?? ""),
    scope: readSpan(text, item.scope ?? item.span) ?? { start: 0, end: text.length },
    severity: findWord(item, ["severity"]) ?? "medium",
    description: readText(item.description),
  };
}

/** A type in other words is the known one it contains. */
function readRiskType(word: string): string {
  const plain = word
    .trim()
    .toUpperCase()
    .replace(/[\s-]+/g, "_");
  if (/^(NEGATION|CONTRAST)(_SCOPE)?$/.test(plain)) return plain;
  return ["NEGATION", "CONTRAST", "IRONY"].find((type) => plain.includes(type)) ?? plain;
}

function readProposal(item: Record<string, unknown>, text: string): CorrectionProposal {
  return {
    target_aspect: findWord(item, ["target_aspect", "aspect_ref", "aspect_term", "aspect", "target"]) ?? "",
    proposal_type: findWord(item, ["proposal_type", "type"]) ?? "",
    revised_span: readSpan(text, item.revised_span),
    rationale: readText(item.rationale),
  };
}
