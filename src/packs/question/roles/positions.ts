import type { Positions, Recall } from "../../../engine/role.ts";
import type { Round } from "../schemas/decision.ts";
import { answerTypeOf, choicesOf, type Question } from "../schemas/question.ts";
import type { Judgement, Speech } from "../schemas/reply.ts";
import type { JudgeInput, SpeakerInput } from "./role-inputs.ts";

/** What a speaker can answer: the keys of the choices; of other questions nobody can tell beforehand (question spec §4.4). */
export function listSpeakerPositions({ question, history, own }: SpeakerInput): Positions<Speech> | null {
  const last = history.at(-1);
  const said = own === null ? undefined : last?.speeches[own - 1];
  const before = said && said.canonical !== null ? { answer: said.canonical, confidence: said.confidence } : null;
  return listChoices(question, last, before, (answer, confidence) => ({
    reasoning: `I hold ${answer}.`,
    quotes: [],
    answer,
    short_answer: answer,
    confidence,
  }));
}

/** What is asked of a speaker who has heard nobody yet, for models whose answers were recorded elsewhere. */
export function recallOpening({ question, history, task }: SpeakerInput): Recall<Speech> | null {
  if (task !== "opening" || history.length > 0) return null;
  return {
    question: question.question,
    choices: choicesOf(question.choices),
    say: (answer, confidence, words) => ({
      reasoning: words ?? (answer === null ? "No answer could be read." : `The answer recorded is ${answer}.`),
      quotes: [],
      answer,
      short_answer: answer,
      confidence: answer === null ? 0 : confidence,
    }),
  };
}

/** What a judge can answer: the choices that were argued for last. */
export function listJudgePositions({ question, history }: JudgeInput): Positions<Judgement> | null {
  const speeches = history.at(-1)?.speeches ?? [];
  const say = (answer: string, confidence: number): Judgement => ({
    reasoning: `I follow ${answer}.`,
    winner: speeches.findIndex(({ canonical }) => canonical === answer) + 1 || null,
    answer,
    confidence,
  });
  const positions = listChoices(question, history.at(-1), null, say);
  const argued = positions?.answers.filter((answer) => positions.heard.includes(answer)) ?? [];
  return positions && argued.length > 0 ? { ...positions, answers: argued } : positions;
}

function listChoices<O>(
  question: Question,
  last: Round | undefined,
  own: Positions<O>["own"],
  say: Positions<O>["say"],
): Positions<O> | null {
  if (answerTypeOf(question) !== "choice") return null;
  const answers = choicesOf(question.choices).map(({ key }) => key);
  const heard = (last?.speeches ?? []).flatMap(({ canonical }) => (canonical === null ? [] : [canonical]));
  return { about: question.id ?? question.question, answers, heard, own, say };
}
