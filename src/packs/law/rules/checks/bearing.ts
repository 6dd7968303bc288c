import { type CaseFile, type Evidence, extractTerms, findEvidence } from "../../../../knowledge/law/index.ts";

const minShared = 2;
const minShare = 0.2;

/**
 * Whether a retrieved item bears on what is said (law spec §4.1): at least two content words in common, and a fifth of the
 * shorter of the two. That it was retrieved for the same question is not enough.
 */
export function bearsOn(file: CaseFile, id: string, said: string[]): boolean {
  const item = findEvidence(file, id);
  if (!item) return false;
  return said.some((text) => {
    const [about, words] = [listTerms(item), termsOf(text)];
    const shared = about.intersection(words).size;
    return shared >= minShared && shared >= minShare * Math.min(about.size, words.size);
  });
}

/** An item's words in both languages: whoever answers may write in either. */
function listTerms({ statement, statement_en }: Evidence): Set<string> {
  return new Set([...extractTerms(statement, "id"), ...extractTerms(statement_en, "en")]);
}

function termsOf(text: string): Set<string> {
  return new Set([...extractTerms(text, "id"), ...extractTerms(text, "en")]);
}
