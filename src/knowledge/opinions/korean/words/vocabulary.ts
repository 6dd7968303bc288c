import { loadOnce } from "../../reading/remember.ts";
import { readVocabulary } from "../../reading/vocabulary.ts";

/** What Korean reviews judge; `longest` is the length of the longest word. */
export const openVocabulary = loadOnce(() => {
  const vocabulary = readVocabulary("ko");
  return { ...vocabulary, longest: Math.max(...[...vocabulary.groups.keys()].map((word) => word.length)) };
});
