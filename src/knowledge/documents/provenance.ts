/** A text that tells its reader what to do with other texts is not a source. */
const instructs =
  /\b(?:ignore|disregard|forget)\s+(?:all|any|every|the)?\s*(?:other|previous|prior|above|earlier)?\s*(?:documents?|instructions?|sources?|rules|text)\b|\b(?:you are now|system prompt|as an ai)\b|abaikan (?:semua|dokumen|instruksi)|(?:다른|이전|위의?)\s*(?:문서|지시|명령)[^.\n]{0,20}무시/i;

/** A text that says of itself that nobody answers for it. */
const unsigned =
  /\b(?:author|source|origin)\s+(?:is\s+)?unknown\b|\bunknown (?:author|source|origin)\b|\bcopied from (?:a|an|the) (?:forum|blog|chat|web|internet)|\bunverified\b|\banonymous (?:post|note|comment)|(?:penulis|sumber)(?:nya)? tidak (?:diketahui|jelas)|(?:출처|작성자)\s*(?:불명|미상|모름)/i;

/** A sentence that passes on what others say or believe. */
const hearsay =
  /\b(?:some(?:body|one)|people|they|everybody|everyone) (?:said|says|say|told|tells|knows?|thinks?|believes?)\b|\b(?:i (?:heard|think|guess|believe)|apparently|supposedly|allegedly|rumou?rs?|it is said)\b|\b(?:katanya|konon|kabarnya)\b|카더라|라는 소문|(?:고|다고) (?:들었|하더)/i;

/** How far a document can be relied on, by what it says of itself: by half when nobody answers for it, less when it gives orders to its reader somewhere. */
export function measureTrust(text: string): number {
  return (instructs.test(text) ? 0.8 : 1) * (unsigned.test(text) ? 0.5 : 1);
}

/** How far a paragraph can be relied on: one that gives orders to its reader hardly at all. */
export function measureParagraphTrust(text: string): number {
  return instructs.test(text) ? 0.3 : 1;
}

/** How far a sentence can be relied on by its wording: hearsay by half, an order to the reader not at all. */
export function measureSentenceTrust(text: string): number {
  if (instructs.test(text)) return 0;
  return hearsay.test(text) ? 0.5 : 1;
}
