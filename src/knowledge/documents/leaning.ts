import type { Part } from "./sentences.ts";

/** What a sentence is about beyond its own words, told one part of a document after the other. */
export type Trail = {
  beginParagraph(): void;
  /** What the part leans on; empty when it stands by itself. */
  take(part: Part & { said: string }): string;
};

/** Words that stand for what the sentence before spoke of, or go on from it. */
const goesOn =
  /^(?:\p{L}+ )?(?:it|them)\b|^(?:they|this|these|that|those|he|she|both|neither|before|now|then|otherwise|instead)\b|^(?:ini|itu|ia|dia|mereka|hal (?:ini|itu))\b|^(?:이는|이를|이것|그것|이들|그들|그는|그녀)/iu;
/** A denial that leaves out what it denies: it is said in the sentence before. */
const leftOut = /\b(?:is|are|was|were|do|does|did|may|can|must|will|has|have) not[.!]?$/i;
/** Headings under which a document tells why what it told before came about. */
const tellsCause = /^(?:root )?causes?\b|^reasons?\b|^why\b|^(?:penyebab|sebab|alasan)\b|원인|이유/iu;

/** True when a heading says that causes stand below it. */
export function isCauseHeading(topic: string): boolean {
  return topic.split(" · ").some((heading) => tellsCause.test(heading));
}

const mostTold = 600;

/**
 * Follows a document: a sentence that begins with a pronoun, or leaves out what it denies, is about what the one before is
 * about; the first sentence below a heading that names causes is about what the section before told.
 */
export function followTrail(): Trail {
  let before = "";
  let told = "";
  let effect = "";
  return {
    beginParagraph() {
      before = "";
    },
    take({ kind, said, level }) {
      if (kind === "heading" && level > 0) {
        effect = tellsCause.test(said) ? told : "";
        told = "";
      }
      if (kind !== "statement") return "";
      const isLeaning = goesOn.test(said) || leftOut.test(said);
      const leaning = [effect, isLeaning ? before : ""].filter(Boolean).join(" ");
      effect = "";
      before = isLeaning ? `${before} ${said}`.trim() : said;
      if (told.length < mostTold) told = `${told} ${said}`.trim();
      return leaning;
    },
  };
}
