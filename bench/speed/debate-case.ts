import type { QuestionConfig } from "../../src/packs/question/index.ts";

/** The debate that every speed figure is taken on: three speakers, three rounds, a judge, so ten calls. */
export const question =
  "A town of forty thousand people has money for one thing: should it build a tram line along the river, or give every household a free bus ticket for the next twelve years?";

let asked = 0;

/** The question in words that no debate had before, so that nothing of one debate can serve the next. */
export function newQuestion(): string {
  asked += 1;
  return `${question} (case ${asked})`;
}

export const config: Partial<QuestionConfig> = { max_rounds: 3, judge: true, same_answer: false };
export const speakers = ["analyst", "skeptic", "generalist"];
export const callsPerDebate = 10;
/** Calls that wait for each other: three rounds and the judge. */
export const stepsPerDebate = 4;

const answers: Record<string, string> = {
  analyst: "Build the tram line along the river.",
  skeptic: "Neither: repair bridges and pavements first.",
  generalist: "Free bus tickets for every household.",
  judge: "Free bus tickets, reviewed after four years.",
};

const sentences = [
  "Ridership forecasts for lines of this length have been about a third too high in most towns that published them.",
  "A ticket that costs nothing changes habits in the first year and much less in the years after it.",
  "Rails stay where they are, and shops and flats follow them, which no bus line has been shown to do.",
  "The depot would stand on the flood plain, and the insurer has refused to cover it below the second terrace.",
  "Half of the households own a car that they use on two days of the week, so the question is about the other five.",
  "What would change my mind is a count of how many people now walk because the last bus leaves before the late shift ends.",
  "The operating cost of the line after year eight is missing from the plan, and it decides more than the building cost.",
];

const replies = new Map<string, string>();

/** A reply of the length that models give, new in every case; speakers never agree, so that every round is held. */
export function replyTo(prompt: string): string {
  const speaker = speakerOf(prompt);
  const round = roundOf(prompt);
  const key = `${speaker} ${round}`;
  const reply = replies.get(key) ?? writeReply(speaker, round);
  replies.set(key, reply);
  return reply.replace(firstPlace, () => answerOfFirst(prompt)).replace(casePlace, caseOf(prompt));
}

function writeReply(speaker: string, round: number): string {
  const first = speaker.length + round * 3;
  const reasoning = Array.from({ length: 5 }, (_, index) => sentences[(first + index) % sentences.length]).join(" ");
  const answer = `${answers[speaker]} ${casePlace}`;
  const confidence = 0.5 + (first % 5) / 10;
  return speaker === "judge"
    ? JSON.stringify({ reasoning, winner: 1, answer: firstPlace, confidence })
    : JSON.stringify({ reasoning, quotes: [], answer, short_answer: null, confidence, search: null });
}

/** Where the answer of the side that the judge follows stands in its reply. */
const firstPlace = "(the first side's answer)";

/** What the first side said in the last round that a prompt tells of. */
function answerOfFirst(prompt: string): string {
  const at = prompt.lastIndexOf("ANSWER 1]");
  const answer = /"answer":"((?:[^"\\]|\\.)*)"/.exec(prompt.slice(at));
  return at < 0 ? "" : (answer?.[1] ?? "");
}

/** Where the number of its case stands in an answer. */
const casePlace = "(case …)";

/** What a question says of its case; empty when it was asked without a number. */
function caseOf(prompt: string): string {
  const at = prompt.indexOf("(case ");
  return at < 0 ? "" : prompt.slice(at, prompt.indexOf(")", at) + 1);
}

/** Whose turn a prompt is: a speaker is named in the block PERSONA, and the judge has none. */
function speakerOf(prompt: string): string {
  const at = prompt.lastIndexOf(persona);
  return at < 0 ? "judge" : (/"key":"(\w+)"/.exec(prompt.slice(at))?.[1] ?? "judge");
}

export const persona = "[PERSONA]\n";

/** The round of a prompt: one more than the last round that it tells of. */
function roundOf(prompt: string): number {
  const at = prompt.lastIndexOf("[ROUND ");
  return at < 0 ? 1 : Number.parseInt(prompt.slice(at + 7, at + 10), 10) + 1;
}
