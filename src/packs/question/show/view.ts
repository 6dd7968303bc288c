import type { Section } from "../../../contract/view.ts";
import type { QuestionDecision, Round } from "../schemas/decision.ts";
import type { Question } from "../schemas/question.ts";
import { type Done, explainDecision, wordAnswer } from "./answer-text.ts";

/** What exports show: the answer, its sources marked in the documents, who stood where, and the agreement by round. */
export function view(done: Done): Section[] {
  const { input, result } = done;
  const { decision } = result;
  if (!decision) return [{ kind: "text", title: "No answer", text: result.reasons.join("\n") }];
  return [
    {
      kind: "facts",
      title: "Answer",
      rows: [
        { label: "question", value: input.question },
        {
          label: "answer",
          value: wordAnswer(input, decision, result),
          tone: result.outcome === "decided" ? "good" : "warn",
        },
        { label: "how", value: explainDecision(done, decision) },
      ],
    },
    ...markSources(input, decision),
    tabulatePositions(decision),
    ...(decision.judgement ? [{ kind: "text" as const, title: "Judge", text: decision.judgement.reasoning }] : []),
    {
      kind: "series",
      title: "Agreement",
      points: decision.rounds.map((round) => ({ label: `round ${round.round}`, value: round.agreement })),
    },
  ];
}

function tabulatePositions({ rounds }: QuestionDecision): Section {
  const speakers = [...new Set(rounds.flatMap((round) => round.speeches.map((speech) => speech.speaker)))];
  return {
    kind: "table",
    title: "Who stood where",
    columns: ["round", ...speakers],
    rows: rounds.map((round) => [String(round.round), ...speakers.map((speaker) => wordPosition(round, speaker))]),
  };
}

function wordPosition(round: Round, speaker: string): string {
  const speech = round.speeches.find((one) => one.speaker === speaker);
  return speech ? `${speech.answer ?? "no answer"} (${speech.confidence.toFixed(2)})` : "abstained";
}

/** How much of a document is shown around what is quoted from it. */
const around = 240;

/** Marks what the answer quotes in the documents it is quoted from. */
function markSources({ docs }: Question, { sources }: QuestionDecision): Section[] {
  return sources.map(({ source, quote }): Section => {
    const text = docs.find(({ id }) => id === source)?.text ?? "";
    const at = text.indexOf(quote);
    if (at < 0) return { kind: "lines", title: `Source: ${source}`, lines: [{ ref: source, text: quote }] };
    const from = Math.max(0, at - around);
    const to = Math.min(text.length, at + quote.length + around);
    const before = from > 0 ? "…" : "";
    const start = at - from + before.length;
    return {
      kind: "highlight",
      title: `Source: ${source}`,
      text: `${before}${text.slice(from, to)}${to < text.length ? "…" : ""}`,
      marks: [{ start, end: start + quote.length, label: `quoted from ${source}`, tone: "good" }],
    };
  });
}
