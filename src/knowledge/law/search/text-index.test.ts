import { describe, expect, it } from "vitest";
import { loadKnowledge } from "../items/knowledge.ts";
import { searchMatter } from "./text-index.ts";

const knowledge = loadKnowledge();
const find = (query: string): string[] =>
  searchMatter(knowledge, query, "id")
    .slice(0, 3)
    .map(({ evidence }) => evidence.id);

describe("evidence is sought by what is asked", () => {
  it("who asks adds nothing: a people and a faith do not change what is found first", () => {
    const asked = "Orang tua bercerai. Siapa yang berhak mengasuh anak laki-laki mereka?";
    expect(find(asked)).toContain("NAT-UUP-41");
    expect(find(`Pasangan Batak Kristen: ${asked}`)).toContain("NAT-UUP-41");
  });

  it("a word that only one people has is what is asked about", () => {
    expect(find("Apa itu pauseang?")[0]).toBe("ADT-BTK-03");
  });
});
