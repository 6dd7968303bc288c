import { isNameOfPeople, loadPeoples, type Mention } from "../mentions/concept.ts";
import { splitWords } from "../mentions/words.ts";
import type { CitedProvision } from "../citations/cited-provisions.ts";
import { type CueKind, cues, negations } from "./cues.ts";
import { findSpans } from "./phrases.ts";

/** What a question shows of each side and of how it sets them against each other. */
export type Signals = {
  national: string[];
  adat: string[];
  /** Words that only one of the peoples has whose adat is not held ("tongkonan"). */
  customs: string[];
  /** National instruments (certificate, deed, concession, office) applied to property or kin of adat. */
  instruments: string[];
  /** Matters that adat governs too: inheritance and land. */
  topics: string[];
  clash: string[];
  opposed: string[];
  harmony: string[];
};

const reach = 3;
const shared = new Set(
  "heir estate share equal_share unequal_share legitime land rice_field division representation adopted_child".split(
    " ",
  ),
);
const instruments = new Set(
  "land_certificate notary ppat hgu hgb civil_registry state_forest hak_milik company".split(" "),
);

/** Reads the signals of a question; what is negated counts for the opposite or not at all (law spec §1.1). */
export function readSignals(query: string, mentions: Mention[], cited: CitedProvision[]): Signals {
  const words = splitWords(query.toLowerCase());
  const named = mentions.filter(({ start }) => !isExcluded(words, start) && !isAvoided(words, start));
  const national = named.filter(({ concept }) => concept.domain === "national");
  const adat = named.filter(({ concept }) => concept.domain === "adat");
  return {
    national: dropRepeats([
      ...national.map(({ concept }) => concept.id),
      ...(cited.length > 0 ? ["cited_provision"] : []),
    ]),
    adat: dropRepeats(adat.map(({ concept }) => concept.id)),
    customs: adat.filter((one) => loadPeoples().includes(one.concept) && !isNameOfPeople(one)).map(({ term }) => term),
    instruments: dropRepeats(national.map(({ concept }) => concept.id).filter((id) => instruments.has(id))),
    topics: selectTopics(dropRepeats(named.map(({ concept }) => concept.id))),
    ...findCues(words, mentions),
  };
}

/** Joint property is the spouses' own matter until relatives claim a part of it. */
function selectTopics(ids: string[]): string[] {
  const kin = ids.includes("relative");
  return ids.filter((id) => shared.has(id) || (kin && (id === "joint_property" || id === "gono_gini")));
}

function findCues(words: string[], mentions: Mention[]): Record<CueKind, string[]> {
  const found: Record<CueKind, string[]> = { clash: [], opposed: [], harmony: [] };
  for (const { start, end, phrase } of findSpans(words, cues)) {
    if (phrase.kind !== "clash" && isInConcept(mentions, start, end)) continue;
    if (sayings.has(phrase.words.join(" ")) && isSaidByLaw(mentions, start)) continue;
    const joins = conjunctions.has(phrase.words.join(" "));
    const kind = !joins && isNegated(words, start) ? opposite[phrase.kind] : phrase.kind;
    if (kind) found[kind].push(phrase.words.join(" "));
  }
  return found;
}

const sayings = new Set("bilang berkata says".split(" "));

/** "Undang-undang bilang …": a law that says something is no party. */
function isSaidByLaw(mentions: Mention[], at: number): boolean {
  return mentions.some(({ concept, end }) => concept.type === "law" && end === at);
}

/** Words that join two clauses: a negation before them belongs to the first one. */
const conjunctions = new Set([
  ..."sedangkan tetapi tapi namun padahal meskipun walaupun sementara but however although though whereas while yet".split(
    " ",
  ),
  "akan tetapi",
  "even though",
]);

const opposite: Record<CueKind, CueKind | null> = { clash: "harmony", opposed: null, harmony: "clash" };

/** A cue inside a longer concept is part of its name: "menolak warisan" is the rejection of an inheritance. */
function isInConcept(mentions: Mention[], start: number, end: number): boolean {
  return mentions.some((one) => one.end - one.start > end - start && one.start <= start && end <= one.end);
}

function isNegated(words: string[], at: number): boolean {
  return words.slice(Math.max(0, at - reach), at).some((word) => negations.has(word));
}

const exclusions = new Set("tanpa bukan without excluding selain".split(" "));
const topicVerbs = new Set(
  "membahas menyebut membicarakan melibatkan memperhatikan memakai discussing mentioning considering".split(" "),
);

/** "tanpa membahas hukum nasional": the question leaves this side out. */
function isExcluded(words: string[], at: number): boolean {
  const before = words.slice(Math.max(0, at - reach), at);
  const verb = before.findIndex((word) => topicVerbs.has(word));
  return verb > 0 && exclusions.has(before[verb - 1] ?? "");
}

const ways = new Set("ke lewat melalui via to through".split(" "));

/** "tidak ke pengadilan": where the parties do not go says nothing about what they ask. */
function isAvoided(words: string[], at: number): boolean {
  return ways.has(words[at - 1] ?? "") && negations.has(words[at - 2] ?? "");
}

function dropRepeats(values: string[]): string[] {
  return [...new Set(values)];
}
