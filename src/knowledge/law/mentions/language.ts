import { splitWords } from "./words.ts";

const indonesian = new Set(
  "yang dan di ke dari untuk dengan apakah apa siapa bagaimana berapa kapan mana adalah atau pada oleh tidak itu ini menurut dalam bila jika kalau boleh bolehkah seorang anak tanah hukum harta akan sudah saya kami juga karena antara agar tetapi sedangkan bisa dapat dapatkah bisakah jelaskan pasal".split(
    " ",
  ),
);
const english = new Set(
  "the of and to in is are what who which how does do can may under a an for with by from or if when not be has have his her their it law shall should would must did was were there between on at".split(
    " ",
  ),
);

/** The language of a question; a text with no telling word counts as Indonesian. */
export function detectLanguage(text: string): "id" | "en" {
  const words = splitWords(text.toLowerCase());
  const count = (set: Set<string>) => words.filter((word) => set.has(word)).length;
  return count(english) > count(indonesian) ? "en" : "id";
}
