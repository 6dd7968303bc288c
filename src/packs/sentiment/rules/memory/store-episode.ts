import { ParleyError } from "../../../../contract/error.ts";
import { type Episode, EpisodeSchema } from "../../schemas/memory.ts";

/** What an episode must not contain. */
export type Secrets = { text: string; gold?: readonly string[] };

const longestQuote = 12;

/** Adds an episode to a store; one that holds raw text or gold, or more than an episode's fields, is refused (sentiment spec §3). */
export function storeEpisode(store: readonly Episode[], episode: unknown, secrets: Secrets): Episode[] {
  const parsed = EpisodeSchema.safeParse(episode);
  if (!parsed.success)
    throw new ParleyError("bad_input", `not an episode: ${parsed.error.issues.map((one) => one.message).join("; ")}`);
  const leak = findLeak(parsed.data, secrets);
  if (leak !== null) throw new ParleyError("bad_input", `an episode holds principles only, but this one holds ${leak}`);
  return [...store.filter((known) => known.id !== parsed.data.id), parsed.data];
}

function findLeak(episode: Episode, { text, gold = [] }: Secrets): string | null {
  const said = `${episode.principle}\n${episode.aspect_group}`;
  const leaked = gold.find((term) => term.trim().length > 1 && said.includes(term.trim()));
  if (leaked !== undefined) return `the gold term "${leaked}"`;
  for (let at = 0; at === 0 || at + longestQuote <= text.length; at += 1) {
    const quote = text.slice(at, at + longestQuote).trim();
    if (quote.length >= Math.min(longestQuote, text.trim().length) && said.includes(quote))
      return `words of the text ("${quote}")`;
  }
  return null;
}
