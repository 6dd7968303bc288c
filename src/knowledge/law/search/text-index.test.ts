import { describe, expect, it } from "vitest";
import { loadKnowledge } from "../items/knowledge.ts";
import { searchMatter } from "./text-index.ts";

const knowledge = loadKnowledge();
const find = (query: string): string[] =>
  searchMatter(knowledge, query, "id")
    .slice(0, 3)
    .map(({ evidence }) => evidence.id);

describe("evidence is sought by what is asked", () => {
  it("who asks adds nothing: the norms of a people are not found because its name is said", () => {
    const found = find("Dua orang Jawa menikah tanpa dicatatkan. Apakah perkawinannya sah?");
    expect(found[0]).toBe("NAT-UUP-2");
    expect(found.filter((id) => id.startsWith("ADT-JAW"))).toEqual([]);
  });

  it("a word that only one people has is what is asked about", () => {
    expect(find("Apa itu pauseang?")[0]).toBe("ADT-BTK-03");
  });
});
