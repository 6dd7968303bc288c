import type { Block } from "../../../contract/prompt.ts";
import { type Material, selectMaterial, type Sentence } from "../../../knowledge/documents/index.ts";
import type { Round } from "../schemas/decision.ts";
import { answerTypeOf, choicesOf, type Question } from "../schemas/question.ts";
import type { Brief, JudgeInput, SharedInput } from "./role-inputs.ts";

/** Builds what every prompt of a debate begins with: the case, who speaks, and what was said so far (question spec §4.1). */
export type SharedBlocks = (input: SharedInput) => Block[];

/** Makes the shared blocks of one debate: each once, since every later prompt repeats it. */
export function createSharedBlocks(): SharedBlocks {
  let made: { input: SharedInput; brief: Block[]; blocks: Block[] } | null = null;
  const rounds = new Map<Round, Block[]>();
  const buildRound = (round: Round, anonymous: boolean): Block[] => {
    const blocks = rounds.get(round) ?? buildRoundBlocks(round, anonymous);
    rounds.set(round, blocks);
    return blocks;
  };
  return (input) => {
    const known = made && isSameBrief(made.input, input) ? made : null;
    if (known?.input.history === input.history) return known.blocks;
    if (!known) rounds.clear();
    const brief = known?.brief ?? buildBriefBlocks(input);
    const blocks = [...brief, ...input.history.flatMap((round) => buildRound(round, input.manner.anonymous))];
    made = { input, brief, blocks };
    return blocks;
  };
}

function isSameBrief(a: Brief, b: Brief): boolean {
  return a.question === b.question && a.reading === b.reading && a.speakers === b.speakers && a.manner === b.manner;
}

/** Builds what a judge sees that is shown quotes only: the question, the answers, and the quotes in the order of the documents (question spec §2.8). */
export function buildQuoteBlocks({ question, history }: JudgeInput): Block[] {
  const speeches = history.at(-1)?.speeches ?? [];
  const answers = speeches.map(({ answer, short_answer }, index) => ({ number: index + 1, answer, short_answer }));
  const quotes = speeches.flatMap((speech, index) =>
    speech.quotes.map((quote) => ({ ...quote, for_answer: index + 1 })),
  );
  const place = ({ source, quote }: { source: string; quote: string }): number => {
    const document = question.docs.findIndex(({ id }) => id === source);
    return document * 1e9 + Math.max(0, question.docs[document]?.text.indexOf(quote) ?? 0);
  };
  return [
    ...buildQuestionBlocks(question),
    { label: "ANSWERS", json: answers },
    { label: "QUOTES", json: quotes.toSorted((a, b) => place(a) - place(b)) },
  ];
}

/** The label of an answer in a round. */
export function labelOf({ round }: Round, number: number): string {
  return `ROUND ${round} ANSWER ${number}`;
}

/** What is shown of a question's documents to everyone in the debate. */
export function materialOf({ question, reading }: Brief): Material {
  return selectMaterial(question.docs, question.question, reading);
}

/** Whether answers may only come from the documents: where there are any, unless the config says otherwise. */
export function isBoundToDocuments({ question, manner }: Pick<Brief, "question" | "manner">): boolean {
  return question.docs.length > 0 && (manner.only_documents ?? true);
}

/** What a debate is about, as everyone reads it. */
function buildBriefBlocks(brief: Brief): Block[] {
  const { question, speakers } = brief;
  return [
    ...buildQuestionBlocks(question),
    ...(question.docs.length === 0 ? [] : buildMaterialBlocks(materialOf(brief), isBoundToDocuments(brief))),
    { label: "SPEAKERS", json: speakers },
  ];
}

function buildQuestionBlocks(question: Question): Block[] {
  const choices = choicesOf(question.choices);
  const blocks: Block[] = [
    { label: "QUESTION", text: question.question },
    { label: "ANSWER TYPE", text: answerTypeOf(question) },
  ];
  if (choices.length > 0) blocks.push({ label: "CHOICES", json: choices });
  return blocks;
}

/** The most file names that are listed beside the passages of large documents. */
const maxFiles = 200;

/** The documents whole, or passages of them with the list of all files; and what contradicts what (question spec §4.3). */
function buildMaterialBlocks({ isWhole, passages, files, contradictions }: Material, onlyDocuments: boolean): Block[] {
  const blocks: Block[] = [
    { label: "ANSWER FROM", text: onlyDocuments ? "documents only" : "documents and knowledge" },
  ];
  if (!isWhole) blocks.push({ label: "FILES", json: files.slice(0, maxFiles) });
  for (const [index, { heading, ...passage }] of passages.entries())
    blocks.push({
      label: `${isWhole ? "DOCUMENT" : "PASSAGE"} ${index + 1}`,
      json: heading === null ? passage : { ...passage, heading },
    });
  if (contradictions.length > 0)
    blocks.push({
      label: "CONTRADICTIONS",
      json: contradictions.map(({ a, b, later }) => ({
        a: quoteOf(a),
        b: quoteOf(b),
        later: later === null ? "the dates do not tell" : (later === "a" ? a : b).source,
      })),
    });
  return blocks;
}

function quoteOf({ source, text }: Sentence): { source: string; quote: string } {
  return { source, quote: text };
}

/** A round as everyone reads it. */
function buildRoundBlocks(said: Round, anonymous: boolean): Block[] {
  return said.speeches.map(({ speaker, answer, short_answer, reasoning, confidence, quotes }, index) => ({
    label: labelOf(said, index + 1),
    json: { ...(anonymous ? {} : { speaker }), reasoning, quotes, answer, short_answer, confidence },
  }));
}
