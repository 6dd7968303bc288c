/**
 * Measures the question pack on the cases of examples/question: whether two answers say the same, and what the experts
 * answer from documents beside the best sentence of a search. `node bench/question.ts [PAIRS DOCUMENT-QUESTIONS DOCUMENTS]` reads
 * other files of the same layout; `--fit` fits the reader's certainty; `--embed [MODEL]` shows what vectors add to word search; word problems (GSM8K) are read from PARLEY_DATA or
 * ../shared/data when they are there.
 */
import { join, resolve } from "node:path";
import { fitCertainty } from "./question/fit-certainty.ts";
import { measureDocuments } from "./question/measure-documents.ts";
import { measureEmbeddings } from "./question/measure-embeddings.ts";
import { measurePairs } from "./question/measure-pairs.ts";
import { measureWordProblems } from "./question/measure-word-problems.ts";

const examples = resolve(import.meta.dirname, "../examples/question");
/** The folders with labelled questions, each with the file of its questions. */
const folders = {
  handbook: "document-questions.jsonl",
  leisure: "document-questions-fresh.jsonl",
  ...Object.fromEntries(
    "town office festival laboratory marina museum cooperative runbook ward harbour-library tidewater-queue vet bakery theatre helpdesk choir bike-workshop mountain-hut nursery"
      .split(" ")
      .map((name) => [name, `document-questions-${name}.jsonl`]),
  ),
};
if (process.argv.includes("--fit")) {
  const out = resolve(import.meta.dirname, "../data/question/certainty.json");
  const labelled = Object.entries(folders).map(([name, file]) => [
    name,
    { path: join(examples, name), questions: join(examples, file) },
  ]);
  await fitCertainty(Object.fromEntries(labelled), out);
} else if (process.argv.includes("--embed")) {
  await measureEmbeddings(examples, folders, process.argv[process.argv.indexOf("--embed") + 1] ?? null);
} else {
  const [pairs = join(examples, "same-answers.jsonl"), questions, folder] = process.argv.slice(2);
  measurePairs(pairs);
  if (questions !== undefined && folder !== undefined) await measureDocuments(questions, folder);
  else
    for (const [name, file] of Object.entries(folders))
      await measureDocuments(join(examples, file), join(examples, name));
  await measureWordProblems(process.env.PARLEY_DATA ?? resolve(import.meta.dirname, "../../shared/data"));
}
