import type { SimilarIncident } from "../../../contract/incident.ts";
import type { Evidence, Hypothesis } from "../schemas/hypothesis.ts";
import { findLine, addressesReader, keyRef } from "./evidence.ts";
import type { Material, ShownLine } from "../schemas/material.ts";
import type { Certainty, FinalHypothesis, Round, SeparateIncident, TopHypothesis } from "../schemas/round.ts";
import { coverWords } from "./compare-wording.ts";
import { listHypotheses } from "./round.ts";
import { agree } from "./stop.ts";

/** A hypothesis below this score is neither a decision nor a separate incident. */
export const leastScore = 50;
const mostApart = 0.45;
const nearPoints = 8;
/** Below this nothing is likely or confirmed, and what is inconclusive states no more. */
const leastSure = 0.5;
/** Below this nothing is confirmed, and effects alone tell no cause. */
const leastConfirmed = 0.85;
/** The highest confidence that a cause is unknown. */
const mostUnknown = 0.5;

/** The outcome of a debate, with caveats for the reader. */
export type Settlement = { outcome: "decided" | "undecided" | "escalated"; reasons: string[]; caveats: string[] };

type Best = { top: TopHypothesis; round: Round };

/** The highest judge score over all rounds, the earliest in a tie (root-cause spec §4.5); null without hypotheses. */
export function findBest(rounds: readonly Round[]): Best | null {
  let best: Best | null = null;
  for (const round of rounds) {
    const top = round.top_hypothesis;
    if (top && (!best || (top.judge_score ?? -1) > (best.top.judge_score ?? -1))) best = { top, round };
  }
  return best;
}

/** Decides whether the best hypothesis counts as decided (root-cause spec §4.5). */
export function settle(rounds: readonly Round[], material: Material): Settlement {
  const best = findBest(rounds);
  if (best === null) return { outcome: "undecided", reasons: ["no hypothesis was put forward"], caveats: [] };
  const caveats = listCaveats(best, rounds, material);
  const open = listOpen(best, material);
  if (open.length > 0) return { outcome: "undecided", reasons: open, caveats };
  const doubts = listDoubts(best, material);
  return doubts.length > 0
    ? { outcome: "escalated", reasons: doubts, caveats }
    : { outcome: "decided", reasons: [], caveats };
}

function isUnknown({ hypothesis }: Pick<Hypothesis, "hypothesis">): boolean {
  return /^unknown\b/i.test(hypothesis);
}

function listOpen({ top, round }: Best, material: Material): string[] {
  const score = top.judge_score ?? 0;
  const tied = listRivals({ top, round }).filter(
    (rival) => rival.judge_score >= score - 0.01 && !isApart(rival, top, material),
  );
  const standing = top.evidence.filter(
    ({ kind, ref, quote }) => kind !== "log" || !addressesReader(`${quote} ${findLine(material, ref)?.text ?? ""}`),
  );
  return [
    ...(score < leastScore
      ? [`the best hypothesis has ${score} of 100 points; below ${leastScore} nothing is decided`]
      : []),
    ...(tied.length > 0 ? [`${tied.length + 1} different causes have ${score} points`] : []),
    ...(standing.length === 0 && !isUnknown(top) ? ["no evidence of the best hypothesis stands"] : []),
  ];
}

