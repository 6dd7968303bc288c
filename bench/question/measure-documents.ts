import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runDebate } from "../../src/index.ts";
import { readFormat } from "../../src/knowledge/files/index.ts";
import { question as pack } from "../../src/packs/question/pack.ts";
import { createPlainSearch } from "./plain-search.ts";
import { readLines, wordShare } from "./read-lines.ts";

export type Asked = {
  id: string;
  question: string;
  answer: string | null;
  /** Wordings of which the answer must hold one, and those that it must not hold. */
  accept: string[];
  reject?: string[];
  kind: string;
};
/** A question labelled with patterns instead of wordings. */
type Patterned = Omit<Asked, "accept" | "reject"> & { any: string[]; not: string[] };
type Grade = "right" | "wrong" | "silent";
type Row = { asked: Asked; said: string | null; confidence: number; expert: Grade; search: Grade };

/** Prints how many questions on documents the experts answer rightly, beside the best sentence of a search. */
export async function measureDocuments(file: string, folder: string): Promise<void> {
  const docs = await readFolder(folder);
  const search = createPlainSearch(docs);
  const rows: Row[] = [];
  for (const asked of readQuestions(file)) {
    const { result } = await runDebate(pack, { question: asked.question, docs }, { cast: "expert" });
    const { decision } = result;
    const said = result.outcome === "decided" ? (decision?.answer ?? null) : null;
    const short = decision?.short_answer ?? null;
    const found = search(asked.question);
    const confidence = decision?.confidence ?? 0;
    rows.push({ asked, said, confidence, expert: gradeBoth(asked, said, short), search: grade(asked, found) });
  }
  console.log(`\nquestions on documents (${folder.split("/").at(-1)}): ${rows.length}`);
  for (const who of ["expert", "search"] as const) {
    const count = (wanted: Grade): number => rows.filter((row) => row[who] === wanted).length;
    const sure = rows.filter((row) => row[who] === "wrong" && row.said !== null && row.confidence > 0.6).length;
    console.log(
      `  ${who}  right ${wordShare(count("right"), rows.length)}, wrong ${count("wrong")}${who === "expert" ? ` (${sure} above .6)` : ""}, silent ${count("silent")}`,
    );
  }
  const kinds = [...Map.groupBy(rows, ({ asked }) => asked.kind)].map(
    ([kind, of]) => `${kind} ${of.filter(({ expert }) => expert === "right").length}/${of.length}`,
  );
  console.log(`  by kind: ${kinds.join(", ")}`);
  if (process.env.QUIET) return;
  for (const { asked, said, expert, confidence } of rows.filter((row) => row.expert !== "right"))
    console.log(
      `  ${asked.id} ${asked.kind} ${expert}: ${asked.question} → ${said ?? "–"} (${confidence}) (key: ${asked.answer ?? "none"})`,
    );
}

/** The documents of a folder, read as the command line reads them. */
export async function readFolder(folder: string): Promise<{ id: string; text: string }[]> {
  return Promise.all(
    readdirSync(folder)
      .toSorted()
      .map(async (id) => ({ id, text: await readFormat(id.split(".").at(-1) ?? "", readFileSync(join(folder, id))) })),
  );
}

/** The labelled questions of a file. */
export function readQuestions(file: string): Asked[] {
  return readLines<Asked | Patterned>(file).map((one) => {
    if ("accept" in one) return one;
    const { any, not, ...asked } = one;
    const isOpen = asked.kind === "unanswerable";
    return { ...asked, answer: isOpen ? null : asked.answer, accept: any.map(mark), reject: not.map(mark) };
  });
}

/** Patterns are told from wordings by their mark. */
function mark(pattern: string): string {
  return `/${pattern}`;
}

/** The short form counts where there is one: a whole sentence may hold the wrong value beside the right one. It may be part of a longer wording. */
export function gradeBoth(asked: Asked, said: string | null, short: string | null): Grade {
  if (said === null || short === null || asked.answer === null) return grade(asked, said);
  const isPart = asked.accept.some((wording) => holds(wording, short)) && grade(asked, said) === "right";
  return isPart ? "right" : grade(asked, asked.accept.some((one) => one.startsWith("/")) ? said : short);
}

/** An answer is right when it holds an accepted wording and none that must not be there; where the documents hold none, silence is. */
export function grade(
  { answer, accept, reject = [] }: Omit<Asked, "id" | "kind" | "question">,
  said: string | null,
): Grade {
  if (answer === null) return said === null ? "right" : "wrong";
  if (said === null) return "silent";
  const isAccepted = accept.some((wording) => holds(said, wording)) && !reject.some((wording) => holds(said, wording));
  return isAccepted ? "right" : "wrong";
}

export function holds(text: string, wording: string): boolean {
  if (wording.startsWith("/")) return new RegExp(wording.slice(1), "iu").test(text);
  const escaped = wording.toLowerCase().replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${escaped}`, "u").test(text.toLowerCase());
}
