import type { Finished } from "../../engine/pack.ts";
import type { Section } from "../../contract/view.ts";
import { choicesOf, type Question } from "./case.ts";
import type { QuestionConfig } from "./config.ts";
import type { QuestionDecision } from "./decision.ts";

type Done = Finished<Question, QuestionConfig, QuestionDecision>;

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
      answer: isDecided ? choiceText(input, decision) : `${choiceText(input, decision)} (${outcome})`,
      tone: isDecided ? "good" : "warn",
      confidence: decision.confidence,
      points: [...(isDecided ? [] : result.reasons), howText(done, decision)],
    },
    {
      kind: "lines",
      title: "Sources",
      lines: decision.sources.map(({ source, quote }) => ({
        ref: source,
        text: quote === decision.answer ? "says so in these words" : `“${quote}”`,
      })),
    },
    ...decision.rounds.map((round) => roundSection(round, done, decision)),
    ...judgeSections(decision),
    {
      kind: "lines",
      title: "Dissent",
      lines: decision.dissent.map(({ speakers, answer }) => ({ ref: speakers.join(", "), text: answer })),
    },
  ];
}

function roundSection(round: QuestionDecision["rounds"][number], done: Done, decision: QuestionDecision): Section {
  const shown = repeatedSamples(done) > 0 ? round.speeches.slice(0, 1) : round.speeches;
  return {
    kind: "steps",
    title: `Round ${round.round} · agreement ${percent(round.agreement)}`,
    steps: shown.map(({ speaker, answer, confidence, reasoning }) => ({
      label: speaker,
      outcome: answer === null ? "(no answer)" : `${saidText(answer, decision)} (${confidence.toFixed(2)})`,
      detail: reasoning,
    })),
  };
}

function judgeSections({ judgement, answer }: QuestionDecision): Section[] {
  if (!judgement) return [];
  const outcome = saidText(judgement.answer, { answer });
  return [{ kind: "steps", title: "Judge", steps: [{ label: "judge", outcome, detail: judgement.reasoning }] }];
}

/** Longer answers are not said again where they are the one that was decided. */
const shortAnswer = 40;

function saidText(said: string | null, { answer }: Pick<QuestionDecision, "answer">): string {
  if (said === null) return "(no answer)";
  return said === answer && said.length > shortAnswer ? "the same answer" : said;
}

/** What exports show. */
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
          value: answerText(input, decision, result),
          tone: result.outcome === "decided" ? "good" : "warn",
        },
        { label: "how", value: howText(done, decision) },
      ],
    },
    ...sourceSections(input, decision),
    {
      kind: "table",
      title: "Who stood where",
      columns: ["round", ...speakersIn(decision)],
      rows: decision.rounds.map((round) => [
        String(round.round),
        ...speakersIn(decision).map((speaker) => stand(round, speaker)),
      ]),
    },
    ...(decision.judgement ? [{ kind: "text" as const, title: "Judge", text: decision.judgement.reasoning }] : []),
    {
      kind: "series",
      title: "Agreement",
      points: decision.rounds.map((round) => ({ label: `round ${round.round}`, value: round.agreement })),
    },
  ];
}

/** How much of a document is shown around what is quoted from it. */
const around = 240;

/** What the answer quotes, marked in the documents it is quoted from. */
function sourceSections({ docs }: Question, { sources }: QuestionDecision): Section[] {
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

function speakersIn(decision: QuestionDecision): string[] {
  return [...new Set(decision.rounds.flatMap((round) => round.speeches.map((speech) => speech.speaker)))];
}

function stand(round: QuestionDecision["rounds"][number], speaker: string): string {
  const speech = round.speeches.find((one) => one.speaker === speaker);
  return speech ? `${speech.answer ?? "no answer"} (${speech.confidence.toFixed(2)})` : "abstained";
}

function choiceText(input: Question, decision: QuestionDecision): string {
  const choice = choicesOf(input.choices).find(({ key }) => key === decision.canonical);
  return choice ? `${choice.key}: ${choice.text}` : (decision.answer ?? "none");
}

function answerText(input: Question, decision: QuestionDecision, { outcome, reasons }: Done["result"]): string {
  const answer = choiceText(input, decision);
  if (outcome === "decided") return `${answer} (confidence ${decision.confidence.toFixed(2)})`;
  return `${answer} — ${outcome}: ${reasons.join("; ")}`;
}

/** How many samples a program gave, which gives the same one each time; 0 when models or people were asked. */
function repeatedSamples({ config, turns }: Done): number {
  const isRepeated = config.protocol === "self-consistency" && turns.every(({ player }) => player === "expert");
  return isRepeated ? turns.length : 0;
}

function howText(done: Done, decision: QuestionDecision): string {
  const repeated = repeatedSamples(done);
  if (repeated > 1)
    return `by one program asked ${repeated} times: it answers the same each time, so that the samples agree says nothing`;
  const rounds = `${decision.rounds.length} round${decision.rounds.length === 1 ? "" : "s"}`;
  const vote = decision.vote_after_openings;
  const plain = vote === null ? "no answer" : vote === decision.answer ? "the same" : `“${vote}”`;
  const by = {
    vote: "by vote",
    agreement: "by agreement",
    judge: "by the judge",
    single: "by one speaker",
    nobody: "by nobody",
  }[decision.decided_by];
  const isSaid = decision.stop_reason === "fixed" || decision.stop_reason === decision.decided_by;
  const stop = isSaid ? "" : ` (${decision.stop_reason.replaceAll("_", " ")})`;
  return `${by} after ${rounds}${stop}; a plain vote on the openings would have said ${plain}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
