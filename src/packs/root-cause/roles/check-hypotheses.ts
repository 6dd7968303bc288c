import type { Problem } from "../../../contract/turn.ts";
import { citedLine, contains } from "../evidence-ref.ts";
import { type Evidence, idPrefixes, type ReasonerReply, type StatedHypothesis } from "../hypothesis.ts";
import type { ReasonerInput } from "./reasoner-input.ts";

export const most = 5;
export const least = 3;

/** A reply with what the salvage struck from its hypotheses. */
export type SalvagedReply = Omit<ReasonerReply, "hypotheses"> & {
  hypotheses: (StatedHypothesis & { struck?: Evidence[] })[];
};

/** Whether the reply is grounded and complete (root-cause §4): quotes stand in the cited lines, incidents are known. */
export function checkHypotheses(reply: SalvagedReply, input: ReasonerInput): Problem[] {
  return [
    ...checkNumber(reply, input),
    ...reply.hypotheses.flatMap((_, index) => checkHypothesis(reply, index, input)),
  ];
}

function checkNumber({ hypotheses, fewer_reason }: SalvagedReply, { round }: ReasonerInput): Problem[] {
  const count = hypotheses.length;
  if (count === 0) return [reject("no_hypothesis", "give at least one hypothesis", ["hypotheses"])];
  if (count > most) return [salvage("too_many", `${count} hypotheses; give at most ${most}`, ["hypotheses"])];
  if (round === 1 && count < least && !fewer_reason?.trim())
    return [
      reject("too_few", `${count} hypotheses; give ${least} to ${most}, or say why there are fewer`, ["fewer_reason"]),
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
  const known = knownIds(input);
  for (const [at, parent] of (from ?? []).entries())
    if (!known.has(parent))
      problems.push(
        salvage("unknown_parent", `no hypothesis "${parent}" was shown`, ["hypotheses", index, "from", at]),
      );
  for (const [at, item] of evidence.entries()) {
    const wrong = evidenceProblem(item, input);
    if (wrong) problems.push(salvage(wrong.code, wrong.message, ["hypotheses", index, "evidence", at]));
  }
  return problems;
}

function knownIds({ own, others }: ReasonerInput): Set<string> {
  return new Set([...own, ...others].map(({ hypothesis }) => hypothesis.id));
}

/** What is wrong with an item of evidence, or null. */
export function evidenceProblem(item: Evidence, { incident, reasoner }: Pick<ReasonerInput, "incident" | "reasoner">) {
  if (item.kind === "kg") {
    const past = reasoner === "log_focused" ? [] : (incident.knowledge?.similar_incidents ?? []);
    const shown = past.find(({ incident_id }) => incident_id === item.ref) ?? pathsOf(incident, item.ref);
    if (!shown) return { code: "unknown_incident", message: `no past incident "${item.ref}" was shown` };
    if (!contains(wordsOf(shown), item.quote))
      return { code: "quote_not_found", message: `"${item.quote}" is not in the incident ${item.ref}` };
    return null;
  }
  const line = citedLine(incident.log, item.ref);
  if (line === null) return { code: "unknown_line", message: `line ${item.ref} was not shown` };
  if (contains(line, item.quote)) return null;
  return {
    code: "quote_not_found",
    message: `"${item.quote}" is not in line ${item.ref}, which reads "${line.trim()}"`,
  };
}

function pathsOf({ knowledge }: ReasonerInput["incident"], ref: Evidence["ref"]) {
  const paths = knowledge?.causal_paths.filter(({ incident_ids }) => incident_ids.includes(String(ref))) ?? [];
  return paths.length > 0 ? paths : null;
}

function wordsOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value !== null && typeof value === "object" ? Object.values(value).map(wordsOf).join("\n") : String(value);
}

function reject(code: string, message: string, path: (string | number)[]): Problem {
  return { code, message, severity: "reject", path };
}

function salvage(code: string, message: string, path: (string | number)[]): Problem {
  return { code, message, severity: "salvage", path };
}