function listDoubts({ top, round }: Best, material: Material): string[] {
  const score = top.judge_score ?? 0;
  const evaluated = round.judge_evaluation?.evaluated ?? [];
  const own = evaluated.find(({ id }) => id === top.id);
  const praise = (own?.strengths ?? []).filter((words) => !/^\W*(?:none|nothing|no|n\/?a)?\W*$/i.test(words));
  const isBlamed =
    own !== undefined && ((praise.length === 0 && own.weaknesses.length > 0) || denial.test(own.feedback));
  const praised = (own?.strengths ?? []).flatMap((words) => [...words.matchAll(/\blines? (\S*\d+)\b/gi)]);
  const unseen = praised.flatMap(([, ref = ""]) => (isShown(ref, material) ? [] : [ref]));
  const errors = countErrors(material);
  const second = readAgain(top, material);
  return [
    ...(Math.abs(score / 100 - top.confidence) > mostApart
      ? [`the judge gives ${score} of 100 points to what its author is ${top.confidence} sure of`]
      : []),
    ...(round.judge_evaluation?.disagreement?.top_changed
      ? ["the judge prefers another cause when it reads in the opposite order"]
      : []),
    ...(isBlamed ? ["the judge's words speak against its favourite"] : []),
    ...(unseen.length > 0 ? [`the judge praises line ${unseen.join(", ")}, which does not exist`] : []),
    ...(denial.test(top.hypothesis.replace(/\bnot\b.{1,80}\bbut\b/i, "")) ? ["it rules a cause out"] : []),
    ...(deniesErrors(top, material) ? [`"no fault" against ${errors} errors in ${material.totals.events} events`] : []),
    ...(top.category !== "none" && !isUnknown(top) && !sharesWords(top, material)
      ? ["it has no word in common with what it cites"]
      : []),
    ...(top.category === "none" && citesCause(top, material) ? ['"no fault" cites a line that states a fault'] : []),
    ...(isUnknown(top) && top.confidence > mostUnknown ? [`it is ${top.confidence} sure of an unknown cause`] : []),
    ...findBlamedCaller(top, material),
    ...(second === null ? [] : [second]),
  ];
}

function countErrors({ totals }: Material): number {
  return (totals.by_level.ERROR ?? 0) + (totals.by_level.FATAL ?? 0);
}

function deniesErrors({ category }: Hypothesis, material: Material): boolean {
  return category === "none" && countErrors(material) >= 0.2 * material.totals.events;
}

/** A caller is blamed, with nothing from before its calls began to fail: the service it calls comes first. */
function findBlamedCaller({ affected_components, evidence, category }: Hypothesis, material: Material): string[] {
  const named = affected_components.map((name) => name.toLowerCase());
  const from = Math.min(...evidence.flatMap(({ ref }) => findLine(material, ref)?.at ?? []));
  const blamed = material.calls.find(
    ({ caller, callee, change, since }) =>
      (change === "failing" || change === "slower" || change === "stopped") &&
      named.includes(caller.toLowerCase()) &&
      !named.includes(callee.toLowerCase()) &&
      (since === null || from >= since - 1000),
  );
  return blamed === undefined || category === "none"
    ? []
    : [`it blames ${blamed.caller}, whose calls to ${blamed.callee} are what changed`];
}

/** True when a claim is about what it cites, besides who said it: a true quote proves no other claim. */
function sharesWords({ evidence, hypothesis, affected_components }: Hypothesis, material: Material): boolean {
  const names = [...affected_components, ...material.lines.flatMap(({ component }) => component ?? [])];
  const named = new Set(names.flatMap((name) => name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []));
  const claim = hypothesis.toLowerCase().replace(/[\p{L}\p{N}]+/gu, (word) => (named.has(word) ? "" : word));
  const listCalls = (ref: Evidence["ref"]) =>
    material.calls.flatMap(({ line, now_ms, failed }) =>
      line !== null && keyRef(line) === keyRef(ref) ? `calls take ${now_ms} ms, ${failed} failed` : [],
    );
  return evidence.some(({ kind, ref, quote }) => {
    const texts = kind === "log" ? [findLine(material, ref)?.text ?? "", ...listCalls(ref)] : [];
    return coverWords(claim, [quote, ...texts].join(" ")) > 0;
  });
}

function isShown(ref: string, material: Material): boolean {
  return findLine(material, ref) !== undefined || material.errors.some(({ line }) => String(line) === keyRef(ref));
}

