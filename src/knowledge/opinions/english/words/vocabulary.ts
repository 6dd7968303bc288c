import { readDataLines } from "../../reading/data-file.ts";
import { loadOnce } from "../../reading/remember.ts";
import { addWord, readVocabulary } from "../../reading/vocabulary.ts";

/** What English reviews judge, with the foods of WordNet by their last word. */
export const openVocabulary = loadOnce(() => {
  const vocabulary = readVocabulary("en");
  for (const line of readDataLines("en/food.txt"))
    addWord(vocabulary.groups, line.trim().split(" ").at(-1) as string, "food");
  return vocabulary;
});
