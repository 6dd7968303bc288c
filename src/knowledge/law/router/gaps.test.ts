import { describe, expect, it, test } from "vitest";
import { loadKnowledge } from "../items/knowledge.ts";
import { loadPeoples } from "../mentions/concept.ts";
import { findMentions } from "../mentions/mentions.ts";
import { retrieve } from "../retrieval/retrieve.ts";
import { findPeopleGaps, findTopicGaps } from "./gaps.ts";

const topicsOf = (query: string): string[] => findTopicGaps(query, loadKnowledge()).map(({ id }) => id);
const peoplesOf = (query: string): string[] => findPeopleGaps(findMentions(query), loadKnowledge()).map(({ id }) => id);

describe("what is near the field and not in the knowledge base (law spec §1.2)", () => {
  test.each([
    ["Berapa pajak atas warisan rumah?", "inheritance-tax"],
    ["Siapa nazhir tanah wakaf itu?", "endowments"],
    ["Dokumen apa saja untuk mengurus surat itu?", "procedure"],
    ["Is overtime pay owed on a holiday?", "labour"],
  ])("%s → %s", (query, id) => expect(topicsOf(query)).toContain(id));

  it("is no gap when the items nearest to the question speak of it", () => {
    expect(topicsOf("Can a foreigner hold a right of ownership (hak milik) over land in Indonesia?")).toEqual([]);
  });

  it("a question in a gap gets no evidence, and the gap is named", () => {
    const { evidence, gaps, out_of_scope } = retrieve("Apakah warisan dari orang tua kena pajak penghasilan?");
    expect({ evidence, out_of_scope }).toEqual({ evidence: [], out_of_scope: true });
    expect(gaps?.map(({ label }) => label).join()).toContain("pajak");
  });
});

describe("peoples", () => {
  test.each([
    ["Menurut adat Nias, berapa jujuran yang wajar?", ["nias"]],
    ["Keluarga saya Bugis, siapa yang mewaris?", ["bugis"]],
    ["Under Acehnese custom, who inherits?", ["aceh"]],
    ["Ayah kami orang Bali meninggal.", []],
    ["Siapa yang menempati rumah adat di Nias?", ["nias"]],
    ["By the custom of Flores, who takes the cattle?", ["lamaholot"]],
    ["Rumah kami di Makassar dijual oleh adik.", []],
    ["Sebuah keluarga di Makassar menjual rumahnya.", []],
    ["Menurut banjar kami di Bali, siapa yang ngayah?", []],
  ])("%s → %j", (query, ids) => expect(peoplesOf(query)).toEqual(ids));

  it("every one of them is recognised by each of its names, and by no other's", () => {
    const names = loadPeoples().flatMap(({ id, terms }) => terms.map((term) => ({ id, term })));
    const seen = Map.groupBy(names, ({ term }) => term);
    expect([...seen.values()].filter((of) => of.length > 1)).toEqual([]);
    expect(names.filter(({ id, term }) => !findMentions(term).some(({ concept }) => concept.id === id))).toEqual([]);
  });
});
