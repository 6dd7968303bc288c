import { describe, expect, it } from "vitest";
import { detectLanguage } from "./language.ts";
import { findConceptIds, findMentions } from "./mentions.ts";

it.each([
  ["Barang itu harus kembali kepada penjawab.", []],
  ["Harta kembali ke Bali.", ["bali"]],
  ["Kemenakannya menempati rumah gadang.", ["kemenakan", "rumah_gadang"]],
  ["Siapa ahli waris anak angkat?", ["heir", "adopted_child"]],
  ["Anak perempuan dan anak laki-laki", ["daughter", "son"]],
  ["kan sudah dibagi", ["division"]],
  ["diputus oleh KAN", ["kan"]],
  ["Who will inherit the house?", ["heir", "house"]],
  ["Is a will valid?", ["will"]],
  ["Our last wishes", ["oral_will"]],
  ["The last wishes of a Javanese mother", ["weling", "oral_will", "jawa", "parent"]],
])("%s names %j", (text, ids) => expect(findConceptIds(text)).toEqual(ids));

it.each([
  ["Siapa yang mewaris?", "id"],
  ["Who inherits the land?", "en"],
  ["sentana rajeg", "id"],
] as const)("the language of %s is %s", (text, language) => expect(detectLanguage(text)).toBe(language));

describe("a people named across the end of a longer phrase", () => {
  it.each([
    ["sengketa tanah adat Papua", ["papua"]],
    ["tanah adat di sana", []],
  ])("%s: %j", (text, peoples) => {
    const found = findMentions(text).filter(({ concept }) => concept.type === "community");
    expect(found.map(({ concept }) => concept.id)).toEqual(peoples);
  });
});
