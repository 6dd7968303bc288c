/** Episodic memory (sentiment spec §3): what bears on a text, when it is shown, what it advises, and what a case adds to it. */
import { ParleyError } from "../../../contract/error.ts";
import { hashValue } from "../../../engine/hash.ts";
import type { SentimentConfig } from "../config/config.ts";
import {
  type Episode,
  EpisodeSchema,
  type MemoryTrace,
  type PatchTurn,
  type StanceTurn,
  type TurnStrike,
} from "../schemas/debate.ts";
import type { CaseTurns, MemoryLine } from "../schemas/inputs.ts";
import type { SkipReason } from "../schemas/output.ts";
import type { Polarity, StructuralRisk } from "../schemas/stage1.ts";
import type { GateOutcome } from "./override-gate.ts";
import { type AspectMatcher, matchStage1 } from "./matcher.ts";
import { readStance } from "./review-context.ts";
import { readVote } from "./tuples.ts";

const longestQuote = 12;

/** What an episode must not contain. */
export type Secrets = { text: string; gold?: readonly string[] };

/** Says which words of a text or of its gold an episode holds; null when it holds none. Asked on writing and on reading. */
export function findLeak(episode: Episode, { text, gold = [] }: Secrets): string | null {
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

/** Adds an episode to a store; one that holds raw text or gold, or more than an episode's fields, is refused. */
export function storeEpisode(store: readonly Episode[], episode: unknown, secrets: Secrets): Episode[] {
  const parsed = EpisodeSchema.safeParse(episode);
  if (!parsed.success)
    throw new ParleyError("bad_input", `not an episode: ${parsed.error.issues.map((one) => one.message).join("; ")}`);
  const leak = findLeak(parsed.data, secrets);
  if (leak !== null) throw new ParleyError("bad_input", `an episode holds principles only, but this one holds ${leak}`);
  return [...store.filter((known) => known.id !== parsed.data.id), parsed.data];
}

const most = 3;

/** The episodes that bear on a text: of its language, by structure, then by aspect group; at most three. */
export function retrieveEpisodes(
  episodes: readonly Episode[],
  about: { text: string; language_code: string; structure: string; groups: readonly string[] },
): { episodes: Episode[]; refused_episodes: number } {
  const rank = (episode: Episode) =>
    (episode.structure === about.structure ? 2 : 0) + (about.groups.includes(episode.aspect_group) ? 1 : 0);
  const bearing = episodes.filter((one) => one.language === about.language_code && rank(one) > 0);
  const sound = bearing.filter((one) => findLeak(one, about) === null);
  const ranked = sound.toSorted((a, b) => rank(b) - rank(a) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  return { episodes: ranked.slice(0, most), refused_episodes: bearing.length - sound.length };
}

export const observationNames = ["opposite_polarities", "risk_open", "evidence_not_in_text", "edits_repeated"] as const;
type Observation = (typeof observationNames)[number];

/** What can be seen of a debate before a turn. */
export type DebateSoFar = {
  turns: readonly (PatchTurn | StanceTurn)[];
  strikes: readonly TurnStrike[];
  risks: readonly StructuralRisk[];
  matcher: AspectMatcher;
};

/** The observations of `deadlock_obs2of4` that hold before a turn. */
export function observeDeadlock(so: DebateSoFar): Observation[] {
  const contents = so.turns.map(writeContent).filter((content) => content !== "");
  const holds: Record<Observation, boolean> = {
    opposite_polarities: hasOppositeVotes(so),
    risk_open: so.risks.length > 0,
    evidence_not_in_text: so.strikes.some((strike) => strike.code.startsWith("evidence")),
    edits_repeated: new Set(contents).size < contents.length,
  };
  return observationNames.filter((name) => holds[name]);
}

function hasOppositeVotes({ turns, matcher }: DebateSoFar): boolean {
  const votes = turns.flatMap((turn): { aspect: string; polarity: string | null }[] => {
    if ("proposed_edits" in turn)
      return turn.proposed_edits.map((edit) => ({ aspect: edit.target.aspect_ref, polarity: readVote(edit).polarity }));
    const { polarity } = readStance(turn.stance);
    return matcher.named([turn.message, ...turn.key_points].join("\n")).map((aspect) => ({ aspect, polarity }));
  });
  const of = (polarity: string) =>
    new Set(votes.filter((vote) => vote.polarity === polarity).map((vote) => vote.aspect));
  return !of("positive").isDisjointFrom(of("negative"));
}

function writeContent(turn: PatchTurn | StanceTurn): string {
  if (!("proposed_edits" in turn)) return turn.message.trim();
  const edits = turn.proposed_edits.map(({ op, target, value }) =>
    [op, target.aspect_ref, target.polarity, value].join("\t"),
  );
  return edits.sort().join("\n");
}

/** Decides, turn by turn, whether a speaker is shown memory (C1 retrieves nothing, C2_silent never shows), and keeps the trace of it. */
export function openMemory(retrieved: readonly Episode[], { memory, debate: { injection } }: SentimentConfig) {
  const { condition } = memory;
  const trace: MemoryTrace = {
    condition,
    retrieved_ids: condition === "C1" ? [] : retrieved.map((episode) => episode.id),
    injected: [],
    injected_before: [],
    observations: [],
  };
  const maySpeak = () =>
    condition === "C2" &&
    retrieved.length > 0 &&
    (injection.allow_multiple_injections || trace.injected_before.length === 0);
  return {
    /** The memory block of the next turn, or null. */
    before(turn: string, so: DebateSoFar): MemoryLine[] | null {
      if (condition === "C1") return null;
      const observed = observeDeadlock(so);
      trace.observations.push({ before: turn, observed });
      if (!maySpeak() || observed.length < 2) return null;
      trace.injected_before.push(turn);
      trace.injected = [...retrieved];
      return retrieved.map(({ principle, advice, aspect_group }) => ({ principle, advice, aspect_group }));
    },
    trace: () => trace,
  };
}

/** Tells whether memory that a speaker was shown advises against a polarity (gate step 9b); memory that contradicts itself advises nothing. */
export function createMemoryAdvice(injected: readonly Episode[], matcher: AspectMatcher) {
  return (aspect: string, polarity: Polarity): boolean => {
    const group = matcher.group(aspect) ?? "other";
    const own = injected.filter((episode) => episode.aspect_group === group).flatMap(({ advice }) => advice ?? []);
    return new Set(own).size === 1 && own[0] !== polarity;
  };
}

const teaching: SkipReason[] = [
  "l3_conservative",
  "action_ambiguity",
  "low_confidence",
  "no_evidence_span",
  "evidence_span_not_in_text",
];

/** What a case teaches: a principle about a structure and an aspect group; null when memory is off or nothing was learnt. */
export function learnEpisode(
  { text_id, material, stage1 }: CaseTurns,
  { gate, adopted }: { gate: GateOutcome | null; adopted: boolean },
  { condition }: SentimentConfig["memory"],
): Episode | null {
  if (condition === "C1" || gate === null) return null;
  const { structure, language_code: language } = material;
  const matcher = matchStage1(material, stage1);
  const file = (aspect: string, says: string, advice: Episode["advice"]): Episode => {
    const aspect_group = matcher.group(aspect) ?? "other";
    const principle = `structure ${structure}, group ${aspect_group}: ${says}`;
    const body = { language, structure, aspect_group, principle, advice };
    return { id: `epi_${hashValue([text_id, body]).slice(0, 12)}`, ...body, outcome: "unknown" };
  };
  if (gate.applied && adopted) {
    const { aspect, polarity } = gate.applied;
    return file(aspect, `votes with evidence carried ${polarity}`, polarity === "neutral" ? null : polarity);
  }
  const stopped = gate.records.find((record) => record.skip_reason && teaching.includes(record.skip_reason));
  if (!stopped) return null;
  const says = `the debate was stopped by ${stopped.skip_reason}; keep Stage 1 unless the wording settles it`;
  return file(stopped.aspect, says, "abstain");
}
