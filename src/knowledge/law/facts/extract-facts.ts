import type { Fact } from "../rules/rule.ts";
import { readActs } from "./act-facts.ts";
import { stateAssets, findAssets } from "./asset-facts.ts";
import { readCircumstances } from "./circumstance-facts.ts";
import { readContext } from "./context-facts.ts";
import { readIssues } from "./issue-facts.ts";
import { readPersons } from "./person-facts.ts";
import { readQuestion } from "./reading.ts";

/**
 * The facts that a question states, in Indonesian or English (law spec §2.3): persons, assets, community, religion,
 * marriage, children, acts. Only what is named; what is not stated is left out, so that it stays unknown.
 */
export function extractFacts(query: string): Fact[] {
  const reading = readQuestion(query);
  const assets = findAssets(reading);
  const facts = [
    ...readContext(reading),
    ...readPersons(reading),
    ...stateAssets(assets),
    ...readActs(reading, assets),
    ...readCircumstances(reading, assets),
    ...readIssues(reading),
  ];
  return [...new Set(facts)].toSorted();
}
