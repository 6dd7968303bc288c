import type { Section } from "../../../contract/view.ts";
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
      points: [...(isDecided ? [] : result.reasons), explainDecision(done, decision)],
    },
    {
      kind: "lines",
      title: "Sources",
      lines: decision.sources.map(({ source, quote }) => ({
        ref: source,
        text: quote === decision.answer ? "says so in these words" : `“${quote}”`,
      })),
    },
    ...decision.rounds.map((round) => showRound(round, done, decision)),
    ...showJudge(decision),
    {
      kind: "lines",
      title: "Dissent",
      lines: decision.dissent.map(({ speakers, answer }) => ({ ref: speakers.join(", "), text: answer })),
    },
  ];
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
