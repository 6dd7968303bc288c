import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readAtom } from "../rules/atom.ts";
import { runRules } from "../rules/run-rules.ts";
import { loadRules } from "../rules/shipped-rules.ts";
import { extractFacts } from "./extract-facts.ts";

it.each([
  [
    "Ibu meninggal, meninggalkan dua anak perempuan dan seorang anak laki-laki.",
    ["count(daughters, 2)", "count(sons, 1)", "count(children, 3)"],
  ],
  ["A man died leaving a wife and four children.", ["spouse(widow)", "count(children, 4)"]],
  ["Salah satu anak menuntut rumah itu.", ["person(child)", "asset(house)"]],
  ["Almarhum tidak punya anak.", ["not exists(child)"]],
  [
    "Mamak menggadaikan sawah pusako tinggi untuk biaya pemakaman dengan mufakat kaum.",
    ["class(rice_field, pusako_tinggi)", "act(pawn, rice_field)", "purpose(pawn, funeral)", "consensus(rice_field)"],
  ],
  [
    "Sawah kaum digadaikan untuk biaya kuliah tanpa persetujuan kaum.",
    ["purpose(pawn, other)", "not consensus(pusako_tinggi)"],
  ],
  ["Tanah itu ternyata termasuk harta pusako tinggi.", ["class(land, pusako_tinggi)"]],
  ["Ia membangun rumah di atas tanah pusako tinggi istrinya.", ["asset(house)", "built_on(house, pusako_tinggi)"]],
  ["Anak perempuan Bali pindah agama.", ["community(bali)", "religion_changed(daughter)"]],
  [
    "Suami menjual tanah harta bersama tanpa persetujuan istri.",
    ["class(land, joint_property)", "act(sell, land)", "not consent(spouse)"],
  ],
  ["Ia mewasiatkan 60% hartanya kepada yayasan.", ["will_share(3/5)"]],
  ["He left half of his estate by will to a friend.", ["act(will, estate)", "will_share(1/2)"]],
  ["Janda di Bali belum kawin lagi.", ["spouse(widow)", "not remarried(widow)"]],
  ["Anak luar kawin itu tidak diakui ayahnya.", ["not acknowledged(child_out_of_wedlock)"]],
  ["Pewaris beragama Islam.", ["religion(islam)", "subject_to(islamic)"]],
])("%s", (query, expected) => {
  const facts = extractFacts(query);
  for (const fact of expected) expect(facts).toContain(fact);
});

it("a will without a stated share gets none", () => {
  const facts = extractFacts("Ayah membuat wasiat untuk keponakannya, padahal ia punya dua anak. Apakah sah?");
  expect(facts).toContain("act(will, estate)");
  expect(facts.filter((fact) => fact.startsWith("will_share"))).toEqual([]);
});

it("the reserved share asked about is not taken for the will's share", () => {
  const facts = extractFacts("Ada wasiat untuk panti. Apakah bagian mutlak anak sepertiga?");
  expect(facts.filter((fact) => fact.startsWith("will_share"))).toEqual([]);
});

it("only assets and persons that the question names are derived over", () => {
  const { conclusions } = runRules(extractFacts("Apakah mamak boleh menjual sawah pusako tinggi?"), loadRules());
  const named = new Set(["rice_field", "mamak", "pusako_tinggi"]);
  const assets = conclusions.filter(({ fact }) => fact.includes("may(")).map(({ fact }) => readAtom(fact).args.at(-1));
  for (const asset of assets) expect(named.has(asset ?? "")).toBe(true);
  expect(conclusions.map(({ fact }) => fact)).toContain("not may(minangkabau, sell, rice_field)");
});

it.each([
  "Apakah mamak dan kemenakan sama-sama berhak atas pusako tinggi?",
  "Apakah sentana rajeg mewaris tanah di Bali?",
  "Anak diangkat di Bali menuntut rumah orang tua angkatnya.",
  "Apakah orang Islam di Jawa boleh memakai KUHPerdata untuk membagi rumah kepada anak perempuan?",
])("a question with opposed statements still gets conclusions: %s", (query) => {
  expect(runRules(extractFacts(query), loadRules()).conclusions.length).toBeGreaterThan(0);
});

it("over all example questions a contradiction never leaves the result empty, and most questions in scope get conclusions", () => {
  const queries = ["router-queries.json", "router-queries-more.json"].flatMap((name) => {
    const file = new URL(`../../../../examples/law/${name}`, import.meta.url);
    return JSON.parse(readFileSync(file, "utf8")) as { query: string; out_of_scope: boolean }[];
  });
  const results = queries
    .filter((one) => !one.out_of_scope)
    .map(({ query }) => runRules(extractFacts(query), loadRules()));
  for (const { conclusions, contradictions } of results)
    if (contradictions.length > 0) expect(conclusions).not.toEqual([]);
  const answered = results.filter(({ conclusions }) => conclusions.length > 0).length;
  expect(answered / results.length).toBeGreaterThan(0.6);
});

it("property: any text yields well-formed facts that the rules can run on", () => {
  const words = fc.constantFrom(
    ..."anak perempuan Bali sawah pusako tinggi wasiat 40% seluruh harta tidak punya suami janda cerai KUHPerdata dua gadai mufakat adat sold the will daughter clan".split(
      " ",
    ),
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(words, fc.string()), { maxLength: 14 }), (parts) => {
      const facts = extractFacts(parts.join(" "));
      for (const fact of facts) readAtom(fact);
      runRules(facts, loadRules());
    }),
  );
});
