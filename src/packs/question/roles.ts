import { readFileSync } from "node:fs";
import type { Block } from "../../contract/prompt.ts";
import type { Problem } from "../../contract/turn.ts";
import { defineRole, type Role } from "../../engine/role.ts";
import { canonicalAnswer } from "./answer.ts";
import { answerType, choicesOf, type Document, type Question } from "./case.ts";
import { type Persona, personasOf, type QuestionConfig, speakersOf } from "./config.ts";
import type { Round } from "./decision.ts";
import { expertJudgement } from "./expert-judge.ts";
import { expertSpeech, type Lens } from "./expert-speaker.ts";
import { type Judgement, JudgementSchema, type Speech, SpeechSchema } from "./reply.ts";
import { lenses } from "./relevance.ts";
import { search, sentencesOf } from "./retrieval.ts";

const read = (name: string): string => readFileSync(new URL(`./prompts/${name}`, import.meta.url), "utf8");

/** The prompts by file name. */
export const prompts = {
  "instructions.md": read("instructions.md"),
  "judge.md": read("judge.md"),
};

export type Task = "opening" | "revision" | "rebuttal";

/** What everyone is given: the case, who speaks, and the rounds so far. */
export type JudgeInput = Brief & { history: Round[] };

/** What a debate is about and who takes part; the same from its first turn to its last. */
export type Brief = { question: Question; passages: number; speakers: Record<string, Persona> };

/** What a speaker is given; `own` is the number of its own answer in the last round of `history`. */
export type SpeakerInput = JudgeInput & { own: number | null; task: Task };

/** A speaker with its persona; its expert reads the documents through one of three lenses. */
export function speakerRole(key: string, persona: Persona, lens: Lens): Role<SpeakerInput, Speech> {
  return defineRole({
    name: key,
    reply: SpeechSchema,
    prompt: (input) => ({
      instructions: prompts["instructions.md"],
      blocks: sharedBlocks(input),
      own: [
        { label: "TASK", text: input.task },
        { label: "YOU", text: key },
        ...(input.own === null ? [] : [{ label: "YOUR PREVIOUS ANSWER", text: answerLabel(input.history, input.own) }]),
      ],
    }),
    check: (speech, { question }) => [...answerProblems(speech.answer, question), ...quoteProblems(speech, question)],
    salvage: (speech, problems) => ({
      ...speech,
      quotes: speech.quotes.filter((_, index) => !isStruck(index, problems)),
    }),
    expert: (input) => expertSpeech(input, lens, persona.stance),
  });
}

/** The speakers in their order, each with its own lens. */
export function speakerRoles(config: QuestionConfig): Role<SpeakerInput, Speech>[] {
  const personas = personasOf(config);
  return speakersOf(config).map((key, index) =>
    speakerRole(key, personas[key] as Persona, lenses[index % lenses.length] ?? "sentence"),
  );
}

/** The judge. */
export const judgeRole: Role<JudgeInput, Judgement> = defineRole({
  name: "judge",
  reply: JudgementSchema,
  prompt: (input: JudgeInput) => ({
    instructions: prompts["instructions.md"],
    blocks: sharedBlocks(input),
    own: [{ label: "TASK", text: prompts["judge.md"] }],
  }),
  check: (judgement, { question, history }) => [
    ...answerProblems(judgement.answer, question),
    ...winnerProblems(judgement, question, history.at(-1)?.speeches ?? []),
  ],
  expert: expertJudgement,
});

function sharedBlocks(input: JudgeInput): Block[] {
  return [...briefBlocks(input), ...input.history.flatMap(roundBlocks)];
}

const blocksOfCase = new WeakMap<Question, Brief & { blocks: Block[] }>();

/** What a debate is about, as everyone reads it; made once, since every prompt of the debate begins with it. */
function briefBlocks({ question, passages, speakers }: Brief): Block[] {
  const known = blocksOfCase.get(question);
  if (known?.passages === passages && known.speakers === speakers) return known.blocks;
  const blocks: Block[] = [...caseBlocks(question, passages), { label: "SPEAKERS", json: speakers }];
  blocksOfCase.set(question, { question, passages, speakers, blocks });
  return blocks;
}

