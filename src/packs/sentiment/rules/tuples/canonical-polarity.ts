import type { Polarity } from "../../schemas/stage1.ts";

const canon: Record<string, Polarity> = {
  positive: "positive",
  negative: "negative",
  neutral: "neutral",
  pos: "positive",
  neg: "negative",
  neu: "neutral",
};

/** The strict polarity canon (sentiment spec §4): trimmed, case-insensitive; anything else is null, never neutral. */
export function canonicalisePolarity(word: unknown): Polarity | null {
  if (typeof word !== "string") return null;
  const key = word.trim().toLowerCase();
  return Object.hasOwn(canon, key) ? (canon[key] ?? null) : null;
}

/** Positive for negative and the reverse; neutral and missing have no opposite. */
export function flipPolarity(polarity: Polarity | null): Polarity | null {
  if (polarity === "positive") return "negative";
  return polarity === "negative" ? "positive" : null;
}
