import { applyJury } from "../../contract/jury.ts";
import type { Verdict } from "../../engine/pack.ts";
import { answerTypeOf, type Question } from "./schemas/case.ts";
import { hasJudge, type QuestionConfig, speakersOf } from "./schemas/config.ts";
import { checkJudgement } from "./rules/check-reply.ts";
import { type Count, countVoices, findStop, settleVoices } from "./rules/voices.ts";
import {
  type Camp,
  distinctQuotes,
  type Judgement,
  type Material,
  type QuestionDecision,
  type Round,
  type Said,
  type Voice,
} from "./schemas/debate.ts";

export type Hearing = {
  question: Question;
  config: QuestionConfig;
  rounds: Round[];
  judgement: Judgement | null;
  asked?: readonly string[];
  stop?: QuestionDecision["stop_reason"];
  retrieval?: Material["retrieval"];
  cut?: Round | null;
};

/** Decides by the judge if there is one, else by the last round's vote; below the quorum nothing is decided (question spec §6). */
export function decide(hearing: Hearing): Verdict<QuestionDecision> {
  const { question, config, judgement } = hearing;
  const asked = hearing.asked ?? Object.keys(speakersOf(config));
  const rounds = hearing.cut ? [...hearing.rounds, hearing.cut] : hearing.rounds;
  const standing = hearing.cut ? layOver(hearing.rounds, hearing.cut) : rounds;
  const standard = { question, config };
  const voices = settleVoices(standing, asked, standard);
  const count = countVoices(voices);
  const before = hearing.cut ? countVoices(settleVoices(hearing.rounds, asked, standard)) : null;
  const ruling = judgement && readRuling(judgement, question, standing);
  const won = ruling ? followJudge(ruling, standing, count) : pickCamp(count, voices, config);
  const openings = countVoices(settleVoices(rounds.slice(0, 1), asked, standard));
  const cap = hearing.cut && hearing.rounds.length > 0 ? (before?.confidence ?? 1) : 1;
  const speech = findSpeech(won.canonical, standing, ruling);
  const reasons = ruling && isOwnAnswer(ruling) ? [] : findShortfalls(hearing, count, voices, won);
  const decision: QuestionDecision = {
    question: question.question,
    answer_type: answerTypeOf(question),
    answer: won.answer,
    short_answer: won.answer === null ? null : (speech?.short_answer ?? null),
    canonical: won.canonical,
    confidence: round(Math.min(cap, won.confidence)),
    decided_by: nameDecider(won, hearing, count, voices),
    stop_reason: hearing.stop ?? nameStop(config, rounds.at(-1)),
    agreement: count.agreement,
    asked: asked.length,
    voices,
    votes: count.camps,
    dissent: listDissent(won.canonical, count.camps, voices),
    vote_after_openings: openings.isTie ? null : (openings.camps[0]?.answer ?? null),
    rounds,
    judgement,
    sources: collectSources(won.canonical, standing),
    retrieval: hearing.retrieval ?? "unavailable",
  };
  return { outcome: reasons.length === 0 ? "decided" : "undecided", reasons, decision };
}

type Won = { answer: string | null; canonical: string | null; by: "judge" | "vote" | "jury"; confidence: number };

/** The checks keep a judge from saying more than the answer it follows; if it does, a person overruled them with a reason. */
function readRuling(judgement: Judgement, question: Question, rounds: Round[]): Judgement {
  const isOther = checkJudgement(judgement, question, rounds.at(-1)?.speeches ?? [], false).length > 0;
  return isOther && judgement.answer !== null ? { ...judgement, winner: null } : judgement;
}

function isOwnAnswer({ winner, answer }: Judgement): boolean {
  return winner === null && answer !== null;
}

function followJudge(judgement: Judgement, rounds: Round[], { camps, asked }: Count): Won {
  if (isOwnAnswer(judgement)) {
    const { answer } = judgement;
    return { answer, canonical: answer, by: "judge", confidence: Math.min(judgement.confidence, 1 / (asked + 1)) };
  }
  const said = judgement.winner === null ? undefined : rounds.at(-1)?.speeches[judgement.winner - 1];
  const size = camps.find(({ canonical }) => canonical === said?.canonical)?.speakers.length ?? 0;
  // Whom it follows may have changed without a reason: then that answer counts for nobody.
  if (!said || size === 0) return { answer: null, canonical: null, by: "judge", confidence: 0 };
  const confidence = Math.min(judgement.confidence, (size + 1) / (asked + 1));
  return { answer: said.answer, canonical: said.canonical, by: "judge", confidence };
}

