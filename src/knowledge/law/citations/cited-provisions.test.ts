import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { findCitedProvisions } from "./cited-provisions.ts";

it.each([
  ["Apa bunyi Pasal 852 KUHPerdata?", [["Pasal 852 KUHPerdata", "NAT-KUHPER-852", true]]],
  ["pasal 852a BW", [["pasal 852a BW", "NAT-KUHPER-852A", true]]],
  ["Pasal 9999 KUHPerdata", [["Pasal 9999 KUHPerdata", null, false]]],
  ["Pasal 35 Undang-Undang Nomor 1 Tahun 1974", [["Pasal 35 Undang-Undang Nomor 1 Tahun 1974", "NAT-UUP-35", true]]],
  ["UU Perkawinan Pasal 2 ayat (1)", [["Pasal 2 ayat (1) UU Perkawinan", "NAT-UUP-2", true]]],
  ["Pasal 2 ayat (9) UU Perkawinan", [["Pasal 2 ayat (9) UU Perkawinan", "NAT-UUP-2", false]]],
  ["Pasal 1321 ayat (2) KUHPerdata", [["Pasal 1321 ayat (2) KUHPerdata", "NAT-KUHPER-1321", false]]],
  [
    "Pasal 35 dan 36 UU 1/1974",
    [
      ["Pasal 35 UU 1/1974", "NAT-UUP-35", true],
      ["Pasal 36 UU 1/1974", "NAT-UUP-36", true],
    ],
  ],
  [
    "Pasal 5 UUPA dan Pasal 852 BW",
    [
      ["Pasal 5 UUPA", "NAT-UUPA-5", true],
      ["Pasal 852 BW", "NAT-KUHPER-852", true],
    ],
  ],
  ["UU No. 99 Tahun 2031 tentang Waris Digital", [["UU No. 99 Tahun 2031 tentang Waris Digital", null, false]]],
  ["UU No. 1 Tahun 1974", [["UU No. 1 Tahun 1974", null, true]]],
  ["UU 1/1974 tentang Mata Uang Kripto", [["UU 1/1974 tentang Mata Uang Kripto", null, false]]],
  ["Menurut UU Warisan Robot 2029 siapa yang mewaris?", [["UU Warisan Robot 2029", null, false]]],
  ["Putusan MA No. 179 K/Sip/1961", [["Putusan MA No. 179 K/Sip/1961", "NAT-MA-179-1961", true]]],
  ["Putusan MA Nomor 8888 K/Pdt/2049", [["Putusan MA Nomor 8888 K/Pdt/2049", null, false]]],
  ["Article 1320 of the Civil Code", [["Article 1320 Civil Code", "NAT-KUHPER-1320", true]]],
  ["Article 77 of Law No. 12 of 2044", [["Article 77 Law No. 12 of 2044", null, false]]],
  ["Pasal 340 KUHP", [["Pasal 340 KUHP", null, false]]],
  ["Apakah undang-undang melarang itu?", []],
])("%s", (query, expected) => {
  expect(findCitedProvisions(query).map(({ text, id, known }) => [text, id, known])).toEqual(expected);
});

it.each([
  ["joints that can be read in two ways", `Pasal 1 ${"s.d ".repeat(5000)}! KUHPerdata`],
  ["white space between an article and nothing", `Pasal 1${" ".repeat(20_000)}!`],
])("ends on %s", (_name, text) => {
  expect(findCitedProvisions(text)).toHaveLength(1);
});

const data = process.env["PARLEY_DATA"] ?? resolve(import.meta.dirname, "../../../../../shared/data");
const tricks = resolve(data, "legal_id/omnibus_trick_questions_a.jsonl");

it.skipIf(!existsSync(tricks))(`no forged citation passes as known (${tricks}, skipped when absent)`, () => {
  const rows = readFileSync(tricks, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, string>);
  const forged = rows.filter(({ category }) => category === "citation_forgery");
  const passed = forged.filter(({ question = "" }) => {
    const cited = findCitedProvisions(question);
    return cited.length === 0 || cited.some(({ known }) => known);
  });
  expect(forged.length).toBeGreaterThan(0);
  expect(passed.map(({ id }) => id)).toEqual([]);
});
