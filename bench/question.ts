/**
 * Measures the question pack on the cases of examples/question: whether two answers say the same, and what the experts
 * answer from documents beside the best sentence of a search. `node bench/question.ts [PAIRS DOCUMENT-QUESTIONS DOCUMENTS]` reads
 * other files of the same layout; word problems (GSM8K) are read from PARLEY_DATA or ../shared/data when they are there.
 * `--fit` fits the reader's ranking and certainty for word search; `--fit URL`, where an OpenAI-compatible server answers
 * `URL/embeddings`, those for an embedding model beside it. Both say how they do on the same questions.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { embedAt } from "./question/embed-at.ts";
import { fitCertainty } from "./question/fit-certainty.ts";
import { measureDocuments } from "./question/measure-documents.ts";
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
/** Folders by other authors, who had not read the rules. */
const others = {
  "held-out": ["ferry", "bees", "housing"],
  "held-out-2": ["library", "dentist", "robots"],
  "held-out-3": ["allotments", "sparrowfeed", "fellrace"],
  "held-out-4": ["lightlab", "market", "rowing"],
  "held-out-5": ["hotel", "labelwright", "music-school"],
  "held-out-6": ["dig", "radio", "blood"],
};
if (process.argv.includes("--fit")) {
  const at = (folder: string, name: string, file: string) => ({
    path: join(folder, name),
    questions: join(folder, file),
  });
  const own = Object.entries(folders).map(([name, file]) => [name, at(examples, name, file)]);
  const foreign = Object.entries(others).flatMap(([set, names]) => {
    const folder = resolve(examples, "..", set, "question");
    return names.map((name) => [name, at(folder, name, `${name}.jsonl`), set] as const);
  });
  const sets = Object.fromEntries(foreign.map(([name, , set]) => [name, set]));
  const out = resolve(import.meta.dirname, "../data/question/certainty.json");
  const url = process.argv[process.argv.indexOf("--fit") + 1];
  const kind = url === undefined ? "plain" : "embedded";
  const embed = url === undefined ? null : embedAt(url);
  const fit = await fitCertainty(Object.fromEntries([...own, ...foreign]), sets, embed);
  const known = JSON.parse(readFileSync(out, "utf8")) as Record<string, unknown>;
  writeFileSync(out, `${JSON.stringify({ ...known, [kind]: fit }, null, 2)}\n`);
} else {
  const [pairs = join(examples, "same-answers.jsonl"), questions, folder] = process.argv.slice(2);
  measurePairs(pairs);
  if (questions !== undefined && folder !== undefined) await measureDocuments(questions, folder);
  else
    for (const [name, file] of Object.entries(folders))
      await measureDocuments(join(examples, file), join(examples, name));
  await measureWordProblems(process.env.PARLEY_DATA ?? resolve(import.meta.dirname, "../../shared/data"));
}
