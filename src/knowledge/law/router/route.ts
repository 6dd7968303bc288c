import { citedProvisions } from "../citations/cited-provisions.ts";
import { conceptOf } from "../mentions/concept.ts";
import { type Knowledge, shippedKnowledge } from "../items/knowledge.ts";
import { mentionsIn } from "../mentions/mentions.ts";
import { languageOf } from "../mentions/language.ts";
import { searchText } from "../search/text-index.ts";
import { partyCues } from "./cues.ts";
import { isOutOfScope, type Scope, scopeOf } from "./scope.ts";
import { type Signals, signalsOf } from "./signals.ts";

/** What a question is about (law spec §1). */
export const routeLabels = ["pure_national", "pure_adat", "conflict", "consensus"] as const;
export type RouteLabel = (typeof routeLabels)[number];

/** A router's answer; `out_of_scope` stands beside the label, it is not one. */
export type Route = {
  label: RouteLabel;
  scores: { national: number; adat: number; conflict: number };
  out_of_scope: boolean;
  rationale: string;
};

/** Routes a question to one of four labels; a caller's hint wins, the scores stay what the question shows (law spec §1). */
export function route(query: string, hint?: RouteLabel | null, knowledge: Knowledge = shippedKnowledge()): Route {
  const mentions = mentionsIn(query);
  const cited = citedProvisions(query, knowledge);
  const signals = signalsOf(query, mentions, cited);
  const scope = { ...scopeOf(query, mentions, cited), out_of_scope: isOutOfScope(query, mentions, cited, knowledge) };
  const scores = { national: strength(signals.national), adat: strength(signals.adat), conflict: tension(signals) };
  const own = scores.national + scores.adat > 0 ? labelOf(scores, signals) : labelByText(query, knowledge);
  return {
    label: hint ?? own,
    scores,
    out_of_scope: scope.out_of_scope,
    rationale: rationaleOf(hint ?? null, own, signals, scope),
  };
}

function labelOf(scores: Route["scores"], signals: Signals): RouteLabel {
  const { national, adat, conflict } = scores;
  if (adat === 0) return "pure_national";
  if (national === 0)
    return signals.clash.length > 0 && signals.adat.includes("adat") && conflict > 0 ? "conflict" : "pure_adat";
  if (isBackground(signals.adat) && !isDisputed(signals)) return "pure_national";
  if (national === 1 && adat >= 3 && conflict <= 0 && signals.harmony.length === 0) return "pure_adat";
  return conflict > 0 ? "conflict" : "consensus";
}

/** How far ahead the best hit must be to speak for its side alone. */
const clearly = 1.3;

/** Without a word that belongs to one side, the side of what the words find; national law is the general one. */
function labelByText(query: string, knowledge: Knowledge): RouteLabel {
  const [best, second] = searchText(knowledge, query, languageOf(query));
  const isAdat = best?.evidence.domain === "adat";
  return isAdat && (second?.evidence.domain !== "national" || best.score >= clearly * second.score)
    ? "pure_adat"
    : "pure_national";
}

/** A community that is only where the parties come from. */
function isBackground(adat: string[]): boolean {
  return adat.every((id) => conceptOf(id).type === "community");
}

/** Parties of a community fight over what adat governs too: an inheritance or land. */
function isDisputed({ clash, opposed, topics }: Signals): boolean {
  return clash.length > 0 || (topics.length > 0 && opposed.some((cue) => partyCues.has(cue)));
}

/** How far the question sets the two sides against each other: clashes and oppositions minus what they share. */
function tension({ clash, opposed, harmony, instruments, national, adat }: Signals): number {
  const structural =
    instruments.length > 0 && adat.some((id) => conceptOf(id).type !== "community") && national.length > 0;
  return 3 * clash.length + opposed.length + (structural ? 1.5 : 0) - 2 * harmony.length;
}

/** Bodies of law weigh two, other words of one side one. */
function strength(ids: string[]): number {
  return ids.reduce((sum, id) => sum + (id === "cited_provision" || conceptOf(id).type === "law" ? 2 : 1), 0);
}

function rationaleOf(hint: RouteLabel | null, own: RouteLabel, signals: Signals, scope: Scope): string {
  const parts = [
    hint ? `domain_hint "${hint}" given by the caller (the question alone reads as ${own})` : `reads as ${own}`,
    ...(["national", "adat", "clash", "opposed", "harmony"] as const)
      .filter((key) => signals[key].length > 0)
      .map((key) => `${key}: ${signals[key].join(", ")}`),
  ];
  if (scope.out_of_scope) parts.push(`out of scope: ${scope.inside} inside this field, ${scope.outside} outside it`);
  return parts.join("; ");
}
