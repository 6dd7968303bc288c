/** Episodic memory (sentiment spec §3): relevant principles, when they are shown, and their advice. */
import type { SentimentConfig } from "../config/config.ts";
import type { Episode, MemoryTrace, PatchTurn, StanceTurn, TurnStrike } from "../schemas/debate.ts";
import type { MemoryLine } from "../schemas/inputs.ts";
import type { Polarity, StructuralRisk } from "../schemas/stage1.ts";
import type { AspectMatcher } from "./matcher.ts";
import { readStance } from "./review-context.ts";
import { toPlainForm } from "./text.ts";
import { readVote } from "./tuples.ts";

/** In letters and in Korean syllables. */
const longestQuote = { en: 10, ko: 6 };
const most = 3;

/** True when an episode contains words of the text, however spaced: it may hold another answer to the same review. */
function holdsWords({ principle, aspect_group, language }: Episode, text: string): boolean {
  const said = toPlainForm(`${principle}\n${aspect_group}`);
  const plain = toPlainForm(text);
  const size = Math.min(longestQuote[language], plain.length);
  const starts = Array.from({ length: plain.length - size + 1 }, (_, at) => at);
  return size > 0 && starts.some((at) => said.includes(plain.slice(at, at + size)));
}

/** Relevant episodes: same language, by structure, then by aspect group; at most three. */
export function retrieveEpisodes(
  episodes: readonly Episode[],
  about: { text: string; language_code: string; structure: string; groups: readonly string[] },
): { episodes: Episode[]; refused_episodes: number } {
  const rank = (episode: Episode) =>
    (episode.structure === about.structure ? 2 : 0) + (about.groups.includes(episode.aspect_group) ? 1 : 0);
  const bearing = episodes.filter((one) => one.language === about.language_code && rank(one) > 0);
  const sound = bearing.filter((one) => !holdsWords(one, about.text));
  const ranked = sound.toSorted((a, b) => rank(b) - rank(a) || (a.id < b.id ? -1 : 1));
  return { episodes: ranked.slice(0, most), refused_episodes: bearing.length - sound.length };
}

type DebateSoFar = {
  turns: readonly (PatchTurn | StanceTurn)[];
  strikes: readonly TurnStrike[];
  risks: readonly StructuralRisk[];
  matcher: AspectMatcher;
};

/** `deadlock_obs2of4`: opposite votes on an aspect, an open risk, struck evidence, a repeated turn. */
function isDeadlocked(so: DebateSoFar): boolean {
  const contents = so.turns.map(writeContent).filter((content) => content !== "");
  const observed = [
    hasOppositeVotes(so),
    so.risks.length > 0,
    so.strikes.some((strike) => strike.code.startsWith("evidence")),
    new Set(contents).size < contents.length,
  ];
  return observed.filter(Boolean).length >= 2;
}

function hasOppositeVotes({ turns, matcher }: DebateSoFar): boolean {
  const votes = turns.flatMap((turn): { aspect: string; polarity: Polarity | null }[] => {
    if ("proposed_edits" in turn)
      return turn.proposed_edits.map((edit) => ({ aspect: edit.target.aspect_ref, polarity: readVote(edit).polarity }));
    const { polarity } = readStance(turn.stance);
    return matcher.named([turn.message, ...turn.key_points].join("\n")).map((aspect) => ({ aspect, polarity }));
  });
  const of = (polarity: Polarity) =>
    new Set(votes.filter((vote) => vote.polarity === polarity).map((vote) => vote.aspect));
  return !of("positive").isDisjointFrom(of("negative"));
}

function writeContent(turn: PatchTurn | StanceTurn): string {
  if (!("proposed_edits" in turn)) return turn.message.trim();
  return turn.proposed_edits.map(({ op, target, value }) => JSON.stringify([op, target, value])).join("\n");
}

/** Decides per turn whether a speaker sees memory (C1 retrieves nothing, C2_silent never shows it), and traces it. */
export function openMemory(retrieved: readonly Episode[], { memory, debate: { injection } }: SentimentConfig) {
  const { condition } = memory;
  const retrieved_ids = condition === "C1" ? [] : retrieved.map((episode) => episode.id);
  const trace: MemoryTrace = { condition, retrieved_ids, injected: [], injected_before: [] };
  return {
    before(turn: string, so: DebateSoFar): MemoryLine[] | null {
      const mayShow = injection.allow_multiple_injections || trace.injected_before.length === 0;
      if (condition !== "C2" || retrieved.length === 0 || !mayShow || !isDeadlocked(so)) return null;
      trace.injected_before.push(turn);
      trace.injected = [...retrieved];
      return retrieved.map(({ principle, advice, aspect_group }) => ({ principle, advice, aspect_group }));
    },
    trace: () => trace,
  };
}

/** True when memory shown to a speaker advises against a polarity (gate step 9b); contradictory memory advises nothing. */
export function createMemoryAdvice(injected: readonly Episode[], matcher: AspectMatcher) {
  return (aspect: string, polarity: Polarity): boolean => {
    const group = matcher.group(aspect) ?? "other";
    const own = injected.filter((episode) => episode.aspect_group === group).flatMap(({ advice }) => advice ?? []);
    return new Set(own).size === 1 && own[0] !== polarity;
  };
}
