import type { Domain } from "../items/evidence.ts";
import type { RetrievedEvidence } from "../retrieval/retrieval.ts";
import { systemOf } from "../rules/systems.ts";
import { loadBridges } from "./bridges.ts";
import type { CaseFile } from "./case-file.ts";

/**
 * The case as one side holds it (law spec §2.10): its own sources with what its rules conclude, what both sides need, and
 * what was brought to it. What the other side holds has to be said to be known.
 */
export function selectSide(file: CaseFile, side: Domain, brought: string[] = []): CaseFile {
  const { retrieval } = file;
  const isOwnItem = (item: RetrievedEvidence): boolean =>
    (item.domain === side && !isLimit(item)) || isBeforeBoth(item);
  const evidence = retrieval.evidence.filter((item) => isOwnItem(item) || brought.includes(item.id));
  const held = new Set(evidence.map(({ id }) => id));
  const own = new Set(evidence.filter(isOwnItem).map(({ id }) => id));
  const isOwn = (fact: string): boolean => {
    const system = systemOf(fact);
    return system === null || sideOfSystem(system) === side;
  };
  const { conclusions, unknown, contradictions } = retrieval.rules;
  const asksForOwn = ({ would_conclude, would_defeat = [] }: (typeof unknown)[number]): boolean =>
    [...would_conclude, ...would_defeat].some(isOwn);
  const known = conclusions.filter(({ fact, by }) => isOwn(fact) || by.some((id) => held.has(id)));
  const facts = new Set(known.map(({ fact }) => fact));
  return {
    ...file,
    side,
    brought: evidence.filter((item) => !isOwnItem(item)).map(({ id }) => id),
    own_rules: {
      conclusions: conclusions.filter(({ fact, by }) => isOwn(fact) || by.some((id) => own.has(id))),
      unknown: unknown.filter(asksForOwn),
      contradictions: contradictions.filter((one) => one.facts.every(isOwn)),
    },
    pool: file.pool ?? retrieval.evidence.map(({ id, domain, score }) => ({ id, domain, score })),
    retrieval: {
      ...retrieval,
      evidence,
      graph: retrieval.graph.filter((relation) => held.has(relation.evidence)),
      rules: {
        conclusions: known,
        // A conclusion that is brought comes with the unstated facts that would defeat it.
        unknown: unknown.filter((one) => asksForOwn(one) || one.would_defeat?.some((fact) => facts.has(fact))),
        contradictions: contradictions.filter((one) => one.facts.every((fact) => facts.has(fact))),
      },
    },
  };
}

/** What the question itself cites, and the provisions by which the two laws meet, are before everyone. */
export function isBeforeBoth({ id, found_by }: RetrievedEvidence): boolean {
  return found_by.includes("citation") || loadBridges().some((bridge) => bridge.id === id);
}

/** What was found only because it limits another norm is for the critics to bring. */
function isLimit({ found_by }: RetrievedEvidence): boolean {
  return found_by.every((way) => way === "limits");
}

const nationalSystems = new Set(["national", "civil_code", "islamic"]);

function sideOfSystem(system: string): Domain {
  return nationalSystems.has(system) ? "national" : "adat";
}
