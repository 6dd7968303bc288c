import {
  combineStrengths,
  extractWords,
  type Match,
  type SimilarIncident,
  weighMatch,
  weighOrder,
} from "../../../../knowledge/incidents/index.ts";
import type { ParsedLog } from "../../../../knowledge/logs/index.ts";
import type { AnonymousHypothesis } from "../../rules/anonymise.ts";
import { splitRef } from "../../rules/cite-line.ts";
import { addUp, type Ledger } from "./ledger.ts";
import type { Trouble } from "./trouble.ts";

/** What the judge could verify of a hypothesis (root-cause spec §4.6). */
export type Support = {
  /** How well what was verified carries it, 0..1. */
  support: number;
  /** The trouble that its quoted lines show. */
  shown: Trouble[];
  /** What of it is of the hypothesis's kind. */
  own: Trouble[];
  /** How far the past incident that it rests on carries over. */
  match: Match | null;
  /** Share of all trouble that it would explain. */
  coverage: number;
  /** The strongest trouble that it leaves unexplained. */
  unexplained: Trouble | null;
  /** Which of several unrelated incidents it is about; null when it cannot be told, or there is one only. */
  strand: number | null;
  /** A clear cause that began before it, or is known to lead to it. */
  upstream: Trouble | null;
};

const clearCause = 0.4;
const elsewhere = 0.6;
/** Quoted trouble of another kind still shows that something was wrong. */
const otherKind = 0.15;
const nothingShown = 0.05;
const laterFactor = 0.92;
const effectFactor = 0.6;
const overcome = 0.8;
/** How much a past incident that settles nothing adds to what the quotes show. */
const historyHelps = 0.1;

const isClear = ({ role, strength }: Trouble) => role === "cause" && strength >= clearCause;

/** Holds a hypothesis against the ledger: what its quotes say, what came before, what history knows, what it explains. */
export function weighHypothesis(
  hypothesis: AnonymousHypothesis,
  ledger: Ledger,
  { log, past }: { log: ParsedLog; past: readonly SimilarIncident[] },
): Support {
  const shown = findShown(hypothesis, ledger.troubles, log);
  const match = findMatch(hypothesis, past);
  if (hypothesis.category === "none") return weighNone(ledger, shown, match);
  const own = shown.filter(({ category }) => category === hypothesis.category);
  const strand = findStrand(own, ledger);
  const troubles = listRelated(strand, ledger);
  const upstream = match?.settles ? null : findUpstream(own, troubles);
  const told = match?.settles ? 1 : rateSaid(hypothesis, shown);
  const carried =
    weighShown(hypothesis, own, { ledger: { ...ledger, troubles }, upstream }) * (leastSaid + (1 - leastSaid) * told);
  const explained = match?.settles ? troubles : listExplained(own, troubles);
  return {
    support: combineWithHistory(carried, match, shown.length > 0),
    shown,
    own,
    match,
    coverage: addStrengths(explained) / Math.max(0.01, addStrengths(troubles)),
    unexplained: pickStrongest(troubles.filter((trouble) => !explained.includes(trouble))),
    strand,
    upstream,
  };
}

function findStrand(own: readonly Trouble[], { strands }: Ledger): number | null {
  return own.map((trouble) => strands.of(trouble)).find((one) => one !== null) ?? null;
}

/** The trouble that can have to do with what is quoted: of several unrelated incidents only this one's. */
function listRelated(strand: number | null, { troubles, strands }: Ledger): Trouble[] {
  return strand === null ? troubles : troubles.filter((trouble) => (strands.of(trouble) ?? strand) === strand);
}

/** No fault stands as far as the log is calm: what the worst place shows is what stays unexplained (root-cause spec §4.6). */
function weighNone(
  { troubles, endedWell, hasRoutine, isSteady }: Ledger,
  shown: Trouble[],
  match: Match | null,
): Support {
  const groups = Map.groupBy(troubles, ({ category, places }) => `${category} ${places[0] ?? ""}`);
  const worst = Math.max(
    0,
    ...[...groups.values()].map((own) =>
      addUp(
        own,
        endedWell ? overcome : 1,
        troubles.some((one) => isClear(one) && !own.includes(one)),
      ),
    ),
  );
  const calm =
    0.45 + (endedWell ? 0.2 : 0) + (hasRoutine ? 0.1 : 0) + (troubles.length === 0 ? 0.2 : 0) + (isSteady ? 0.15 : 0);
  const support = match?.settles ? match.strength : Math.min(0.95, calm) * (1 - worst);
  return {
    support,
    shown,
    own: [],
    match,
    coverage: 1 - Math.min(worst, 1 - support),
    unexplained: pickStrongest(troubles),
    strand: null,
    upstream: null,
  };
}

/** The trouble that the quoted lines show; what only counts show is claimed by naming it. */
function findShown({ evidence, hypothesis: words }: AnonymousHypothesis, troubles: Trouble[], log: ParsedLog) {
  const several = log.sources.length > 1;
  const keyOf = (file: string | null, line: number) => (several && file !== null ? `${file}:${line}` : String(line));
  const cited = new Set(
    evidence.flatMap(({ kind, ref }) => {
      const at = kind === "log" ? splitRef(ref) : null;
      return at === null ? [] : [at.file === null ? String(at.line) : `${at.file}:${at.line}`];
    }),
  );
  return troubles.filter(({ lines, words: names }) => {
    const isQuoted = lines.some(({ file, line }) => cited.has(keyOf(file, line)) || cited.has(`${file}:${line}`));
    return isQuoted || names.some((name) => name.length > 8 && words.includes(name.slice(0, 60)));
  });
}

