import { contradict, findDates, orderDate, readValues } from "../../../knowledge/documents/index.ts";
import type { Candidate } from "./candidates.ts";

/** The candidate that holds, and the one that contradicts it; `settled` says what told them apart, null when nothing did. */
export type InForce = { holds: Candidate; against: Candidate | null; settled: "date" | "provenance" | null };

/** How good a contradicting candidate must be, beside the best, to be taken into account. */
const comparable = 0.5;

/** Finds which of contradicting statements holds: the one that can be relied on, then the latest, or the latest by the time that the question asks about (question spec §7.2). */
export function findInForce(best: Candidate, others: Candidate[], question: string): InForce {
  const against = others.filter(
    (one) => one !== best && one.score >= best.score * comparable && isContradiction(best, one),
  );
  const [other] = against;
  if (!other) return { holds: best, against: null, settled: null };
  const all = [best, ...against];
  const trust = Math.max(...all.map(({ sentence }) => sentence.trust));
  const relied = all.filter(({ sentence }) => sentence.trust >= trust * 0.75);
  const dated = relied.filter(({ sentence }) => sentence.date !== null && sentence.date <= findAskedTime(question));
  const latest = dated.toSorted((a, b) => (b.sentence.date ?? 0) - (a.sentence.date ?? 0))[0];
  const holds = latest ?? relied[0] ?? best;
  const rival = all.find((one) => one !== holds && isContradiction(holds, one)) ?? other;
  const byDate = latest !== undefined && rival.sentence.date !== latest.sentence.date && relied.includes(rival);
  return {
    holds,
    against: rival,
    settled: byDate && rival.sentence.date !== null ? "date" : relied.includes(rival) ? null : "provenance",
  };
}

function isContradiction(a: Candidate, b: Candidate): boolean {
  return a.sentence.source !== b.sentence.source && contradict(a.sentence, b.sentence) !== null;
}

const endless = Number.POSITIVE_INFINITY;

/** The last day that a question asks about: that of a year or date it names; no end when it names none. */
function findAskedTime(question: string): number {
  const [date] = findDates(question);
  if (date !== undefined) return date;
  const years = readValues(question).values.flatMap((value) =>
    value.kind === "number" && value.measure === null ? value.readings.filter((one) => one >= 1900 && one <= 2100) : [],
  );
  const [year] = years;
  return year === undefined ? endless : orderDate(year, 12, 31);
}
