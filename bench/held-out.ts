/**
 * The cases of examples/held-out-8, as a user would run them: `npm run bench:held-out [-- rca law question sentiment]`.
 * They were written and labelled by someone who had not read the rules. `--seventh` to `--first` run
 * those of examples/held-out-7 to held-out, which have been looked at since.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isSameAnswer } from "../src/packs/question/index.ts";

const sets = {
  "--first": { name: "held-out", questions: ["ferry", "bees", "housing"] },
  "--second": { name: "held-out-2", questions: ["library", "dentist", "robots"] },
  "--third": { name: "held-out-3", questions: ["allotments", "sparrowfeed", "fellrace"] },
  "--fourth": { name: "held-out-4", questions: ["lightlab", "market", "rowing"] },
  "--eighth": { name: "held-out-8", questions: ["ropeway", "saltroad", "pension"] },
  "--seventh": { name: "held-out-7", questions: ["observatory", "kiln", "commons"] },
  "--sixth": { name: "held-out-6", questions: ["dig", "radio", "blood"] },
  "--fifth": { name: "held-out-5", questions: ["hotel", "labelwright", "music-school"] },
};
const chosen = Object.entries(sets).find(([option]) => process.argv.includes(option))?.[1] ?? sets["--eighth"];
const cases = join(import.meta.dirname, "../examples", chosen.name);
const folder = mkdtempSync(join(tmpdir(), "parley-held-out-"));
const benches = { rca: benchLogs, law: benchLaw, question: benchQuestions, sentiment: benchSentiment };

const wanted = process.argv.slice(2).filter((word) => !(word in sets));
for (const [name, bench] of Object.entries(benches)) if (wanted.length === 0 || wanted.includes(name)) bench();
rmSync(folder, { recursive: true });

type Said<T> = { decision: T; code: number | null };

function play<T>(...words: string[]): Said<T> {
  const script = join(import.meta.dirname, "../scripts/parley.js");
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, ...words, "--json"], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1e9,
  });
  if (stdout === "") throw new Error(`${words.join(" ")}: ${stderr}`);
  return { decision: JSON.parse(stdout) as T, code: status };
}

function readRows<T>(file: string): T[] {
  const lines = readFileSync(join(cases, file), "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as T);
}

function matches(patterns: string[], text: string): boolean {
  return patterns.some((pattern) => new RegExp(pattern, "i").test(text));
}

function benchLogs(): void {
  type Truth = { file: string; category: string; any?: string[]; all?: string[] };
  type Decision = { final_hypothesis: { hypothesis: string; confidence: number } | null };
  const results = readRows<Truth>("rca/truth.jsonl").map(({ file, category, any = [], all = [] }) => {
    const isFolder = !/\.(?:log|jsonl)$/.test(file);
    const { decision } = play<Decision>("rca", join(cases, "rca", isFolder ? file : `${file}.gz`));
    const { hypothesis = "", confidence = 0 } = decision.final_hypothesis ?? {};
    const isHealthy = category === "none";
    const right = isHealthy
      ? /^no fault/i.test(hypothesis)
      : matches(any, hypothesis) && all.every((one) => matches([one], hypothesis));
    console.log(`  ${right ? "right" : "WRONG"}  ${file}  ${confidence}  ${hypothesis.slice(0, 120)}`);
    return { isHealthy, right, confidence };
  });
  const count = (isHealthy: boolean): string => {
    const of = results.filter((one) => one.isHealthy === isHealthy);
    return `${of.filter(({ right }) => right).length} of ${of.length}`;
  };
  const mean = (values: number[]): string => (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(2);
  const stated = mean(results.map(({ confidence }) => confidence));
  const right = mean(results.map((one) => Number(one.right)));
  console.log(`root cause: faults ${count(false)}, healthy ${count(true)}; stated ${stated}, right ${right}\n`);
}

function benchLaw(): void {
  type Question = { query: string; route: string; position: string; out_of_scope: boolean };
  const results = readRows<Question>("law/questions.jsonl").map((asked) => {
    const { decision, code } = play<{ route: { label: string }; position: string }>("law", asked.query);
    const position = decision.position === asked.position;
    if (!position)
      console.log(`  WRONG  ${code === 3 ? "(a person is called) " : ""}${decision.position}  ${asked.query}`);
    return { isOut: asked.out_of_scope, position, route: decision.route.label === asked.route };
  });
  const [out, within] = [results.filter(({ isOut }) => isOut), results.filter(({ isOut }) => !isOut)];
  const count = (of: typeof results, key: "route" | "position"): string =>
    `${of.filter((one) => one[key]).length} of ${of.length}`;
  console.log(
    `law: routes ${count(within, "route")}, positions ${count(results, "position")}, refusals ${count(out, "position")}\n`,
  );
}

function benchQuestions(): void {
  type Asked = { id: string; question: string; answer: string | null; any: string[]; not: string[] };
  const tally = { right: 0, wrong: 0, declined: 0, refused: 0, unanswerable: 0 };
  for (const set of chosen.questions)
    for (const { id, question, answer, any, not } of readRows<Asked>(`question/${set}.jsonl`)) {
      const documents = join(cases, "question", set);
      const { decision, code } = play<{ answer: string | null; confidence: number }>(
        "ask",
        question,
        "--docs",
        documents,
      );
      const said = code === 3 ? null : decision.answer;
      if (answer === null) tally.unanswerable += 1;
      if (answer === null && said === null) tally.refused += 1;
      else if (said === null) tally.declined += 1;
      else if (answer !== null && matches(any, said) && !matches(not, said)) tally.right += 1;
      else {
        tally.wrong += 1;
        console.log(`  WRONG  ${id}  ${decision.confidence}  ${said.slice(0, 120)}`);
      }
    }
  const { right, wrong, declined, refused, unanswerable } = tally;
  console.log(
    `question: ${right} right, ${wrong} wrong, ${declined} declined; unanswerable ${refused} of ${unanswerable}`,
  );
  type Pair = { question: string; a: string; b: string; same: boolean };
  const pairs = readRows<Pair>("question/pairs.jsonl").map((pair) => ({
    ...pair,
    said: isSameAnswer(pair.a, pair.b, pair.question),
  }));
  const agreed = pairs.filter(({ same, said }) => same === said).length;
  const merged = pairs.filter(({ same, said }) => said && !same).length;
  console.log(`same answer or not: ${agreed} of ${pairs.length}, different ones taken for the same: ${merged}\n`);
}

function benchSentiment(): void {
  type Row = { lang: string; text: string; aspects: { term: string; polarity: string }[] };
  type Decision = { final_result: { final_tuples: { aspect_term: string | null; polarity: string }[] } };
  const rows = readRows<Row>("sentiment/sentences.jsonl");
  for (const [lang, texts] of Map.groupBy(rows, (row) => row.lang)) {
    const found = texts.flatMap(({ text, aspects }) => {
      const { final_tuples: tuples } = play<Decision>("sentiment", text).decision.final_result;
      return aspects.map(({ term, polarity }) =>
        tuples.some(
          ({ aspect_term: said, polarity: rated }) =>
            said !== null && (said.includes(term) || term.includes(said)) && rated === polarity,
        ),
      );
    });
    console.log(
      `sentiment ${lang}: ${found.filter(Boolean).length} of ${found.length} aspects found and rated rightly`,
    );
  }
}
