import type { Fact } from "../rules/rule.ts";
import { actFacts } from "./act-facts.ts";
import { assetFacts, assetsIn } from "./asset-facts.ts";
import { readCircumstances } from "./circumstance-facts.ts";
import { contextFacts } from "./context-facts.ts";
import { issueFacts } from "./issue-facts.ts";
import { personFacts } from "./person-facts.ts";
import { read } from "./reading.ts";

/**
 * The facts that a question states, in Indonesian or English (law spec §2): persons, assets, community, religion,
 * marriage, children, acts. Only what is named; what is not stated is left out, so that it stays unknown.
 */
export function extractFacts(query: string): Fact[] {
  const reading = read(query);
  const assets = assetsIn(reading);
  const facts = [
    ...contextFacts(reading),
    ...personFacts(reading),
    ...assetFacts(assets),
    ...actFacts(reading, assets),
    ...readCircumstances(reading, assets),
    ...issueFacts(reading),
  ];
  return [...new Set(facts)].toSorted();
}
