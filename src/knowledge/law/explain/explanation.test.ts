import { expect, it } from "vitest";
import { writeExplanation } from "./explanation-text.ts";
import { explain, type Proof } from "./explanation.ts";

it("every conclusion is proved down to facts that the question states", () => {
  const { proofs, facts } = explain("Suami menjual rumah harta bersama tanpa izin istrinya.");
  const leaves = (proof: Proof): string[] => (proof.from.length === 0 ? [proof.fact] : proof.from.flatMap(leaves));
  expect(proofs.map(({ fact }) => fact)).toContain("not may(national, sell, house)");
  for (const leaf of proofs.flatMap(leaves)) expect(facts).toContain(leaf);
});

it("the text shows rules, sources, unknowns and contradictions in the question's language", () => {
  const text = writeExplanation(
    explain("Anak perempuan Bali menuntut bagian sama dengan saudara laki-lakinya menurut KUHPerdata."),
  );
  expect(text).toContain("rule:bali:daughter-not-equal");
  expect(text).toContain("KUHPerdata Pasal 852 [NAT-KUHPER-852]");
  expect(text).toContain(
    "antar sistem: equal_shares(civil_code, son, daughter)  ↔  not equal_shares(bali, son, daughter)",
  );
  expect(text).toMatch(/religion_changed\(daughter\)\?.*gugur/);
  expect(writeExplanation(explain("May a clan sell a Minangkabau rumah gadang?"))).toContain(
    "Conclusions of the rules",
  );
});

it("a question outside the field says so", () => {
  expect(writeExplanation(explain("Berapa tarif pajak kendaraan?"))).toContain("di luar basis pengetahuan");
});
