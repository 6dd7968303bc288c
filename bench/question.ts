/**
 * Measures the question pack on the cases of examples/question: whether two answers say the same, and what the experts
 * answer from documents beside the best sentence of a search. `node bench/question.ts [PAIRS DOCUMENT-QUESTIONS DOCUMENTS]` reads
 * other files of the same layout; `--fit` fits the reader's certainty; word problems (GSM8K) are read from PARLEY_DATA or
 * ../shared/data when they are there.
 */
import { join, resolve } from "node:path";
import { fitCertainty } from "./question/fit-certainty.ts";
import { measureDocuments } from "./question/measure-documents.ts";
import { measurePairs } from "./question/measure-pairs.ts";
import { measureWordProblems } from "./question/measure-word-problems.ts";

const examples = resolve(import.meta.dirname, "../examples/question");
/** The folders that the reader was made with, each with its labelled questions. */
const folders = {
  handbook: "document-questions.jsonl",
  town: "document-questions-town.jsonl",
  office: "document-questions-office.jsonl",
  leisure: "document-questions-fresh.jsonl",
  festival: "document-questions-festival.jsonl",
  laboratory: "document-questions-laboratory.jsonl",
  marina: "document-questions-marina.jsonl",
  museum: "document-questions-museum.jsonl",
  cooperative: "document-questions-cooperative.jsonl",
  runbook: "document-questions-runbook.jsonl",
  ward: "document-questions-ward.jsonl",
};

if (process.argv.includes("--fit")) {
  await fitCertainty(examples, folders, resolve(import.meta.dirname, "../data/question/certainty.json"));
} else {
  const [pairs = join(examples, "same-answers.jsonl"), questions, folder] = process.argv.slice(2);
  measurePairs(pairs);
  if (questions !== undefined && folder !== undefined) await measureDocuments(questions, folder);
  else
    for (const [name, file] of Object.entries(folders))
      await measureDocuments(join(examples, file), join(examples, name));
  await measureWordProblems(process.env.PARLEY_DATA ?? resolve(import.meta.dirname, "../../shared/data"));
}
