/** How a form says the names and values of this pack's schemas. */
export const words: Record<string, string> = {
  text: "The text",
  language_code: "Language",
  domain: "What it is about",
  aspects: "What is spoken of, and how",
  aspect_term: "What is spoken of",
  polarity: "How",
  positive: "positive",
  negative: "negative",
  neutral: "neutral",
  mixed: "mixed",
};
