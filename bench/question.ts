/**
 * Measures the question pack on the cases of examples/question: whether two answers say the same, and what the experts
 * answer from documents beside the best sentence of a search. `node bench/question.ts [PAIRS DOCUMENT-QUESTIONS DOCUMENTS]` reads
 * other files of the same layout; word problems (GSM8K) are read from PARLEY_DATA or ../shared/data when they are there.
 */
import { join, resolve } from "node:path";
import { measureDocuments } from "./question/measure-documents.ts";
import { measurePairs } from "./question/measure-pairs.ts";
import { measureWordProblems } from "./question/measure-word-problems.ts";

const examples = resolve(import.meta.dirname, "../examples/question");
const [
  pairs = join(examples, "same-answers.jsonl"),
  questions = join(examples, "document-questions.jsonl"),
  folder = join(examples, "handbook"),
] = process.argv.slice(2);

measurePairs(pairs);
await measureDocuments(questions, folder);
await measureWordProblems(process.env.PARLEY_DATA ?? resolve(import.meta.dirname, "../../shared/data"));
