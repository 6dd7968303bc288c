import { listTerms, type Statement, sayingsFor, termsIn } from "../../../knowledge/documents/index.ts";
import { formatDate } from "../../../text/values.ts";
import { answerTypeOf, choicesOf, type Question } from "../schemas/case.ts";
import type { JudgeInput, QuestionExperts, SameAnswerInput, SpeakerInput } from "../roles/roles.ts";
import { compareFor, groupAnswers } from "../rules/answer.ts";
import { lastSpeeches } from "../rules/check-reply.ts";
import { isDenied } from "../rules/quotes.ts";
import {
  distinctQuotes,
  type Judgement,
  type Material,
  type Quote,
  type SameAnswers,
  type Speech,
} from "../schemas/debate.ts";
import { compareStated, explainMissingStep, listTwoSteps } from "./combine.ts";
import {
  type Candidate,
  coverageOf,
  type Fit,
  findInForce,
  fitFor,
  type InForce,
  isSameShort,
  listStated,
  rank,
  type Reading,
  readMaterial,
  scoreSigns,
} from "./reader.ts";

/** The experts: a reader, a checker, and a judge that weighs quotes (question spec §7). */
export const experts: QuestionExperts = { speak, judge, compare };

const leastCertainty = 0.5;
const capWhileOpen = 0.55;

type Finding = { force: InForce; certainty: number } | { why: string; nearest: Candidate[] };

/** The first speaker reads, the second checks; a third would only repeat them. Advocates take a side each. */
function speak(input: SpeakerInput, { place, stance }: Parameters<QuestionExperts["speak"]>[1]): Speech {
  const { question, material, history, found } = input;
  const says = sayingsFor(question.question);
  if (material.passages.length === 0) return keepSilent(says.noDocuments);
  if (stance === undefined && place > 1) return keepSilent(says.sameProgram);
  const reading = readMaterial(question.question, material, found?.passages);
  // The reader looks again after hearing the checker.
  const isChecking = stance === undefined && (place === 1 || history.length > 0);
  const read = findAnswer(reading, question, isChecking);
  if (stance === "against") return speakAgainst(reading, question, read, says.nothingAgainst);
  return composeSpeech(read, { reading, question }, isChecking ? says.nothingAgainst : "");
}

function findAnswer(reading: Reading, question: Question, isChecking: boolean): Finding {
  const best = findBest(reading, question);
  if (best === null) return { why: explainSilence(reading), nearest: [] };
  if ("missing" in best)
    return { why: `The documents do not give the values to compare for ${best.missing}.`, nearest: best.nearest };
  const certainty = estimate(reading, best);
  if (certainty < leastCertainty) return { why: explainSilence(reading, best.force.holds), nearest: best.nearest };
  return { force: isChecking && best.later !== null ? best.later : best.force, certainty };
}

/** `later` is what a looser search of later documents finds in force instead. */
type Best = { force: InForce; later: InForce | null; signs: Record<string, number>; nearest: Candidate[] };
type Missing = { missing: string; nearest: Candidate[] };

/** Shares of words from which two statements are about the same. */
const [alike, loosely] = [0.6, 0.4];

function findBest(reading: Reading, question: Question, fit = fitFor(reading)): Best | Missing | null {
  const compared = answerTypeOf(question) === "text" ? compareStated(reading, fit) : null;
  const ranked = rankAll(reading, question, fit);
  const nearest = listNearest(ranked);
  if (compared && "missing" in compared) return { ...compared, nearest };
  const best = compared ? rank([compared], fit)[0] : ranked[0];
  if (!best) return null;
  const force = findInForce(best, ranked, alike);
  const { statement } = force.holds;
  const next = ranked.find(
    (one) => ![best.statement, statement].includes(one.statement) && !isSameShort(one, force.holds),
  );
  const younger = ranked.filter((one) => (one.statement.date ?? 0) > (statement.date ?? Infinity));
  const later = answerTypeOf(question) === "choice" ? force : findInForce(force.holds, younger, loosely);
  // The replacement of the best match is as relevant as the match was.
  const signs = readAll(best, next ?? null, reading);
  return { force, later: later.holds === force.holds ? null : later, signs, nearest };
}

const mostNearest = 3;

/** The best candidates, one for each statement. */
function listNearest(ranked: readonly Candidate[]): Candidate[] {
  const statements = ranked.map(({ statement }) => statement);
  return ranked.filter(({ statement }, at) => statements.indexOf(statement) === at).slice(0, mostNearest);
}

