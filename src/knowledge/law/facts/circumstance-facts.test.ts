import { expect, test } from "vitest";
import { readAtom, unify } from "../rules/atom.ts";
import { compile } from "../rules/compile.ts";
import { loadRules } from "../rules/shipped-rules.ts";
import { CircumstanceSchema, loadCircumstances } from "./circumstance-facts.ts";
import { extractFacts } from "./extract-facts.ts";

const rows = loadCircumstances();
const examples = rows.flatMap((row) => row.examples.map(({ query, fact }) => ({ row, query, fact })));

test.each(examples)("$query states $fact", ({ query, fact }) => {
  expect(extractFacts(query)).toContain(fact);
});

test.each(examples.filter(({ row }) => row.negation === "denies"))(
  "$query does not state the opposite of $fact",
  (one) => {
    const opposite = one.fact.startsWith("not ") ? one.fact.slice(4) : `not ${one.fact}`;
    expect(extractFacts(one.query)).not.toContain(opposite);
  },
);

test("a row that a negation turns around has an example of both", () => {
  for (const { negation, examples: of, fact } of rows)
    if (negation === "denies") expect(new Set(of.map((one) => one.fact.startsWith("not "))).size, fact).toBe(2);
});

test("every fact that a row states is read by a rule", () => {
  const conditions = loadRules()
    .map(compile)
    .flatMap(({ facts, asked, unless }) => [...[...facts, ...asked].map(({ atom }) => atom), ...unless]);
  const isRead = (fact: string) => {
    const stated = readAtom(fact);
    return conditions.some((atom) => unify({ ...atom, negated: stated.negated }, stated, new Map()) !== null);
  };
  expect(examples.filter(({ fact }) => !isRead(fact)).map(({ fact }) => fact)).toEqual([]);
});

test.each([
  ["Perkawinan mereka tidak tercatat.", "registered(marriage)"],
  ["Perkawinan itu tanpa KUA.", "registered(marriage)"],
  ["Apakah kaum itu dianggap punah?", "line_extinct(kaum)"],
  ["Anak angkat itu diambil diam-diam, lalu diketahui keluarga.", "public(adoption)"],
  ["Warisan dibagi sepikul segendongan atau dundum kupat?", "practice(dundum_kupat)"],
])("%s does not state %s", (query, fact) => {
  expect(extractFacts(query)).not.toContain(fact);
});

test("a row without a concept or a phrase is refused", () => {
  const row = { fact: "camput(family)", examples: [{ query: "Camput.", fact: "camput(family)" }] };
  expect(CircumstanceSchema.safeParse(row).success).toBe(false);
});

test("no row is lost: this is what a question can say", () => {
  const stated = rows.map(({ fact }) => fact).toSorted();
  expect(stated.join("; ")).toBe(
    [
      "accepts(inventory); acknowledged(child_out_of_wedlock); acquired({land}, purchase); age(party, {1}); age(spouse, {1}); age(testator, {1})",
      "built_on(house, pusako_tinggi); camput(family); ceremony(adoption); certified({land}); debts(estate)",
      "divorced(spouses); duties({person}); killed({person}); line_extinct(kaum); line_extinct(kaum)",
      "marriage_form(nyentana); marriage_form(pada_gelahang); marriage_form(same_suku); married_out(daughter)",
      "not court(divorce); not duties({person}); not public(adoption); practice(dundum_kupat)",
      "practice(sepikul_segendongan); predeceased(parent); proven(paternity); public(adoption)",
      "registered(marriage); registered(marriage); rejects(heir); religion_changed({person}); remarried(widow)",
      "remarried(widower)",
    ].join("; "),
  );
});
