import type { Problem } from "../../../contract/turn.ts";
import { idPrefixes, mostHypotheses, type SalvagedReply } from "../schemas/hypothesis.ts";
import type { ReasonerInput } from "./role-inputs.ts";

const badEvidence = new Set(["unknown_incident", "unknown_line", "quote_not_found"]);

/** Strikes ungrounded evidence, unknown parents and surplus hypotheses, and replaces wrong ids; all of it is recorded. */
export function salvageHypotheses(reply: SalvagedReply, problems: Problem[], input: ReasonerInput): SalvagedReply {
  const hypotheses = reply.hypotheses.map((hypothesis, index) => {
    const own = problems.filter(({ path }) => path?.[0] === "hypotheses" && path[1] === index);
    const struckAt = new Set(own.filter(({ code }) => badEvidence.has(code)).map(({ path }) => path?.[3]));
    const lostParents = new Set(own.filter(({ code }) => code === "unknown_parent").map(({ path }) => path?.[3]));
    const struck = hypothesis.evidence.filter((_, at) => struckAt.has(at));
    return {
      ...hypothesis,
      id: own.some(({ code }) => code === "wrong_id") ? findFreeId(reply, input, index) : hypothesis.id,
      evidence: hypothesis.evidence.filter((_, at) => !struckAt.has(at)),
      from: hypothesis.from?.filter((_, at) => !lostParents.has(at)) ?? null,
      ...(struck.length > 0 && { struck }),
    };
  });
  const kept =
    hypotheses.length > mostHypotheses
      ? hypotheses.toSorted((a, b) => b.confidence - a.confidence).slice(0, mostHypotheses)
      : hypotheses;
  return { ...reply, hypotheses: kept };
}

/** An id that neither this reply nor an earlier one of the reasoner uses. */
function findFreeId({ hypotheses }: SalvagedReply, { reasoner, own }: ReasonerInput, index: number): string {
  const used = new Set([...hypotheses, ...own.map(({ hypothesis }) => hypothesis)].map(({ id }) => id));
  let number = index + 1;
  while (used.has(`${idPrefixes[reasoner]}_${number}`)) number += hypotheses.length;
  return `${idPrefixes[reasoner]}_${number}`;
}
