import type { Section } from "../../../contract/view.ts";
import { formatDate, selectMaterial, type Sentence } from "../../../knowledge/documents/index.ts";
import type { QuestionDecision, Round } from "../schemas/decision.ts";
import { countRepeatedSamples, type Done, explainDecision, wordChoice } from "./answer-text.ts";

/** What a terminal shows: the answer, its sources, who stood where, and what the plain vote said. */
export function report(done: Done): Section[] {
  const { input, result } = done;
  const { decision, outcome } = result;
  if (!decision)
    return [
      {
        kind: "verdict",
        title: input.question,
        answer: `No answer (${outcome})`,
        tone: "warn",
        points: result.reasons,
      },
    ];
  const isDecided = outcome === "decided";
  return [
    {
      kind: "verdict",
      title: input.question,
      answer: isDecided ? wordChoice(input, decision) : `${wordChoice(input, decision)} (${outcome})`,
      tone: isDecided ? "good" : "warn",
      confidence: decision.confidence,
      points: [...(isDecided ? [] : result.reasons), explainDecision(done, decision), ...warnOfSources(done, decision)],
    },
    {
      kind: "lines",
      title: "Sources",
      lines: decision.sources.map(({ source, quote }) => ({
        ref: source,
        text: quote === decision.answer ? "says so in these words" : `“${quote}”`,
      })),
    },
    ...showContradictions(done, decision),
    ...decision.rounds.map((round) => showRound(round, done, decision)),
    ...showJudge(decision),
    {
      kind: "lines",
      title: "Dissent",
      lines: decision.dissent.map(({ speakers, answer }) => ({ ref: speakers.join(", "), text: answer })),
    },
  ];
}

/** An answer that quotes nothing although there are documents says so. */
function warnOfSources({ input }: Done, { answer, sources }: QuestionDecision): string[] {
  return answer !== null && input.docs.length > 0 && sources.length === 0 ? ["no document is quoted for it"] : [];
}

/** The contradictions of the documents that touch what the answer quotes, the later statement first where dates tell. */
function showContradictions({ input, config }: Done, { sources }: QuestionDecision): Section[] {
  const { document_characters: characters, passages } = config;
  // Documents that were shown in passages are not searched again for a report.
  if (input.docs.reduce((sum, { text }) => sum + text.length, 0) > characters) return [];
  const isQuoted = (sentence: Sentence): boolean =>
    sources.some(({ source, quote }) => source === sentence.source && sentence.text.includes(quote));
  const touched = selectMaterial(input.docs, input.question, { characters, passages }).contradictions.filter(
    ({ a, b }) => isQuoted(a) || isQuoted(b),
  );
  if (touched.length === 0) return [];
  const lines = touched.flatMap(({ a, b, later }) => {
    const [first, second] = later === "b" ? [b, a] : [a, b];
    const word = ({ source, text, date }: Sentence): { ref: string; text: string } => ({
      ref: source,
      text: `“${text}”${date === null ? "" : ` (${formatDate(date)})`}`,
    });
    return [word(first), word(second)];
  });
  return [{ kind: "lines", title: "The documents contradict each other", lines }];
}

function showRound(round: Round, done: Done, decision: QuestionDecision): Section {
  const shown = countRepeatedSamples(done) > 0 ? round.speeches.slice(0, 1) : round.speeches;
  return {
    kind: "steps",
    title: `Round ${round.round} · agreement ${Math.round(round.agreement * 100)} %`,
    steps: shown.map(({ speaker, answer, confidence, reasoning }) => ({
      label: speaker,
      outcome: answer === null ? "(no answer)" : `${wordSaid(answer, decision)} (${confidence.toFixed(2)})`,
      detail: reasoning,
    })),
  };
}

function showJudge({ judgement, answer }: QuestionDecision): Section[] {
  if (!judgement) return [];
  const outcome = wordSaid(judgement.answer, { answer });
  return [{ kind: "steps", title: "Judge", steps: [{ label: "judge", outcome, detail: judgement.reasoning }] }];
}

/** Longer answers are not said again where they are the one that was decided. */
const shortAnswer = 40;

function wordSaid(said: string | null, { answer }: Pick<QuestionDecision, "answer">): string {
  if (said === null) return "(no answer)";
  return said === answer && said.length > shortAnswer ? "the same answer" : said;
}
