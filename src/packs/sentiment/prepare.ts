import { detectLanguage, findGroups, isForeign, readerOf, readOrders } from "../../knowledge/opinions/index.ts";
import type { SentimentCase } from "./schemas/case.ts";
import type { SentimentConfig } from "./config/config.ts";
import { retrieveEpisodes } from "./rules/memory.ts";
import { cleanText } from "./rules/text.ts";
import { type Material, mostPlaces } from "./schemas/material.ts";
import { readLanguageCode } from "./schemas/stage1.ts";

const limit = <T>(places: readonly T[]): T[] => places.slice(0, mostPlaces);

/** The offline reading of a text (sentiment spec §2); besides the experts, the only use of `knowledge/`. */
export function prepare({ text: given, language_code }: SentimentCase, { memory }: SentimentConfig): Material {
  const { text } = cleanText(given);
  const code = readLanguageCode(language_code) ?? detectLanguage(text);
  const reader = readerOf(code);
  const marks = reader.marks(text);
  const spans = reader.candidates(text).map((candidate) => candidate.span);
  const readings = reader.read(text, spans);
  const { particles, synonyms } = findGroups(text, code);
  const structure = marks.structure;
  const episodes = memory.condition === "C1" ? [] : memory.episodes;
  return {
    text,
    language_code: code,
    ...(readLanguageCode(language_code) === null && isForeign(text) && { is_foreign: true }),
    clauses: limit(marks.clauses),
    turns: limit(marks.turns),
    neutral_cues: limit(marks.neutrals),
    orders: limit(readOrders(text)),
    structure,
    particles,
    synonyms,
    witness: {
      reader: reader.version,
      aspects: limit(spans).map((span, at) => ({ ...span, polarity: readings[at]?.scoped.polarity ?? null })),
      opinions: limit(reader.opinions(text)).map(({ span, value }) => ({
        ...span,
        polarity: value > 0 ? "positive" : value < 0 ? "negative" : "neutral",
      })),
    },
    ...retrieveEpisodes(episodes, { text, language_code: code, structure, groups: Object.keys(synonyms) }),
  };
}
