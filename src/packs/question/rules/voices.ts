import { listTerms } from "../../../text/search.ts";
import type { Question } from "../schemas/case.ts";
import type { QuestionConfig } from "../schemas/config.ts";
import type { Camp, Round, Said, Speech, Voice } from "../schemas/debate.ts";
import { answerWords } from "./words.ts";
import { compareFor, groupAnswers, normaliseAnswer } from "./answer.ts";

/** The text for comparing: the short answer if there is one. */
export function comparableOf({ short_answer, answer }: Pick<Speech, "short_answer" | "answer">): string | null {
  return answer === null ? null : (short_answer ?? answer);
}

export type Standard = { question: Question; config: Pick<QuestionConfig, "anti_conformity"> };

/**
 * Every speaker's position after these rounds. Only those who spoke in the last round count; a change without a new
 * quote or argument counts as the earlier answer; the silent are shown with their last words (question spec §6.1).
 */
export function settleVoices(rounds: readonly Round[], asked: readonly string[], standard: Standard): Voice[] {
  const last = rounds.at(-1);
  return asked.map((speaker): Voice => {
    const said = rounds.flatMap(({ speeches }) => speeches.filter((speech) => speech.speaker === speaker));
    const now = last?.speeches.find((speech) => speech.speaker === speaker);
    const before = said.filter((speech) => speech !== now);
    const lastWords = before.findLast(({ answer }) => answer !== null)?.answer ?? null;
    const program = (now ?? said.at(-1))?.program ?? false;
    const nothing = { speaker, answer: null, canonical: null, confidence: 0, program, other: lastWords };
    if (!now) return { ...nothing, state: "silent" };
    if (now.canonical === null) return { ...nothing, state: lastWords === null ? "none" : "silent" };
    const kept = findKept([...before, now], standard);
    const own = { speaker, program, answer: now.answer, canonical: now.canonical, confidence: now.confidence };
    if (kept === now) return { ...own, state: "spoke", other: null };
    const confidence = Math.min(kept.confidence, now.confidence);
    const canonical = findHome(kept, last, standard) ?? kept.canonical;
    return { ...own, answer: kept.answer, canonical, confidence, state: "kept", other: now.answer };
  });
}

function findKept(said: readonly Said[], standard: Standard): Said {
  const answering = said.filter(({ canonical }) => canonical !== null);
  return answering.reduce((kept, speech) => (isUnfounded(kept, speech, standard) ? kept : speech));
}

/** The camp of the last round that agrees with an earlier answer. */
function findHome(kept: Said, last: Round | undefined, { question }: Standard): string | null {
  const own = comparableOf(kept) ?? "";
  const like = last?.speeches.find((speech) => {
    const other = comparableOf(speech);
    return other !== null && speech.speaker !== kept.speaker && compareFor(question, own, other).verdict === "same";
  });
  return like?.canonical ?? null;
}

type Argued = Pick<Speech, "reasoning" | "quotes" | "answer" | "short_answer">;

const enoughNewWords = 4;
const debatingTerms = new Set([...answerWords.majority].flatMap(listTerms));

/** True when a speaker changed its answer without a new quote or argument (question spec §6.1). */
export function isUnfounded(before: Argued, now: Argued, { question, config }: Standard): boolean {
  const [one, other] = [comparableOf(before), comparableOf(now)];
  if (one === null || other === null || before === now) return false;
  const { verdict } = compareFor(question, one, other);
  if (verdict === "same" || (verdict === "unsure" && sharesTerm(one, other))) return false;
  const known = before.quotes.map(({ quote }) => quote);
  const isNew = (quote: string): boolean => !known.some((old) => old.includes(quote) || quote.includes(old));
  if (now.quotes.some(({ quote }) => isNew(quote))) return false;
  if (config.anti_conformity && question.docs.length > 0) return true;
  const old = [before.reasoning, question.question, one, other, before.answer, now.answer].flatMap((text) =>
    listTerms(text ?? ""),
  );
  const isSpent = (term: string): boolean => debatingTerms.has(term) || old.includes(term);
  return new Set(listTerms(now.reasoning).filter((term) => !isSpent(term))).size < enoughNewWords;
}

function sharesTerm(a: string, b: string): boolean {
  const terms = new Set(listTerms(a));
  return listTerms(b).some((term) => terms.has(term));
}

export type Count = {
  camps: Camp[];
  asked: number;
  answered: number;
  agreement: number;
  confidence: number;
  isTie: boolean;
  couldTurn: boolean;
};

/**
 * Counts votes: camps by size, then total confidence, then who spoke first. Agreement and confidence are shares of
 * everyone asked, and the confidence is that of the weakest camp that could still have won, so removing a vote never
 * raises either (question spec §6.1).
 */
