import { expect, test } from "vitest";
import { loadRules } from "../rules/shipped-rules.ts";
import { retrieve } from "../retrieval/retrieve.ts";
import { findDisputedFacts, isDisputable } from "./disputed-facts.ts";
import { sayFact } from "./fact-phrases.ts";

test.each([
  [
    "Anaknya bilang sawah itu pusako rendah. Kemenakannya membantah: sawah itu pusako tinggi.",
    ["class(rice_field, pusako_rendah)", "class(rice_field, pusako_tinggi)"],
  ],
  ["Mamak bilang kaum sudah mufakat, kemenakan bilang kaum tidak pernah mufakat.", ["consensus(estate)"]],
  ["Putrinya mengaku sentana rajeg, tetapi pamannya menyangkal.", ["person(sentana_rajeg)"]],
  ["It is unclear whether the house is joint property.", ["class(house, joint_property)"]],
])("what one party says and another says otherwise, and what is called unclear, is disputed: %s", (query, facts) => {
  expect(findDisputedFacts(`Menurut adat, siapa ahli warisnya? ${query}`)).toEqual(facts);
});

test.each([
  "Kakak bilang menurut adat Bali anak perempuan tidak mewaris. Saya bilang menurut KUHPerdata bagian kami sama.",
  "Kaum menolak wasiat itu karena sawahnya pusako tinggi.",
  "Ayah bilang sawah itu pusako tinggi. Bolehkah digadaikan?",
  "Undang-undang bilang separuh, istri menuntut separuh gono-gini.",
])("who differs about the law, or says what nobody denies, disputes no fact: %s", (query) => {
  expect(findDisputedFacts(query)).toEqual([]);
});

test("a disputed fact is kept with the conclusions that rest on it, for either answer", () => {
  const { disputed = [], rules } = retrieve(
    "Sawah pusako tinggi di Agam digadaikan mamak. Mamak bilang kaum sudah mufakat, kemenakan bilang kaum tidak pernah mufakat. Sahkah gadai itu menurut adat?",
  );
  expect(disputed.map(({ fact }) => fact)).toContain("not consensus(rice_field)");
  const known = new Set(rules.conclusions.map(({ fact }) => fact));
  for (const { bears } of disputed) expect(bears.filter((fact) => !known.has(fact))).toEqual([]);
});

test("a dispute that no rule turns on is none that matters", () => {
  const query =
    "Ayah kami wafat di Bukittinggi. Ia bilang sudah membaca buku itu, kakak membantah. Siapa ahli warisnya?";
  expect(retrieve(query).disputed).toBeUndefined();
});

test("what may be disputed has words in both languages", () => {
  const derived = new Set(
    loadRules().flatMap(({ conclude }) => conclude.map((fact) => fact.replace(/^not |\(.*/g, ""))),
  );
  const disputable = loadRules().flatMap(({ when, unless = [] }) => [...when, ...unless]);
  const facts = disputable.flatMap((condition) => /[a-z_]+\([^)]*\)/.exec(condition) ?? []).filter(isDisputable);
  const stated = facts.filter((fact) => !derived.has(fact.replace(/\(.*/, "")));
  for (const fact of stated)
    for (const language of ["id", "en"] as const) expect(sayFact(fact, language), fact).not.toMatch(/^\w+: |…/u);
});
