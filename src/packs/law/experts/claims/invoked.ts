import { type CaseFile, findEvidence, isPure } from "../../../../knowledge/law/index.ts";
import type { Agent, Claim } from "../../schemas/agent-output.ts";

/** Whether a question is of one law only, and not of this agent's. */
export function isForeign(file: CaseFile, agent: Agent): boolean {
  return isPure(file) && file.route.label !== (agent === "NLA" ? "pure_national" : "pure_adat");
}

/** Whether the question itself cites what a claim rests on. */
export function isInvoked(file: CaseFile, { evidence }: Claim): boolean {
  return evidence.some((id) => findEvidence(file, id)?.found_by.includes("citation"));
}