const denial =
  /(?:\b(?:not|never|cannot)|n't) (?:be )?(?:the|an?|due|because|caused?|to blame|responsible|involved)\b/i;

function citesCause({ evidence }: Hypothesis, { witness }: Material): boolean {
  const cited = new Set(evidence.map(({ ref }) => keyRef(ref)));
  return witness.suspects.some(
    ({ role, strength, refs }) => role === "cause" && strength >= 0.5 && refs.some((ref) => cited.has(keyRef(ref))),
  );
}

/**
 * A second opinion by the witness, which may call for a person when it sees a clear cause elsewhere, but never
 * overrules.
 */
function readAgain(top: Hypothesis, { witness }: Material): string | null {
  const [first] = witness.suspects;
  if (first === undefined || first.strength < 0.6 || first.role === "symptom" || isUnknown(top)) return null;
  const cited = new Set(top.evidence.map(({ ref }) => String(ref)));
  const isSeen = witness.suspects.some(
    ({ strength, refs, numbers }) =>
      strength >= first.strength / 4 && [...refs, ...numbers].some((ref) => cited.has(String(ref))),
  );
  const isHistory = top.evidence.some(({ kind }) => kind === "kg");
  return isSeen || isHistory
    ? null
    : `none of its lines bears on the trouble that the ${witness.name} sees: ${first.place ?? "an unknown component"} ${first.says}: ${first.words}`;
}

function isRival(id: string, { top, round }: Best): boolean {
  const other = listHypotheses(round).find((one) => one.id === id);
  return other !== undefined && id !== top.id && !agree(other, top, 0.5);
}

/** The hypotheses of other causes in the round of the best one, with their points. */
export function listRivals(best: Best): (Hypothesis & { judge_score: number })[] {
  const evaluated = best.round.judge_evaluation?.evaluated ?? [];
  return evaluated.flatMap(({ id, judge_score }) => {
    const rival = listHypotheses(best.round).find((one) => one.id === id);
    return rival && isRival(id, best) ? [{ ...rival, judge_score }] : [];
  });
}

function listCaveats({ top, round }: Best, rounds: readonly Round[], material: Material): string[] {
  const later = rounds
    .filter(({ round_number }) => round_number > round.round_number)
    .flatMap(({ round_number, judge_evaluation }) => {
      const again = judge_evaluation?.evaluated.find(({ id }) => id === top.id);
      return again && again.judge_score < (top.judge_score ?? 0) - 20
        ? [
            `the judge gave it ${top.judge_score} points in round ${round.round_number} and ${again.judge_score} in round ${round_number}; the best round counts`,
          ]
        : [];
    });
  const judged = round.judge_evaluation?.evaluated ?? [];
  const isCited = (line: ShownLine) => top.evidence.some(({ ref }) => findLine(material, ref) === line);
  const isPraised = ({ ref, text }: ShownLine) =>
    judged.some(({ strengths, feedback }) =>
      [...strengths, feedback].some((words) => words.includes(String(ref)) || coverWords(text, words) >= 0.5),
    );
  const obeyed = material.lines.filter((line) => addressesReader(line.text) && (isCited(line) || isPraised(line)));
  const unscored = round.judge_evaluation?.unscored ?? [];
  return [
    ...later,
    ...obeyed.map(({ ref }) => `line ${ref} speaks to the reader of this debate; it does not count as evidence`),
    ...(bearsOnNothing(top, material) ? [`no line it cites shows trouble that the ${material.witness.name} sees`] : []),
    ...((top.struck?.length ?? 0) > 0 ? [`${top.struck?.length} of its quotes did not stand and were struck`] : []),
    ...(top.mended ?? []),
    ...(unscored.length > 0 ? [`the judge did not score ${unscored.join(", ")}`] : []),
  ];
}

/** True when a cause rests only on lines of the log in which the witness sees nothing, or on what a line told its reader. */
function bearsOnNothing({ evidence, category }: Hypothesis, { witness, errors }: Material): boolean {
  const seen = new Set(
    [...witness.suspects.flatMap(({ refs, numbers }) => [...refs, ...numbers]), ...errors.map(({ line }) => line)].map(
      keyRef,
    ),
  );
  return (
    category !== "none" &&
    evidence.length > 0 &&
    !evidence.some(({ kind, ref }) => kind === "kg" || seen.has(keyRef(ref)))
  );
}

/** The best hypothesis over all rounds in the shape of the output (root-cause spec §5). */
export function pickFinal(rounds: readonly Round[], material: Material): FinalHypothesis | null {
  const best = findBest(rounds);
  if (best === null) return null;
  const {
    hypothesis,
    confidence,
    judge_score,
    source,
    reasoning,
    evidence,
    category,
    affected_components,
    causal_path,
  } = best.top;
  const certainty = rateCertainty(best, material);
  return {
    hypothesis,
    confidence: certainty === "inconclusive" ? Math.min(confidence, leastSure) : confidence,
    judge_score,
    source,
    reasoning,
    evidence,
    resolution: best.top.suggested_resolution,
    category,
    affected_components,
    causal_path,
    rounds_refined: countRoundsRefined(rounds, best),
    certainty,
    would_tell: certainty === "confirmed" ? [] : listTelling(best, material),
  };
}

/**
 * Confirmed: a line states the cause before its effects, and no rival explains as much. Likely: lines support the
 * chain. Otherwise inconclusive (root-cause spec §4.5).
 */
export function rateCertainty({ top, round }: Best, material: Material): Certainty {
  if (isUnknown(top) || deniesErrors(top, material) || (top.judge_score !== null && top.judge_score < leastScore))
    return "inconclusive";
  const cited = top.evidence.filter(({ kind }) => kind !== "kg");
  if (cited.length === 0) return "inconclusive";
  const past = findRecalled(top, material);
  const sure = Math.min(top.confidence, (top.judge_score ?? 0) / 100);
  if (sure < leastSure) return "inconclusive";
  const seen = listSeen(cited, material);
  const lead = listSeen(cited.slice(0, 1), material);
  const first = Math.min(...seen.map(({ at }) => at ?? Number.NEGATIVE_INFINITY));
  // What states a cause is blamed, or came first: told as what followed, it states another.
  const isStated =
    seen.length === 0 ||
    [...lead, ...seen.filter(({ at }) => (at ?? first) <= first + 5000)].some(({ role }) => role === "cause");
  const isChange = seen.some(({ role }) => role === "change") && isLinked(cited, material);
  const [strongest] = material.witness.suspects;
  const isLikely = sure >= leastConfirmed && strongest !== undefined && seen.includes(strongest);
  if (past ? !past.proven : !isStated && !isChange && !isLikely && top.category !== "none") return "inconclusive";
  const onset = firstTrouble(material);
  const states = cited.some(({ kind, ref, quote }) => {
    const line = kind === "log" ? findLine(material, ref) : undefined;
    const number = material.numbers.find(({ id }) => id === ref);
    const at = line?.at ?? number?.at ?? null;
    const isFirst = onset === null || at === null || at <= onset + 5000;
    return isFirst && coverWords(quote, top.hypothesis) >= 0.5;
  });
  const rivals = listRivals({ top, round }).filter((rival) => rival.judge_score > (top.judge_score ?? 0) - nearPoints);
  const mayConfirm = sure >= leastConfirmed && top.category !== "none";
  if (mayConfirm && states && (isStated || past) && rivals.length === 0) return "confirmed";
  return new Set(top.causal_path).size >= 2 || top.category === "none" || states ? "likely" : "inconclusive";
}

/** What the witness sees in the cited lines. */
function listSeen(cited: readonly Evidence[], { witness }: Material): Material["witness"]["suspects"] {
  const refs = new Set(cited.map(({ ref }) => keyRef(ref)));
  return witness.suspects.filter(({ refs: lines, numbers }) =>
    [...lines, ...numbers].some((ref) => refs.has(keyRef(ref))),
  );
}

/** True for a change by, of, or in the name of a component in which something fails later. */
function isLinked(cited: readonly Evidence[], material: Material): boolean {
  const lines = cited.flatMap(({ ref }) => findLine(material, ref) ?? []);
  const [first] = lines.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
  if (first === undefined) return false;
  const names = (text: string, name: string | null) =>
    name !== null && text.toLowerCase().includes(name.toLowerCase().replace(/.*[./]/, ""));
  return material.errors.some(
    ({ component, message, at }) =>
      (at ?? 0) >= (first.at ?? 0) &&
      (component === first.component ||
        names(first.text, component) ||
        names(message, first.component) ||
        material.calls.some(({ caller, callee }) => caller === component && callee === first.component)),
  );
}

function findRecalled({ evidence, hypothesis }: Hypothesis, { history }: Material): SimilarIncident | undefined {
  const ids = new Set(evidence.filter(({ kind }) => kind === "kg").map(({ ref }) => String(ref)));
  return history?.similar_incidents.find(
    ({ incident_id, cause }) => ids.has(incident_id) && hypothesis.includes(cause),
  );
}

function firstTrouble({ errors, lines }: Material): number | null {
  const times = [
    ...errors.flatMap(({ at }) => at ?? []),
    ...lines.filter(({ level }) => level === "ERROR" || level === "FATAL").flatMap(({ at }) => at ?? []),
  ];
  return times.length > 0 ? Math.min(...times) : null;
}

function listTelling({ top, round }: Best, material: Material): string[] {
  const where = top.affected_components[0] ?? "the program";
  const onset = firstTrouble(material);
  const when = onset === null ? "" : ` around ${new Date(onset).toISOString().slice(0, 19).replace("T", " ")}`;
  const [next] = listRivals({ top, round });
  return [
    ...(top.category === "none"
      ? []
      : [
          `a line of ${where}${when} that gives the reason; its log at a more detailed level; changes made there before`,
        ]),
    ...(next ? [`anything that supports the runner-up: ${next.hypothesis}`] : []),
  ];
}

function countRoundsRefined(rounds: readonly Round[], { top, round }: Best): number {
  let line = new Set([top.id]);
  let count = 0;
  for (const one of rounds.filter(({ round_number }) => round_number <= round.round_number).toReversed()) {
    const present = listHypotheses(one).filter(({ id }) => line.has(id));
    if (present.length > 0) count += 1;
    line = new Set([...line, ...present.flatMap(({ from }) => from ?? [])]);
  }
  return Math.max(1, count);
}

/** Other incidents in the log: causes of other programs that nothing links with the best one (root-cause spec §4.8). */
export function listSeparate(rounds: readonly Round[], material: Material): SeparateIncident[] {
  const best = findBest(rounds);
  if (best === null || best.top.category === "none") return [];
  const judged = rounds.flatMap((round) =>
    listHypotheses(round).flatMap((one) => {
      const score = round.judge_evaluation?.evaluated.find(({ id }) => id === one.id)?.judge_score ?? 0;
      return one.category !== "none" && score >= leastScore ? [{ ...one, judge_score: score }] : [];
    }),
  );
  const apart: typeof judged = [];
  for (const one of judged.toSorted((a, b) => b.judge_score - a.judge_score))
    if ([best.top, ...apart].every((other) => isApart(one, other, material))) apart.push(one);
  return apart.map((found): SeparateIncident => {
    const { id: _id, reasoning: _reasoning, from: _from, changes_made: _changes, ...facts } = found;
    const { struck: _struck, mended: _mended, ...rest } = facts;
    const { names, from } = describeTrouble(found, material);
    return { programs: names, began: from, ...rest };
  });
}

const togetherMs = 120_000;

/** True for causes of different programs, begun at other times, where neither's lines name or call the other's program. */
function isApart(a: Hypothesis, b: Hypothesis, material: Material): boolean {
  const [one, other] = [describeTrouble(a, material), describeTrouble(b, material)];
  if (one.from === null || other.from === null || Math.abs(one.from - other.from) <= togetherMs) return false;
  const names = (text: string, list: readonly string[]) => list.some((name) => text.includes(name.toLowerCase()));
  const isCall = ({ caller, callee }: Material["calls"][number]) =>
    [one, other].every(({ names: own }) => own.includes(caller) || own.includes(callee));
  return !names(one.text, other.names) && !names(other.text, one.names) && !material.calls.some(isCall);
}

/** The programs of a cause, what its lines say, and since when. */
function describeTrouble({ evidence, affected_components, hypothesis }: Hypothesis, material: Material) {
  const lines = evidence.flatMap(({ kind, ref }) => (kind === "log" ? (findLine(material, ref) ?? []) : []));
  const times = lines.flatMap(({ at }) => at ?? []);
  const text = [hypothesis, ...affected_components, ...lines.map((line) => line.text)].join("\n").toLowerCase();
  return { names: affected_components, text, from: times.length > 0 ? Math.min(...times) : null };
}