export function countVoices(voices: readonly Voice[]): Count {
  const counted = mergePrograms(voices);
  const asked = counted.length;
  const camps = listCamps(counted);
  const sizes = camps.map(({ speakers }) => speakers.length);
  const [most = 0, next = 0] = sizes;
  const answered = sizes.reduce((sum, size) => sum + size, 0);
  const open = asked - answered;
  const couldWin = camps.filter((_, place) => (sizes[place] ?? 0) + open >= most);
  const shares = couldWin.map(({ confidence }) => confidence / Math.max(1, asked));
  const isOpen = open >= most;
  return {
    camps,
    asked,
    answered,
    agreement: asked === 0 ? 0 : most / asked,
    confidence: camps.length === 0 || isOpen ? 0 : Math.min(...shares),
    isTie: most > 0 && most === next,
    couldTurn: most > 0 && most !== next && next + open >= most,
  };
}

function listCamps(voices: readonly Voice[]): Camp[] {
  const answering = voices.filter(({ canonical }) => canonical !== null);
  return [...Map.groupBy(answering, ({ canonical }) => canonical as string)]
    .map(([canonical, members]) => ({
      canonical,
      answer: members[0]?.answer ?? "",
      speakers: members.map(({ speaker }) => speaker),
      confidence: members.reduce((sum, { confidence }) => sum + confidence, 0),
    }))
    .toSorted((a, b) => b.speakers.length - a.speakers.length || b.confidence - a.confidence);
}

/** Programs share one reading: equal answers count as one vote with the lower confidence, and silence next to an answer is not counted. */
function mergePrograms(voices: readonly Voice[]): Voice[] {
  const programs = voices.filter(({ program }) => program);
  const isSilent = programs.every(({ canonical }) => canonical === null);
  return voices.flatMap((voice): Voice[] => {
    if (!voice.program) return [voice];
    const alike = programs.filter(({ canonical }) => canonical === voice.canonical);
    if (alike[0] !== voice || (voice.canonical === null && !isSilent)) return [];
    return [{ ...voice, confidence: Math.min(...alike.map(({ confidence }) => confidence)) }];
  });
}

/** A speaker's reply; `first` is the reply before its repair. */
export type Heard = { role: string; reply: Speech; player: string; first?: Speech | null };

/** Records a round: each speech with its camp's form. `groups` are those of the rules or the `same_answer` role. */
export function recordRound(
  question: Question,
  { round, asked, heard }: { round: number; asked: readonly string[]; heard: readonly Heard[] },
  groups: number[][] | null = null,
): Omit<Round, "agreement"> {
  const said = heard.map((one) => ({ ...one, reply: strikeRepaired(one, question) }));
  const answering = said.filter(({ reply }) => reply.answer !== null);
  const texts = answering.map(({ reply }) => comparableOf(reply) ?? "");
  const made = groups ?? groupAnswers(texts, question);
  const canonicalOf = (role: string): string | null => {
    const place = answering.findIndex((one) => one.role === role);
    const [first] = made.find((group) => group.includes(place)) ?? [];
    return first === undefined ? null : normaliseAnswer(texts[first] ?? "", question);
  };
  const speeches = said.map(({ role, player, reply }): Said => {
    const { reasoning, quotes, answer, short_answer, confidence, struck } = reply;
    const [program, canonical] = [player === "expert", canonicalOf(role)];
    return { speaker: role, reasoning, quotes, answer, short_answer, confidence, struck, program, canonical };
  });
  const silent = asked.filter((speaker) => !heard.some(({ role }) => role === speaker));
  return { round, speeches, silent };
}

/** A repair may not change the answer: one that does is struck. If the rules cannot compare the two, the new one must add nothing. */
export function strikeRepaired({ reply, first }: Heard, question: Question): Speech & { struck: string | null } {
  const [before, after] = [first?.answer ?? null, reply.answer];
  if (before === null || after === null || normaliseAnswer(before, question) === null)
    return { ...reply, struck: null };
  const { verdict } = compareFor(question, before, after);
  const known = listTerms(`${question.question} ${before} ${first?.short_answer ?? ""}`);
  const isNew = listTerms(after).some((term) => !known.includes(term));
  const isChanged = verdict === "different" || (verdict === "unsure" && isNew);
  if (!isChanged) return { ...reply, struck: null };
  const struck = `asked to correct its reply, it changed its answer from “${before}” to “${after}”: neither counts`;
  return { ...reply, answer: null, short_answer: null, confidence: 0, struck };
}

/**
 * Why a round table may stop: nobody has an answer, enough agree, or more than half answered without dissent; null if
 * it must go on (question spec §6.2).
 */
export function findStop(
  round: Round | undefined,
  neededAgreement: number,
): "silence" | "agreement" | "undisputed" | null {
  const speeches = round?.speeches ?? [];
  const answers = speeches.flatMap(({ canonical }) => canonical ?? []);
  if (!round || answers.length === 0) return "silence";
  if (round.agreement >= neededAgreement) return "agreement";
  const share = answers.length / speeches.length;
  const isUndisputed = round.silent.length === 0 && new Set(answers).size === 1 && round.agreement === share;
  return isUndisputed && share > 0.5 ? "undisputed" : null;
}