function caseBlocks(question: Question, passages: number): Block[] {
  const choices = choicesOf(question.choices);
  const found = question.docs.length === 0 ? [] : search(sentencesOf(question.docs), question.question, passages);
  return [
    { label: "QUESTION", text: question.question },
    { label: "ANSWER TYPE", text: answerType(question) },
    ...(choices.length > 0 ? [{ label: "CHOICES", json: choices }] : []),
    ...(found.length > 0
      ? [
          {
            label: "PASSAGES",
            json: found.map(({ sentence }) => ({ source: sentence.source, text: sentence.context })),
          },
        ]
      : []),
  ];
}

const blocksOfRound = new WeakMap<Round, Block[]>();

/** A round as everyone reads it; made once, since every later prompt of the debate repeats it. */
function roundBlocks(said: Round): Block[] {
  let blocks = blocksOfRound.get(said);
  if (!blocks) {
    blocks = said.speeches.map(({ answer, reasoning, confidence, quotes }, index) => ({
      label: labelOf(said, index + 1),
      json: { answer, reasoning, confidence, quotes },
    }));
    blocksOfRound.set(said, blocks);
  }
  return blocks;
}

function labelOf({ round }: Round, number: number): string {
  return `ROUND ${round} ANSWER ${number}`;
}

function answerLabel(history: Round[], number: number): string {
  const last = history.at(-1);
  return last ? labelOf(last, number) : "";
}

function answerProblems(answer: string | null, question: Question): Problem[] {
  if (answer === null || canonicalAnswer(answer, question) !== null) return [];
  const wanted = {
    choice: `one of ${choicesOf(question.choices)
      .map((choice) => choice.key)
      .join(", ")}`,
    number: "a single number",
    text: "an answer in words",
  }[answerType(question)];
  return [{ code: "bad_answer", message: `"${answer}" is not ${wanted}`, severity: "reject", path: ["answer"] }];
}

/** The winner is one of the answers, and what a choice or a number is decided for is what the winner said. */
function winnerProblems({ winner, answer }: Judgement, question: Question, speeches: Round["speeches"]): Problem[] {
  if (winner === null) return [];
  const followed = speeches[winner - 1];
  if (!followed) {
    const message = `there is no answer ${winner}, only 1 to ${speeches.length}`;
    return [{ code: "unknown_answer", message, severity: "reject", path: ["winner"] }];
  }
  const key = (text: string | null): string | null => (text === null ? null : canonicalAnswer(text, question));
  if (answerType(question) === "text" || key(followed.answer) === key(answer)) return [];
  const message = `answer ${winner} says ${followed.answer ?? "nothing"}, not ${answer ?? "nothing"}; follow it, another one, or null`;
  return [{ code: "other_answer", message, severity: "reject", path: ["answer"] }];
}

function quoteProblems(speech: Speech, question: Question): Problem[] {
  return speech.quotes.flatMap(({ source, quote }, index): Problem[] => {
    const document = question.docs.find((one) => one.id === source);
    const fault = !document
      ? `there is no document "${source}"`
      : wordsIn(document).includes(single(quote))
        ? null
        : `"${source}" does not say "${quote}"`;
    return fault === null
      ? []
      : [{ code: "unfounded_quote", message: fault, severity: "salvage", path: ["quotes", index] }];
  });
}

const wordsOfDocuments = new WeakMap<Document, string>();

/** A document's text with white space single, made once. */
function wordsIn(document: Document): string {
  const words = wordsOfDocuments.get(document) ?? single(document.text);
  wordsOfDocuments.set(document, words);
  return words;
}

function single(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function isStruck(index: number, problems: Problem[]): boolean {
  return problems.some((problem) => problem.path?.[0] === "quotes" && problem.path[1] === index);
}
