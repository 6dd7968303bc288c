import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { route, routeLabels } from "./route.ts";

type Labelled = { id: string; query: string; label: string | null; out_of_scope: boolean };
const files = ["router-queries.json", "router-queries-more.json"];
const labelled = files.flatMap((name) => {
  const file = new URL(`../../../../examples/law/${name}`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as Labelled[];
});

it("routes at least 95 % of the labelled queries right, and the scope of all", () => {
  const gold = labelled.filter(({ label }) => label !== null);
  const wrong = gold.filter(({ query, label }) => route(query).label !== label).map(({ id }) => id);
  expect(wrong.length / gold.length, wrong.join(", ")).toBeLessThanOrEqual(0.05);
  const misplaced = labelled.filter((one) => route(one.query).out_of_scope !== one.out_of_scope);
  expect(misplaced.map(({ id }) => id)).toEqual([]);
});

it.each([
  ["Bandingkan wasiat menurut adat Jawa dan KUHPerdata tanpa menyebut konflik.", "consensus"],
  ["Adat Jawa tidak bertentangan dengan UU Perkawinan soal harta bawaan, benar?", "consensus"],
  ["Adat Jawa tidak sejalan dengan UU Perkawinan soal harta bawaan, benar?", "conflict"],
  ["Apakah barang yang dibeli harus kembali kepada ahli waris menurut KUHPerdata?", "pure_national"],
  ["Jelaskan waris adat Bali tanpa membahas KUHPerdata.", "pure_adat"],
])("%s → %s", (query, label) => expect(route(query).label).toBe(label));

it("a topic of another field counts once, however often it is named", () => {
  const harm =
    "Penyewa lain merusak gudang, lalu penyewa lain itu minta ganti rugi kepada penyewa pertama. Apa syaratnya?";
  expect(route(harm).out_of_scope).toBe(false);
});

it("a hint of the caller wins over what the question shows, and the rationale says so", () => {
  const query = "Siapa yang mengelola pusako tinggi?";
  const hinted = route(query, "conflict");
  expect(hinted.label).toBe("conflict");
  expect(hinted.rationale).toContain("pure_adat");
  expect(hinted.scores).toEqual(route(query).scores);
});

it("any text gets one of the four labels", () => {
  fc.assert(fc.property(fc.string(), (text) => routeLabels.includes(route(text).label)));
});
