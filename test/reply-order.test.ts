import { expect, test } from "vitest";
import { loadPack } from "../src/packs/registry.ts";
import { buildReplySchema } from "../src/players/call-model.ts";
import { configsOf } from "./abuse/sampled-turns.ts";

/**
 * A model writes keys in the order of the schema: what stands first is decided before what stands behind it is thought.
 * Pack, role, where in the reply (a list's name means its items), the key that gives reasons, the key that concludes.
 */
const rows: [pack: string, role: string, place: string, reason: string, conclusion: string][] = [
  ["question", "analyst", "", "reasoning", "answer"],
  ["question", "analyst", "", "quotes", "answer"],
  ["question", "analyst", "", "answer", "confidence"],
  ["question", "judge", "", "reasoning", "winner"],
  ["question", "judge", "", "reasoning", "answer"],
  ["law", "nla", "", "claims", "answer"],
  ["law", "nla", "claims", "evidence", "statement"],
  ["law", "nla", "claims", "statement", "confidence"],
  ["law", "nla", "responses", "reason", "response"],
  ["law", "ala", "", "claims", "answer"],
  ["law", "nla_critic", "verdicts", "reason", "verdict"],
  ["law", "ala_critic", "critiques", "description", "severity"],
  ["law", "sup", "", "reasons", "position"],
  ["law", "sup", "", "reasons", "answer"],
  ["root-cause", "log_focused", "hypotheses", "evidence", "hypothesis"],
  ["root-cause", "kg_focused", "hypotheses", "reasoning", "hypothesis"],
  ["root-cause", "hybrid", "hypotheses", "hypothesis", "confidence"],
  ["root-cause", "judge", "scores", "strengths", "evidence_quality"],
  ["root-cause", "judge", "scores", "weaknesses", "consistency"],
  ["sentiment", "validator", "", "structural_risks", "correction_proposals"],
  ["sentiment", "validator", "structural_risks", "description", "severity"],
  ["sentiment", "validator", "correction_proposals", "rationale", "proposal_type"],
  ["sentiment", "ate", "aspects", "rationale", "confidence"],
  ["sentiment", "atsa", "aspect_sentiments", "evidence", "polarity"],
  ["sentiment", "atsa", "aspect_sentiments", "polarity", "confidence"],
  ["sentiment", "epm", "proposed_edits", "evidence", "op"],
  ["sentiment", "cj", "proposed_edits", "op", "confidence"],
  ["sentiment", "judge", "", "aspect_evidence", "final_patch"],
  ["sentiment", "judge", "", "rationale", "final_tuples"],
  ["sentiment", "judge", "", "rationale", "winner"],
  ["sentiment", "atsa_review", "sentiment_review", "reason", "action"],
  ["sentiment", "validator_review", "", "structural_risks", "final_validation"],
];

test.each(rows)("%s %s %s: %s comes before %s", async (packName, roleName, place, reason, conclusion) => {
  const pack = await loadPack(packName);
  const roles = configsOf(pack).flatMap((config) => pack.roles(pack.config.parse(config)));
  const shapes = roles
    .filter(({ name }) => name === roleName)
    .map(({ reply }) => Object.keys(propertiesAt(buildReplySchema(reply).strict, place)))
    .filter((keys) => keys.includes(reason) && keys.includes(conclusion));
  expect(shapes.length, `no reply of ${roleName} has both keys`).toBeGreaterThan(0);
  for (const keys of shapes) expect(keys.indexOf(reason), keys.join(", ")).toBeLessThan(keys.indexOf(conclusion));
});

type Schema = { properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] };

/** The keys of a reply, or of the items of a list in it (`scores`, `claims/responses`). */
function propertiesAt(schema: Schema, place: string): Record<string, Schema> {
  let at = schema;
  for (const name of place.split("/").filter(Boolean)) {
    const part = at.properties?.[name] ?? {};
    const inner = part.anyOf?.find(({ type }: Schema & { type?: string }) => type !== "null") ?? part;
    at = inner.items ?? inner;
  }
  return at.properties ?? {};
}
