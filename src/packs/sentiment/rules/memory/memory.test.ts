import { describe, expect, it } from "vitest";
import { edit, risk, stanceTurn, turn } from "../../../../../test/support/sentiment/turns.ts";
import { languageOf } from "../../../../knowledge/opinions/index.ts";
import type { Episode } from "../../schemas/memory.ts";
import { createAspectMatcher } from "../tuples/aspect-matcher.ts";
import { type DebateSoFar, observeDeadlock, isDeadlocked } from "./deadlock-observations.ts";
import { createMemoryAdvice } from "./memory-desk.ts";
import { retrieveEpisodes, readTextStructure } from "./retrieve-episodes.ts";
import { storeEpisode } from "./store-episode.ts";

const text = "The food was great but the service was slow";
const matcher = createAspectMatcher(text, ["food", "service"], languageOf("en"));
const episode = (id: string, over: Partial<Episode> = {}): Episode => ({
  id,
  language: "en",
  structure: "contrast",
  aspect_group: "service",
  principle: "read both clauses",
  advice: null,
  outcome: "unknown",
  ...over,
});
const observed = (over: Partial<DebateSoFar>) =>
  observeDeadlock({ turns: [], strikes: [], risks: [], matcher, ...over });

describe("the four observations of deadlock_obs2of4", () => {
  const positive = turn("epm", edit("set_polarity", "food", "positive"));
  const negative = turn("tan", edit("set_polarity", "food", "negative"));
  it("opposite polarities proposed for one aspect", () => {
    expect(observed({ turns: [positive, negative] })).toEqual(["opposite_polarities"]);
    expect(observed({ turns: [positive, turn("tan", edit("set_polarity", "service", "negative"))] })).toEqual([]);
    const stances = [stanceTurn("a", "pro", "the food"), stanceTurn("b", "con", "this food")];
    expect(observed({ turns: stances })).toEqual(["opposite_polarities"]);
  });
  it("a structural risk open", () => expect(observed({ risks: [risk("IRONY", 0, 3)] })).toEqual(["risk_open"]));
  it("an edit whose evidence is not in the text", () => {
    expect(observed({ strikes: [{ speaker: "epm", round: 1, code: "evidence_not_in_text", what: "x" }] })).toEqual([
      "evidence_not_in_text",
    ]);
  });
  it("a turn that repeats an earlier turn's edits", () => {
    expect(observed({ turns: [positive, { ...positive, speaker: "cj" }] })).toEqual(["edits_repeated"]);
    expect(observed({ turns: [turn("epm"), turn("tan")] })).toEqual([]);
  });
  it("two of them make a deadlock, one does not", () => {
    expect(isDeadlocked(["risk_open"])).toBe(false);
    expect(isDeadlocked(["risk_open", "edits_repeated"])).toBe(true);
  });
});

describe("retrieval", () => {
  it.each([
    ["What a joke, just great", languageOf("en"), "irony"],
    [text, languageOf("en"), "contrast"],
    ["It is not good", languageOf("en"), "negation"],
    ["Good food", languageOf("en"), "none"],
    ["맛은 좋지만 비싸요", languageOf("ko"), "contrast"],
  ])("%j is built as %s", (sample, language, structure) => expect(readTextStructure(sample, language)).toBe(structure));

  it("same language first, then structure, then aspect group; at most three", () => {
    const episodes = [
      episode("ko", { language: "ko" }),
      episode("e-group", { structure: "none" }),
      episode("d-structure", { aspect_group: "battery" }),
      episode("c-both"),
      episode("b-both"),
      episode("a-none", { structure: "irony", aspect_group: "battery" }),
    ];
    const found = retrieveEpisodes(episodes, { text, aspects: ["food", "service"], language_code: "en" });
    expect(found.map((one) => one.id)).toEqual(["b-both", "c-both", "d-structure"]);
  });
});

it("memory advises against a polarity of its own aspect group only", () => {
  const against = createMemoryAdvice([episode("a", { advice: "positive" })], matcher);
  expect([against("service", "negative"), against("service", "positive"), against("food", "negative")]).toEqual([
    true,
    false,
    false,
  ]);
  expect(createMemoryAdvice([episode("a", { advice: "abstain" })], matcher)("service", "positive")).toBe(true);
  expect(createMemoryAdvice([episode("a")], matcher)("service", "positive")).toBe(false);
});

describe("storing", () => {
  it("keeps principles, one an id", () => {
    expect(storeEpisode([episode("a")], episode("a", { principle: "newer" }), { text })).toEqual([
      episode("a", { principle: "newer" }),
    ]);
  });
  it.each([
    ["raw text", episode("a", { principle: "it said the service was slow" }), {}],
    ["a short text as a whole", episode("a", { principle: "says: Good!" }), { text: "Good!" }],
    ["gold", episode("a", { principle: "the waiter is negative" }), { gold: ["waiter"] }],
    ["a field of its own", { ...episode("a"), raw_text: "x" }, {}],
  ])("refuses a write that holds %s", (_name, given, secrets) => {
    expect(() => storeEpisode([], given, { text, ...secrets })).toThrow(/episode/);
  });
});
