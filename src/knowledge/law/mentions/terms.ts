import { stemEnglish } from "../../../text/stem-english.ts";
import { stemTokens } from "../../../text/stem-indonesian.ts";
import { splitWords } from "./words.ts";

const stopWordsId = new Set(
  stemTokens(
    "yang dan di ke dari untuk dengan apakah apa siapa bagaimana berapa kapan mana adalah atau pada oleh tidak itu ini menurut dalam bila jika kalau boleh bolehkah seorang sebuah suatu para akan sudah telah saya kami kita juga karena antara agar tetapi sedangkan bisa dapat dapatkah bisakah jelaskan hal tentang atas bagi sebagai serta maka ia mereka dia masih lagi hanya saja secara seperti setelah sesudah sebelum ketika saat sampai ada jelas uraikan sebutkan mengenai terhadap kepada hukum hukumnya pasal dasar tetap punya mempunyai orang pun lebih lalu sendiri yaitu yakni tersebut ingin",
  ),
);
const stopWordsEn = new Set(
  "the of and to in is are what who which how does do can may under a an for with by from or if when not be has have his her their its it shall should would must did was were there between on at as that this these those into over after before during about law than then also only any all some such will one i we you he she they my our your".split(
    " ",
  ),
);

/** The content words of a text as stems, in the language they are in. */
export function extractTerms(text: string, language: "id" | "en"): string[] {
  return language === "en" ? extractEnglish(text) : stemTokens(text).filter((stem) => !stopWordsId.has(stem));
}

function extractEnglish(text: string): string[] {
  return splitWords(text.toLowerCase())
    .filter((word) => word.length > 1 && !stopWordsEn.has(word))
    .map((word) => irregular[word] ?? stemEnglish(word));
}

const irregular: Record<string, string> = {
  children: "child",
  wives: "wife",
  women: "woman",
  men: "man",
  sold: "sell",
  bought: "buy",
};
