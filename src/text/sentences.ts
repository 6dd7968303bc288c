const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** Abbreviations that a name follows, in English and Indonesian, and initials: no sentence ends with them. */
const titles = "mr mrs ms dr prof st gen gov rev vs cf e.g i.e approx bpk sdr hj kh jo".split(" ");
const beforeName = new RegExp(`(?:^|[\\s("“])(?:${titles.join("|").replaceAll(".", "\\.")}|\\p{Lu})\\.\\s*$`, "iu");
const beforeNumber = /(?:^|[\s("“])(?:no|nos|art|fig|psl|hlm|pp?)\.\s*$/iu;

/** The sentences of a text in order, each with the space after it; "Ms. Vermeer asked." is one. */
export function* segmentSentences(text: string): Generator<string> {
  let open = "";
  for (const { segment } of segmenter.segment(text)) {
    const goesOn = beforeName.test(open) || (beforeNumber.test(open) && /^\d/.test(segment));
    if (open !== "" && !goesOn) {
      yield open;
      open = "";
    }
    open += segment;
  }
  if (open !== "") yield open;
}
