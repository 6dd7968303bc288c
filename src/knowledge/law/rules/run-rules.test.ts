import fc from "fast-check";
import { expect, it } from "vitest";
import { loadKnowledge } from "../items/knowledge.ts";
import { compile } from "./compile.ts";
import type { Rule } from "./rule.ts";
import { runRules } from "./run-rules.ts";
import { loadRules } from "./shipped-rules.ts";

const rule = (id: string, when: string[], conclude: string[], unless?: string[]): Rule => ({
  id: `rule:test:${id}`,
  when,
  conclude,
  ...(unless ? { unless } : {}),
  statement: `${id} {X}`,
  statement_en: `${id} {X}`,
  sources: ["NAT-KUHPER-852"],
});

it("a conclusion names its rules and the facts it came from, through several steps", () => {
  const rules = [rule("step", ["a(X)"], ["b(X)"]), rule("last", ["b(X)", "c(X)"], ["d(X)"])];
  const { conclusions } = runRules(["a(one)", "c(one)", "c(two)"], rules);
  expect(conclusions.map(({ fact, by, from }) => ({ fact, by, from }))).toEqual([
    { fact: "b(one)", by: ["rule:test:step"], from: ["a(one)"] },
    { fact: "d(one)", by: ["rule:test:last"], from: ["b(one)", "c(one)"] },
  ]);
});

it("an absent fact is unknown, not false: a negative condition needs a stated negative fact", () => {
  const rules = [rule("no", ["a(X)", "not b(X)"], ["c(X)"])];
  expect(runRules(["a(one)"], rules).conclusions).toEqual([]);
  expect(runRules(["a(one)", "not b(one)"], rules).conclusions.map(({ fact }) => fact)).toEqual(["c(one)"]);
});

it("what a rule asks for is reported as unknown with what it would conclude, unless it is denied", () => {
  const rules = [rule("asks", ["a(X)", "ask b(X)"], ["c(X)"])];
  expect(runRules(["a(one)"], rules).unknown).toEqual([
    { fact: "b(one)", needed_by: ["rule:test:asks"], would_conclude: ["c(one)"] },
  ]);
  expect(runRules(["a(one)", "not b(one)"], rules).unknown).toEqual([]);
});

it("an exception that nobody stated is presumed absent and reported as what would defeat the conclusion", () => {
  const rules = [rule("presumes", ["a(X)"], ["c(X)"], ["b(X)"])];
  const open = runRules(["a(one)"], rules);
  expect(open.conclusions.map(({ fact }) => fact)).toEqual(["c(one)"]);
  expect(open.unknown).toEqual([
    { fact: "b(one)", needed_by: ["rule:test:presumes"], would_conclude: [], would_defeat: ["c(one)"] },
  ]);
  expect(runRules(["a(one)", "b(one)"], rules).conclusions).toEqual([]);
});

it("a contradiction inside one system is reported and both sides stay", () => {
  const rules = [rule("yes", ["a(X)"], ["may(bali, X)"]), rule("no", ["a(X)"], ["not may(bali, X)"])];
  const { conclusions, contradictions } = runRules(["a(one)"], rules);
  expect(conclusions).toHaveLength(2);
  expect(contradictions).toMatchObject([{ kind: "within", facts: ["may(bali, one)", "not may(bali, one)"] }]);
});

it("two systems that answer the same question differently are a contradiction between them", () => {
  const rules = [rule("yes", ["a(X)"], ["may(civil_code, X)"]), rule("no", ["a(X)"], ["not may(bali, X)"])];
  expect(runRules(["a(one)"], rules).contradictions).toMatchObject([{ kind: "between" }]);
});

it.each([
  [1, "1/2"],
  [3, "1/4"],
])("spouse and %i children take %s each", (children, share) => {
  const facts = ["spouse(widow)", `count(children, ${children})`, "subject_to(civil_code)"];
  expect(runRules(facts, loadRules()).conclusions.map(({ fact }) => fact)).toContain(
    `share(civil_code, each_child, ${share})`,
  );
});

