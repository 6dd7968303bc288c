import { expect, it } from "vitest";
import { type SimilarIncident, SimilarIncidentSchema } from "./find-similar-incidents.ts";
import { weighMatch } from "./weigh-match.ts";

const learned = (fields: Partial<SimilarIncident>): SimilarIncident =>
  SimilarIncidentSchema.parse({
    incident_id: "a",
    similarity: 0.5,
    covered: 0.5,
    source: "learned",
    category: "config",
    cause: "the flag was off",
    matched: { events: ["one <*>", "two <*>"] },
    ...fields,
  });

it.each<[string, Partial<SimilarIncident>, boolean]>([
  ["alike and clear of every other cause", {}, true],
  ["that nobody confirmed", { source: "starter" }, false],
  ["that is hardly alike", { similarity: 0.29 }, false],
  ["of which little is seen here", { covered: 0.2 }, false],
  ["not clear of another confirmed cause", { next_cause: 0.4 }, false],
  ["less alike than one that nobody confirmed", { next_unconfirmed: 0.6 }, false],
  ["that one that nobody confirmed comes near to", { next_unconfirmed: 0.45 }, true],
  [
    "nearly whole, but not clear of another confirmed cause",
    { similarity: 0.85, covered: 0.9, next_cause: 0.65 },
    false,
  ],
  ["that shares a single message of several", { matched: { events: ["one <*>"], errors: [], entities: [] } }, false],
])("a past incident %s: settles", (_name, fields, settles) => {
  expect(weighMatch(learned(fields)).settles).toBe(settles);
});

it("what settles carries more than anything that does not", () => {
  const settled = weighMatch(learned({ similarity: 0.3 })).strength;
  const unsettled = weighMatch(learned({ similarity: 1, next_cause: 1 })).strength;
  expect(settled).toBeGreaterThan(unsettled);
});
