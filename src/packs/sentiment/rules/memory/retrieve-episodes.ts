import {
  findAspectGroup,
  findCues,
  type Language,
  type LanguageCode,
  languageOf,
} from "../../../../knowledge/opinions/index.ts";
import type { Episode } from "../../schemas/memory.ts";

const most = 3;

/** How a text is built, as episodes are filed: irony before contrast before negation (sentiment spec §3). */
export function readTextStructure(text: string, language: Language): Episode["structure"] {
  if (findCues(text, language.irony_cues, language).length > 0) return "irony";
  if (findCues(text, language.contrast_markers, language).length > 0) return "contrast";
  return findCues(text, language.negation_cues, language).length > 0 ? "negation" : "none";
}

/** The episodes that bear on a case: of its language, by structure, then by aspect group; at most three (sentiment spec §3). */
export function retrieveEpisodes(
  episodes: readonly Episode[],
  query: { text: string; aspects: readonly string[]; language_code: LanguageCode },
): Episode[] {
  const language = languageOf(query.language_code);
  const structure = readTextStructure(query.text, language);
  const groups = new Set(query.aspects.map((term) => nameGroup(term, language)));
  const rank = (episode: Episode) =>
    (episode.structure === structure ? 2 : 0) + (groups.has(episode.aspect_group) ? 1 : 0);
  return episodes
    .filter((episode) => episode.language === query.language_code && rank(episode) > 0)
    .toSorted((a, b) => rank(b) - rank(a) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
    .slice(0, most);
}

/** The group that an aspect is filed under. */
export function nameGroup(term: string, language: Language): string {
  return findAspectGroup(term, language) ?? "other";
}