function readAll(best: Candidate, next: Candidate | null, { asked, weights }: Reading): Record<string, number> {
  const unknown = [...weights.unknown].reduce((sum, term) => sum + (weights.of.get(term) ?? 0), 0);
  // The rule of a comparison accounts for its words.
  const isCompared = best.how === "comparison";
  const margin = next && !isCompared ? Math.max(0, Math.min(1, best.score - next.score)) : 1;
  return {
    ...best.signs,
    score: best.score,
    unknown: isCompared ? 0 : unknown / weights.whole,
    margin,
    cause: Number(asked.kind === "cause"),
  };
}

/** Fitted probabilities: the least for giving an answer, and for stating it above .6 (question spec §7.4). */
const levels = { answer: 0.6, high: 0.94 };

/** The stated confidence for a fitted probability; below .5 nothing is answered. */
export function stateCertainty(chance: number): number {
  const { answer, high } = levels;
  if (chance < answer) return (chance / answer) * 0.5;
  return chance < high
    ? 0.5 + ((chance - answer) / (high - answer)) * 0.1
    : 0.6 + ((chance - high) / (1 - high)) * 0.35;
}

/** The stated confidence: the fitted probability, the reliability of the source, and whether anything is open (question spec §7.4). */
function estimate(reading: Reading, { force, signs, later }: Best): number {
  const certainty = stateCertainty(scoreSigns(fitFor(reading).certainty, signs)) * force.holds.statement.trust;
  const isOpen = later !== null || (force.against !== null && force.settled === null);
  return isOpen ? Math.min(capWhileOpen, certainty) : certainty;
}

/** For fitting: every part that may answer a question, and the best by a given fit. */
export function inspectAnswer(question: Question, material: Material) {
  const reading = readMaterial(question.question, material);
  return {
    parts: listParts(reading),
    choose: (fit: Fit) => {
      const best = findBest(reading, question, fit);
      return best === null || "missing" in best
        ? null
        : { ...best.force.holds, all: best.signs, isCapped: best.later !== null };
    },
  };
}

const partsOf = new WeakMap<Reading, Candidate[]>();

/** All candidates: parts of statements, and pairs that cover more than any single one. */
function listParts(reading: Reading): Candidate[] {
  const known = partsOf.get(reading);
  if (known) return known;
  const stated = listStated(reading);
  const parts = [...stated, ...listTwoSteps(reading, Math.max(0, ...stated.map(coverageOf)))];
  partsOf.set(reading, parts);
  return parts;
}

function rankAll(reading: Reading, question: Question, fit = fitFor(reading)): Candidate[] {
  const type = answerTypeOf(question);
  const ranked = rank(listParts(reading), fit);
  if (type === "choice") return rankChoices(ranked, question);
  // A number has no words around it, so its statement must cover nearly all of the question.
  return type === "text"
    ? ranked
    : ranked.filter((one) => one.value?.kind === "number" && one.how === "stated" && coverageOf(one) >= 0.8);
}

/** An advocate against: the best other answer, half as confident, since another was found to be better. */
function speakAgainst(reading: Reading, question: Question, read: Finding, nothing: string): Speech {
  const lead = "why" in read ? null : read.force.holds;
  const other = rankAll(reading, question).find(
    (one) =>
      one.score >= leastCertainty &&
      one.statement !== lead?.statement &&
      (!lead || compareFor(question, one.answer, lead.answer).verdict !== "same"),
  );
  if (!other) return keepSilent(nothing);
  const force = { holds: other, against: null, settled: null };
  return composeSpeech({ force, certainty: stateCertainty(other.score) / 2 }, { reading, question }, "");
}

/** Statements that name one choice only, and do not deny it. */
function rankChoices(ranked: readonly Candidate[], { choices }: Question): Candidate[] {
  return ranked.flatMap((one): Candidate[] => {
    const { said } = one.statement;
    const has = termsIn(said);
    const named = choicesOf(choices).filter(({ text }) => {
      const own = listTerms(text);
      return own.length === 0 ? said.includes(text) : own.every((term) => has.has(term));
    });
    const [choice] = named;
    if (!choice || named.length > 1 || isDenied(said, choice.text) || one.how !== "stated") return [];
    return [{ ...one, answer: choice.key, short: choice.key, value: null }];
  });
}

