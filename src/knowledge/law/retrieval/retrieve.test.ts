import { expect, it } from "vitest";
import type { Evidence } from "../items/evidence.ts";
import { buildKnowledge, loadKnowledge, addItems } from "../items/knowledge.ts";
import { retrieve } from "./retrieve.ts";

const ids = (query: string) => retrieve(query).evidence.map(({ id }) => id);

it.each([
  ["Berapa bagian mutlak dua anak sah bila ada wasiat?", ["NAT-KUHPER-914"]],
  ["How much is the reserved share of two children against a will?", ["NAT-KUHPER-914"]],
  ["Siapa mengurus tanah kaum di Minangkabau?", ["ADT-MIN-13"]],
  ["Who takes care of a Minangkabau clan's ancestral land?", ["ADT-MIN-13"]],
  ["Anak perempuan Bali menuntut bagian sama menurut KUHPerdata.", ["NAT-KUHPER-852", "ADT-BAL-10"]],
  ["Is a gift without a deed valid in Bali?", ["ADT-BAL-16", "NAT-KUHPER-1682"]],
])("%s finds %j", (query, expected) => {
  for (const id of expected) expect(ids(query)).toContain(id);
});

it("an item that the question cites comes first", () => {
  expect(ids("Apa isi Pasal 1045 KUHPerdata?")[0]).toBe("NAT-KUHPER-1045");
});

it("fired rules and graph relations are evidence with the items they rest on", () => {
  const { evidence } = retrieve("Bolehkah sawah pusako tinggi dijual menurut adat Minangkabau?");
  const rule = evidence.find(({ id }) => id === "rule:minangkabau:no-sale");
  expect(rule).toMatchObject({ kind: "rule", domain: "adat", community: "minangkabau", related: ["ADT-MIN-07"] });
  const relation = evidence.find(({ kind }) => kind === "kg");
  expect(relation?.id).toMatch(/^kg:\w+\|\w+\|\w+$/);
  expect(relation?.source).not.toBe("");
});

it("graph relations lie at most two hops from what the question names", () => {
  for (const { hops } of retrieve("Bagaimana kedudukan sentana rajeg?").graph) expect([1, 2]).toContain(hops);
});

it("a norm of another community is not offered", () => {
  const others = retrieve("Bagaimana warisan dibagi menurut adat Jawa?").evidence.filter(
    ({ community }) => community === "bali",
  );
  expect(others).toEqual([]);
});

it("each side of a conflict gets room", () => {
  const { evidence } = retrieve(
    "Tanah ulayat kaum bersertipikat atas nama mamak, kaum menggugat menurut adat Minangkabau.",
  );
  expect(evidence.some(({ domain }) => domain === "national")).toBe(true);
  expect(evidence.some(({ domain }) => domain === "adat")).toBe(true);
});

it("outside the field there is no evidence, and the question is marked", () => {
  const { evidence, out_of_scope: outOfScope } = retrieve("Berapa tarif pajak kendaraan?");
  expect([evidence.length, outOfScope]).toEqual([0, true]);
});

it("a forged provision is named and unknown, and nothing is offered in its place as if cited", () => {
  const { cited, evidence } = retrieve("Menurut Pasal 8521 KUHPerdata, berapa bagian anak?");
  expect(cited).toEqual([{ text: "Pasal 8521 KUHPerdata", id: null, known: false }]);
  expect(evidence.filter(({ found_by: by }) => by.includes("citation"))).toEqual([]);
});

it("between equal items the unconfirmed one ranks lower", () => {
  const [first] = loadKnowledge().items;
  if (!first) throw new Error("no items");
  const item = (id: string, confidence: Evidence["confidence"]): Evidence => ({
    ...first,
    id,
    aliases: [],
    confidence,
    statement: "Warisan dibagi rata kepada saudara tiri.",
    related: [],
  });
  const knowledge = buildKnowledge([
    ...loadKnowledge().items.slice(1, 40),
    item("A", "unconfirmed"),
    item("B", "confirmed"),
  ]);
  expect(
    retrieve("Bagaimana warisan dibagi rata kepada saudara tiri?", {}, knowledge)
      .evidence.filter(({ kind }) => kind !== "kg" && kind !== "rule")
      .map(({ id }) => id)
      .filter((id) => id === "A" || id === "B"),
  ).toEqual(["B", "A"]);
});

it("a user's own items are found beside the shipped ones", () => {
  const [first] = loadKnowledge().items;
  if (!first) throw new Error("no items");
  const own: Evidence = {
    ...first,
    id: "OWN-1",
    aliases: [],
    title: "Awig-awig Desa X",
    statement: "Warisan sentana rajeg dicatat di lontar desa.",
    related: [],
  };
  expect(
    retrieve("Di mana warisan sentana rajeg dicatat?", {}, addItems(loadKnowledge(), [own])).evidence.map(
      ({ id }) => id,
    ),
  ).toContain("OWN-1");
});
