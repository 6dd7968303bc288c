import type { Problem } from "../../../contract/turn.ts";
import { checkEvidence } from "../rules/check-evidence.ts";
import { listQuotes } from "../rules/round.ts";
import { idPrefixes, leastHypotheses, mostHypotheses, type SalvagedReply } from "../schemas/hypothesis.ts";
import type { ReasonerInput } from "./role-inputs.ts";

/** Whether the reply is grounded and complete (root-cause spec §4.2): quotes stand in the cited lines, incidents are known. */
export function checkHypotheses(reply: SalvagedReply, input: ReasonerInput): Problem[] {
  return [
    ...checkNumber(reply, input),
    ...reply.hypotheses.flatMap((_, index) => checkHypothesis(reply, index, input)),
  ];
}

function checkNumber({ hypotheses, fewer_reason }: SalvagedReply, { round }: ReasonerInput): Problem[] {
  const count = hypotheses.length;
  if (count === 0) return [reject("no_hypothesis", "give at least one hypothesis", ["hypotheses"])];
  if (count > mostHypotheses)
    return [salvage("too_many", `${count} hypotheses; give at most ${mostHypotheses}`, ["hypotheses"])];
  if (round === 1 && count < leastHypotheses && !fewer_reason?.trim())
    return [
      reject(
        "too_few",
        `${count} hypotheses; give ${leastHypotheses} to ${mostHypotheses}, or say why there are fewer`,
        ["fewer_reason"],
      ),
    ];
  return [];
}

function checkHypothesis({ hypotheses }: SalvagedReply, index: number, input: ReasonerInput): Problem[] {
  const hypothesis = hypotheses[index];
  if (!hypothesis) return [];
  const problems: Problem[] = [];
  const { id, from, evidence } = hypothesis;
  const prefix = idPrefixes[input.reasoner];
  if (hypotheses.findIndex((other) => other.id === id) !== index)
    problems.push(reject("duplicate_id", `the id "${id}" is used twice`, ["hypotheses", index, "id"]));
  if (!new RegExp(`^${prefix}_\\d{1,6}$`).test(id))
    problems.push(salvage("wrong_id", `"${id}" must be ${prefix}_ and a number`, ["hypotheses", index, "id"]));
  const known = listKnownIds(input);
  for (const [at, parent] of (from ?? []).entries())
    if (!known.has(parent))
      problems.push(
        salvage("unknown_parent", `no hypothesis "${parent}" was shown`, ["hypotheses", index, "from", at]),
      );
  for (const [at, item] of evidence.entries()) {
    const wrong = checkEvidence(item, input.incident, { reasoner: input.reasoner, quoted: listQuotes(input) });
    if (wrong) problems.push(salvage(wrong.code, wrong.message, ["hypotheses", index, "evidence", at]));
  }
  return problems;
}

function listKnownIds({ own, others }: ReasonerInput): Set<string> {
  return new Set([...own, ...others].map(({ hypothesis }) => hypothesis.id));
}

function reject(code: string, message: string, path: (string | number)[]): Problem {
  return { code, message, severity: "reject", path };
}

function salvage(code: string, message: string, path: (string | number)[]): Problem {
  return { code, message, severity: "salvage", path };
}
