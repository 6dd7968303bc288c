import { keyEntity } from "../../logs/index.ts";
import type { CallGraph } from "../clues/call-graph.ts";
import type { Finding } from "../clues/finding.ts";

/** Words of someone who waits in vain. */
export const waiting = /time(?:d |-)?out|no (?:answer|response|reply)|not responding|deadline|unavailable|gave up/i;

/**
 * A service that a caller waits for in vain and that says nothing of trouble itself, known only from who calls whom: if the
 * caller has but one callee that could be meant, that one does not answer.
 */
export function findUnheardCallees(findings: readonly Finding[], graph: CallGraph): Finding[] {
  const troubled = new Set(findings.flatMap(({ place }) => (place === null ? [] : [keyEntity(place)])));
  return findings.flatMap((finding): Finding[] => {
    const { place, role, says, lines, words = "" } = finding;
    if (place === null || role !== "symptom" || !waiting.test(`${says} ${words} ${lines[0]?.quote ?? ""}`)) return [];
    const callees = graph.calleesOf(place);
    if (callees.some((callee) => troubled.has(keyEntity(callee)))) return [];
    const [only, ...others] = callees;
    if (only === undefined || others.length > 0) return [];
    return [
      {
        ...finding,
        sign: "unheard_callee",
        place: only,
        says: `does not answer ${place}, which calls it`,
        strength: Math.min(0.85, finding.strength * 1.2),
        resolution: [`Check whether ${only} is running and can be reached from ${place}`, `Read the log of ${only}`],
      },
    ];
  });
}
