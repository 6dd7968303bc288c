import { irregularForms } from "../../text/irregular-english.ts";
import { remember } from "../../text/remember.ts";
import { stemEnglish } from "../../text/stem-english.ts";
import { isKorean, stemKorean } from "../../text/stem-korean.ts";

/** Splits a text into words, in any script. */
export function splitWords(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}]+|\p{N}+(?:[.,]\p{N}+)*/gu) ?? []
  );
}

/** A word in the form in which it is matched; null for words that carry nothing. The commonest words are remembered. */
export const termOf = remember(25_000, findTerm);

function findTerm(word: string): string | null {
  if (stopWords.has(word)) return null;
  const stem = isKorean(word) ? stemKorean(word) : stemEnglish(irregularForms.get(word) ?? word);
  return stopWords.has(stem) ? null : stem;
}

/** Lists the terms of a text: its content words in the form in which they are matched. */
export function listTerms(text: string): string[] {
  return splitWords(text)
    .map(termOf)
    .filter((word) => word !== null && word !== "") as string[];
}

const stopWords = new Set(
  `a an the of in on at to for from by with and or but is are was were be been being do does did has have had what which who whom whose
  when where why how much many it its this that these those as not no can could will would should may might there their they he she we you
  i one than then so if into about over under between during after before also any some such only too very get me my your our
  yang di ke dari pada untuk dengan oleh itu ini adalah ialah dan atau akan telah dapat bisa boleh apa apakah berapa kapan siapa mana
  bagaimana mengapa kenapa saya kami kita ada
  무엇 무슨 언제 어디 누구 누가 어느 어떤 몇 얼마 며칠 왜 어떻 있 되 하 할 수 것 있습 합니 이`.split(/\s+/),
);