function pickCamp(count: Count, voices: Voice[], { jury }: QuestionConfig): Won {
  const votes = count.camps.flatMap((camp, at) =>
    voices
      .filter(({ speaker }) => camp.speakers.includes(speaker))
      .map(({ speaker }) => ({ member: speaker, answer: String(at) })),
  );
  const { answer: best, confidence } = jury
    ? applyJury(jury, { votes })
    : { answer: "0", confidence: count.confidence };
  const { answer = null, canonical = null } = count.camps[Number(best ?? -1)] ?? {};
  return { answer, canonical, by: jury ? "jury" : "vote", confidence };
}

function layOver(rounds: Round[], cut: Round): Round[] {
  const last = rounds.at(-1);
  if (!last) return [cut];
  const spoke = (speaker: string): boolean => cut.speeches.some((speech) => speech.speaker === speaker);
  const speeches = [...last.speeches.filter(({ speaker }) => !spoke(speaker)), ...cut.speeches];
  return [...rounds, { ...cut, speeches }];
}

/** Shortfalls of the quorum: more than half must have an answer, one camp must lead, and a judge must have ruled (question spec §6.3). */
function findShortfalls(hearing: Hearing, count: Count, voices: Voice[], won: Won): string[] {
  const { config, rounds, judgement } = hearing;
  const { answered, asked } = count;
  // In a courtroom an advocate without an answer was still heard.
  const heard = config.protocol === "courtroom" && answered > 0 ? rounds.at(-1)?.speeches : [];
  const conceded = voices.filter(({ speaker, state }) => {
    return state !== "spoke" && heard?.some((speech) => speech.speaker === speaker);
  }).length;
  const isShort = (answered + conceded) * 2 <= asked;
  const mute = rounds.at(-1)?.speeches.filter(({ canonical }) => canonical === null) ?? [];
  const first = mute.find(({ program }) => program);
  const why = new Set(mute.flatMap((one) => (one.program && one !== first ? [] : [one.reasoning])));
  if (hasJudge(config))
    return [
      ...(isShort ? [sayHowMany(answered, asked), ...why] : []),
      ...(judgement === null ? ["the judge gave no valid reply"] : []),
      ...(judgement && won.answer === null ? [`the judge found no answer: ${judgement.reasoning}`] : []),
    ];
  if (isShort) return [sayHowMany(answered, asked), ...why];
  if (won.by === "jury") return [];
  const sizes = count.camps.map(({ speakers }) => speakers.length).join(" : ");
  if (count.isTie) return [`a tie (${sizes}): no answer has the most votes`];
  return count.couldTurn ? [`the missing answers could have changed the vote (${sizes} of ${asked})`] : [];
}

function sayHowMany(answering: number, speakers: number): string {
  if (answering > 0) return `only ${answering} of ${speakers} speakers gave an answer`;
  return speakers === 1 ? "no answer was given" : `none of the ${speakers} speakers gave an answer`;
}

function nameStop(config: QuestionConfig, last: Round | undefined): QuestionDecision["stop_reason"] {
  return config.protocol === "round-table" ? (findStop(last, config.stop.agreement) ?? "max_rounds") : "fixed";
}

function nameDecider(
  won: Won,
  { config, stop }: Hearing,
  count: Count,
  voices: Voice[],
): QuestionDecision["decided_by"] {
  if (won.answer === null) return "nobody";
  if (won.by !== "vote") return won.by;
  if (voices.every(({ program }) => program)) return "program";
  if (config.protocol === "single") return "single";
  return config.protocol === "round-table" && stop !== "cut_off" && count.agreement >= config.stop.agreement
    ? "agreement"
    : "vote";
}

function listDissent(canonical: string | null, camps: Camp[], voices: Voice[]): Camp[] {
  const silent = voices.filter(({ state, other }) => state === "silent" && other !== null);
  return [
    ...camps.filter((camp) => camp.canonical !== canonical),
    ...silent.map(({ speaker, other }) => {
      return { canonical: other ?? "", answer: other ?? "", speakers: [speaker], confidence: 0 };
    }),
  ];
}

function findSpeech(canonical: string | null, rounds: Round[], judgement: Judgement | null): Said | undefined {
  if (judgement?.winner != null) return rounds.at(-1)?.speeches[judgement.winner - 1];
  const said = rounds.toReversed().flatMap(({ speeches }) => speeches);
  const camp = said.filter((speech) => speech.canonical === canonical && canonical !== null);
  return camp.find(({ short_answer }) => short_answer !== null) ?? camp[0];
}

function collectSources(canonical: string | null, rounds: Round[]): QuestionDecision["sources"] {
  const last = rounds.findLast(({ speeches }) => speeches.some((speech) => speech.canonical === canonical));
  const camp = (last?.speeches ?? []).filter((speech) => speech.canonical === canonical && canonical !== null);
  return distinctQuotes(camp.flatMap(({ quotes }) => quotes));
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
