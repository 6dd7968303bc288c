import { findCitedProvisions } from "../citations/cited-provisions.ts";
import { getConcept } from "../mentions/concept.ts";
import { type Knowledge, loadKnowledge } from "../items/knowledge.ts";
import { findMentions } from "../mentions/mentions.ts";
import { type ReadText, readSpelling } from "../mentions/spelling.ts";
import { detectLanguage } from "../mentions/language.ts";
import { searchText } from "../search/text-index.ts";
import { partyCues } from "./cues.ts";
import { isOutOfScope, type Scope, measureScope } from "./scope.ts";
import { type Signals, readSignals } from "./signals.ts";

/** What a question is about (law spec §1.1). */
export const routeLabels = ["pure_national", "pure_adat", "conflict", "consensus"] as const;
export type RouteLabel = (typeof routeLabels)[number];

/** A router's answer; `out_of_scope` is said beside the label and is not a label itself. */
export type Route = {
  label: RouteLabel;
  scores: { national: number; adat: number; conflict: number };
  out_of_scope: boolean;
  rationale: string;
};

/** Routes a question to one of four labels; a caller's hint wins, the scores stay what the question shows (law spec §1.1). */
export function route(asked: string, hint?: RouteLabel | null, knowledge: Knowledge = loadKnowledge()): Route {
  const { text: query, mended } = readSpelling(asked);
  const mentions = findMentions(query);
  const cited = findCitedProvisions(query, knowledge);
  const signals = readSignals(query, mentions, cited);
  const scope = {
    ...measureScope(query, mentions, cited),
    out_of_scope: isOutOfScope(query, mentions, cited, knowledge),
  };
  const scores = {
    national: measureStrength(signals.national),
    adat: measureStrength(signals.adat),
    conflict: measureTension(signals),
  };
  const own = scores.national + scores.adat > 0 ? chooseLabel(scores, signals) : chooseByText(query, knowledge);
  return {
    label: hint ?? own,
    scores,
    out_of_scope: scope.out_of_scope,
    rationale: [writeRationale(hint ?? null, own, signals, scope), ...writeMended(mended)].join("; "),
  };
}

function chooseLabel(scores: Route["scores"], signals: Signals): RouteLabel {
  const { national, adat, conflict } = scores;
  if (adat === 0) return "pure_national";
  if (national === 0)
    return signals.clash.length > 0 && signals.adat.includes("adat") && conflict > 0 ? "conflict" : "pure_adat";
  if (isBackground(signals) && !isDisputed(signals)) return "pure_national";
  if (national === 1 && adat >= 3 && conflict <= 0 && signals.harmony.length === 0) return "pure_adat";
  return conflict > 0 ? "conflict" : "consensus";
}

/** How far ahead the best hit must be to speak for its side alone. */
const clearly = 1.3;

/** Where no word belongs to one side: the side of what the words find, and national law in doubt. */
function chooseByText(query: string, knowledge: Knowledge): RouteLabel {
  const [best, second] = searchText(knowledge, query, detectLanguage(query));
  const isAdat = best?.evidence.domain === "adat";
  return isAdat && (second?.evidence.domain !== "national" || best.score >= clearly * second.score)
    ? "pure_adat"
    : "pure_national";
}

/** True when a community is only named as where the parties come from. */
function isBackground({ adat, customs }: Signals): boolean {
  return customs.length === 0 && adat.every((id) => getConcept(id).type === "community");
}

/** Parties of a community fight over what adat governs too: an inheritance or land. */
function isDisputed({ clash, opposed, topics }: Signals): boolean {
  return clash.length > 0 || (topics.length > 0 && opposed.some((cue) => partyCues.has(cue)));
}

/** How far the question sets the two sides against each other: clashes and oppositions minus what they share. */
function measureTension({ clash, opposed, harmony, instruments, national, adat }: Signals): number {
  const structural =
    instruments.length > 0 && adat.some((id) => getConcept(id).type !== "community") && national.length > 0;
  return 3 * clash.length + opposed.length + (structural ? 1.5 : 0) - 2 * harmony.length;
}

/** Bodies of law weigh two, other words of one side one. */
function measureStrength(ids: string[]): number {
  return ids.reduce((sum, id) => sum + (id === "cited_provision" || getConcept(id).type === "law" ? 2 : 1), 0);
}

/** Which words were read as others. */
function writeMended(mended: ReadText["mended"]): string[] {
  const pairs = new Set(mended.map(({ from, to }) => `${from} → ${to}`));
  return pairs.size === 0 ? [] : [`read as: ${[...pairs].join(", ")}`];
}

function writeRationale(hint: RouteLabel | null, own: RouteLabel, signals: Signals, scope: Scope): string {
  const parts = [
    hint ? `domain_hint "${hint}" given by the caller (the question alone reads as ${own})` : `reads as ${own}`,
    ...(["national", "adat", "clash", "opposed", "harmony"] as const)
      .filter((key) => signals[key].length > 0)
      .map((key) => `${key}: ${signals[key].join(", ")}`),
  ];
  if (scope.out_of_scope) parts.push(`out of scope: ${scope.inside} inside this field, ${scope.outside} outside it`);
  return parts.join("; ");
}