it.each([
  [1, "1/2"],
  [2, "2/3"],
  [3, "3/4"],
  [5, "3/4"],
])("the reserved share of %i children is %s", (children, share) => {
  const facts = ["at_issue(legitime)", `count(children, ${children})`, "subject_to(civil_code)"];
  const reserved = runRules(facts, loadRules()).conclusions.filter(({ fact }) => fact.startsWith("reserved_share"));
  expect(reserved.map(({ fact }) => fact)).toEqual([`reserved_share(civil_code, children, ${share})`]);
});

it("a will without a stated share is neither reducible nor not: the share is unknown", () => {
  const facts = ["act(will, estate)", "at_issue(legitime)", "count(children, 1)", "subject_to(civil_code)"];
  const { conclusions, unknown } = runRules(facts, loadRules());
  expect(conclusions.filter(({ fact }) => fact.includes("reducible"))).toEqual([]);
  expect(unknown.map(({ fact }) => fact)).toContain("will_share(?)");
});

it("at least 60 rules ship, each readable, with sources in the knowledge base", () => {
  const rules = loadRules();
  expect(rules.length).toBeGreaterThanOrEqual(60);
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  for (const one of rules) {
    expect(() => compile(one)).not.toThrow();
    for (const source of one.sources) expect(loadKnowledge().find(source), `${one.id} → ${source}`).not.toBeNull();
  }
});

const atoms = ["p", "q", "r", "s"].flatMap((name) => ["one", "two"].map((arg) => `${name}(bali, ${arg})`));
const literal = fc
  .tuple(fc.boolean(), fc.constantFrom("p", "q", "r", "s"), fc.constantFrom("X", "one"))
  .map(([not, name, arg]) => `${not ? "not " : ""}${name}(bali, ${arg})`);
const facts = fc.uniqueArray(
  fc.tuple(fc.boolean(), fc.constantFrom(...atoms)).map(([not, atom]) => (not ? `not ${atom}` : atom)),
  { maxLength: 8 },
);
const rules = fc
  .array(fc.record({ when: fc.array(literal, { minLength: 1, maxLength: 3 }), conclude: literal }), { maxLength: 8 })
  .map((list) => list.map(({ when, conclude }, index) => rule(`r${index}`, [...when, "p(bali, X)"], [conclude])));

it("property: whatever the facts and rules, chaining ends and contradictions never empty the result", () => {
  fc.assert(
    fc.property(facts, rules, (given, list) => {
      const { conclusions, contradictions } = runRules(given, list);
      const all = new Set([...given, ...conclusions.map(({ fact }) => fact)]);
      for (const { facts: pair } of contradictions) for (const fact of pair) expect(all.has(fact)).toBe(true);
      for (const { from } of conclusions) for (const fact of from) expect(all.has(fact)).toBe(true);
    }),
  );
});

it("property: the order of facts and rules changes nothing", () => {
  fc.assert(
    fc.property(facts, rules, (given, list) => {
      expect(runRules(given.toReversed(), list.toReversed())).toEqual(runRules(given, list));
    }),
  );
});

it("property: a fact that no rule speaks of changes nothing", () => {
  fc.assert(
    fc.property(facts, rules, (given, list) => {
      expect(runRules([...given, "weather(rain)"], list)).toEqual(runRules(given, list));
    }),
  );
});

it("property: any mixture of the facts that questions yield gives conclusions wherever a rule's conditions are met", () => {
  const ground = loadRules().flatMap(({ when }) =>
    when.filter((one) => /^(?:not )?[a-z_]+\([a-z_, 0-9]*\)$/.test(one)),
  );
  fc.assert(
    fc.property(fc.uniqueArray(fc.constantFrom(...ground), { minLength: 1, maxLength: 14 }), (given) => {
      const stated = ["asset(estate)", "community(bali)", "at_issue(inheritance)", ...given];
      const { conclusions } = runRules(stated, loadRules());
      expect(conclusions.map(({ fact }) => fact)).toContain("carries(bali, duties, estate)");
    }),
  );
});