function composeSpeech(
  finding: Finding,
  { reading, question }: { reading: Reading; question: Question },
  checked: string,
): Speech {
  if ("why" in finding)
    return { ...keepSilent(finding.why), quotes: finding.nearest.map(({ statement }) => quoteOf(statement)) };
  const { force, certainty } = finding;
  const { holds, against } = force;
  const { statement, answer, short, signs, rule, steps } = holds;
  const missing = sayNever(listUnknown(reading));
  const edited = statement.changed
    ? `${statement.changed.by.source} changes it: “${statement.changed.by.text}”; before, it said “${statement.changed.before}”.`
    : "";
  const how =
    rule === ""
      ? `${statement.source} covers ${Math.round(Math.min(1, signs.own + signs.above) * 100)} % of the question (rare words weigh more).`
      : rule;
  const sources = [
    statement,
    ...(statement.changed ? [statement.changed.by] : []),
    ...steps,
    ...(against ? [against.statement] : []),
  ];
  const number =
    answerTypeOf(question) === "number" && holds.value?.kind === "number" ? String(holds.value.readings[0]) : null;
  return {
    reasoning: [how, edited, missing, explainConflict(force), against || statement.changed ? "" : checked]
      .filter(Boolean)
      .join(" "),
    quotes: distinctQuotes(sources.map(quoteOf)),
    answer: number ?? answer,
    short_answer: number ?? (short !== null && short.split(/\s+/).length <= 8 ? short : null),
    confidence: Math.round(certainty * 100) / 100,
    search: null,
  };
}

function explainConflict({ holds, against, settled }: InForce): string {
  if (against === null) return "";
  const other = `${against.statement.source} says otherwise`;
  const date = holds.statement.date === null ? "" : ` of ${formatDate(holds.statement.date)}`;
  if (settled === "date")
    return `${other}; ${holds.statement.source}${date} is the latest that applies to the time in question.`;
  if (settled === "wording") return `${other}; ${holds.statement.source} says that it changes this.`;
  return `${other}, and neither dates nor wording show which of them applies.`;
}

/** Words of the question that no statement has in any form. */
function listUnknown({ asked, weights }: Reading): string[] {
  return [...weights.unknown].map((term) => asked.wordOf.get(term) ?? term).filter((word) => word.length > 1);
}

function sayNever(missing: string[]): string {
  return missing.length === 0 ? "" : `The documents never mention ${missing.map((word) => `“${word}”`).join(", ")}.`;
}

/** Says "never mentioned" only if no form of the word occurs; otherwise that nothing was found that answers. */
function explainSilence(reading: Reading, nearest?: Candidate): string {
  const never = sayNever(listUnknown(reading));
  if (!nearest) return `Nothing here answers this. ${never}`.trim();
  const { source, trust } = nearest.statement;
  const near = trust < 0.6 ? `Only ${source} mentions it, and that source is not reliable.` : "";
  const step = explainMissingStep(reading) ?? "";
  return ["Nothing here answers this reliably.", never, step, near].filter(Boolean).join(" ");
}

function keepSilent(reasoning: string): Speech {
  return { reasoning, quotes: [], answer: null, short_answer: null, confidence: 0, search: null };
}

function quoteOf({ source, text }: Statement): Quote {
  return { source, quote: text };
}

/** Reads on its own and follows the answer that says what it found, else the surest with a quote; no surer than either (question spec §7.5). */
function judge({ question, material, history }: JudgeInput): Judgement {
  const read = findAnswer(readMaterial(question.question, material), question, true);
  const own = "why" in read ? null : read.force.holds;
  const [first, next] = lastSpeeches(history)
    .flatMap(({ answer, short_answer, confidence, quotes }, index) => {
      if (answer === null) return [];
      const isSame = own && compareFor(question, short_answer ?? answer, own.short ?? own.answer).verdict === "same";
      const support = isSame && "certainty" in read ? read.certainty : confidence * (quotes.length > 0 ? 0.5 : 0.25);
      return [{ winner: index + 1, answer, isSame, support, confidence: round(Math.min(confidence, support)) }];
    })
    .toSorted((a, b) => b.support - a.support);
  if (!first) return { reasoning: "No speaker gave an answer.", winner: null, answer: null, confidence: 0 };
  const { winner, answer, isSame, confidence } = first;
  const why = isSame ? "the documents say so" : "the program found nothing better";
  const against = next ? `; the next answer is “${next.answer}”` : ", and no other answer was given";
  return { reasoning: `“${answer}”: ${why}${against}.`, winner, answer, confidence };
}

function round(value: number): number {
  return Math.round(Math.min(1, value) * 100) / 100;
}

function compare({ question, answers }: SameAnswerInput): SameAnswers {
  const groups = groupAnswers(answers, question);
  return {
    reasoning: "Only answers that the rules recognise as the same are grouped; all others count as different.",
    groups: groups.map((group) => group.map((place) => place + 1)),
  };
}