/** Half of the words of a claim in what it quotes is as much as one can ask; of a claim that the lines do not word at all this much stays. */
const enoughSaid = 0.5;
const leastSaid = 0.75;

/** Whether the quoted lines say what is claimed: the share of the claim's words that stand in them or in what they show. */
function rateSaid({ hypothesis, evidence, affected_components }: AnonymousHypothesis, shown: Trouble[]): number {
  const quotes = evidence.filter(({ kind }) => kind === "log").map(({ quote }) => quote);
  const said = new Set(extractWords([...quotes, ...shown.map(({ says }) => says), ...affected_components].join(" ")));
  const claimed = extractWords(hypothesis);
  const found = claimed.filter((word) => said.has(word)).length;
  return claimed.length === 0 ? 0 : Math.min(1, found / claimed.length / enoughSaid);
}

type Scene = { ledger: Ledger; upstream: Trouble | null };

/** How strongly the quoted trouble speaks for the cause at its place, less where it may follow from something else. */
function weighShown(hypothesis: AnonymousHypothesis, own: Trouble[], { ledger, upstream }: Scene): number {
  if (own.length === 0) return 0;
  const here = own.map((trouble) => ({
    ...trouble,
    strength: trouble.strength * (namesPlace(hypothesis, trouble) ? 1 : elsewhere),
  }));
  const shadowed = ledger.troubles.some((trouble) => isClear(trouble) && !own.includes(trouble));
  const carried = addUp(here, ledger.endedWell ? overcome : 1, shadowed);
  const isEffect = upstream !== null && own.some(({ kind }) => upstream.leadsTo.includes(kind));
  const order = weighOrder(own.map(sight), ledger.troubles.filter((trouble) => !own.includes(trouble)).map(sight));
  return carried * order * (upstream === null ? 1 : isEffect ? effectFactor : laterFactor);
}

const kinds: Record<string, "counted" | "silent"> = { rate: "counted", silence: "silent" };

function sight({ role, strength, firstMs, kind }: Trouble) {
  return { role, strength, firstMs, kind: kinds[kind] ?? ("said" as const) };
}

/** The clear cause that is known to lead to what is quoted, or else one that began before all of it. */
function findUpstream(own: Trouble[], troubles: Trouble[]): Trouble | null {
  if (own.length === 0) return null;
  const others = troubles.filter((trouble) => isClear(trouble) && !own.includes(trouble));
  const main = pickStrongest(own);
  const leading = others.find(({ leadsTo }) => leadsTo.includes(main?.kind ?? ""));
  if (leading) return leading;
  const first = Math.min(...own.flatMap(({ firstMs }) => firstMs ?? []));
  return others.find(({ firstMs }) => firstMs !== null && firstMs < first) ?? null;
}

/** A cause explains what it leads to, mere symptoms no stronger than it, and weaker errors that came after it. */
function listExplained(own: Trouble[], troubles: Trouble[]): Trouble[] {
  const cause = pickStrongest(own.filter(({ role }) => role === "cause"));
  if (!cause) return own;
  return troubles.filter((trouble) => {
    const { role, strength, kind, category, firstMs } = trouble;
    const isLater = firstMs === null || cause.firstMs === null || firstMs >= cause.firstMs;
    const follows = cause.leadsTo.includes(kind) || (category === "software" && isLater && strength < cause.strength);
    return own.includes(trouble) || follows || (role === "symptom" && strength <= cause.strength);
  });
}

/** What the quotes show and what history knows; a match that settles stands by itself, another only helps. */
function combineWithHistory(carried: number, match: Match | null, hasFacts: boolean): number {
  if (match?.settles) return Math.max(carried, match.strength);
  const base = carried > 0 ? carried : hasFacts ? otherKind : nothingShown;
  return combineStrengths([base, match ? historyHelps * match.strength : 0]);
}

/** The past incident that a hypothesis rests on: one that it cites and whose cause it takes over. */
function findMatch({ hypothesis, evidence }: AnonymousHypothesis, past: readonly SimilarIncident[]): Match | null {
  const ids = new Set(evidence.filter(({ kind }) => kind === "kg").map(({ ref }) => String(ref)));
  const cited = past.filter(({ incident_id }) => ids.has(incident_id));
  const own = cited.find(({ cause }) => hypothesis.includes(cause));
  if (own) return weighMatch(own);
  const [alike] = cited;
  return alike ? { ...weighMatch(alike), settles: false } : null;
}

/** The first component is where the hypothesis says the cause sits; others may merely be touched. */
function namesPlace({ hypothesis, affected_components }: AnonymousHypothesis, { places }: Trouble): boolean {
  const named = affected_components[0]?.toLowerCase() ?? "";
  const words = hypothesis.toLowerCase();
  return places.length === 0 || places.some((place) => place === named || words.includes(place));
}

function pickStrongest(troubles: readonly Trouble[]): Trouble | null {
  return troubles.toSorted((a, b) => b.strength - a.strength)[0] ?? null;
}

function addStrengths(troubles: readonly Trouble[]): number {
  return troubles.reduce((sum, { strength }) => sum + strength, 0);
}
