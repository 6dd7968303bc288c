import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runDebate } from "../../src/index.ts";
import { question as pack } from "../../src/packs/question/pack.ts";
import { createPlainSearch } from "./plain-search.ts";
import { readLines, wordShare } from "./read-lines.ts";

export type Asked = {
  id: string;
  question: string;
  answer: string | null;
  accept: string[];
  reject?: string[];
  kind: string;
};
type Grade = "right" | "wrong" | "silent";
type Row = { asked: Asked; said: string | null; confidence: number; expert: Grade; search: Grade };

/** Prints how many questions on documents the experts answer rightly, beside the best sentence of a search. */
export async function measureDocuments(file: string, folder: string): Promise<void> {
  const docs = readFolder(folder);
  const search = createPlainSearch(docs);
  const rows: Row[] = [];
  for (const asked of readLines<Asked>(file)) {
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

/** The documents of a folder. */
export function readFolder(folder: string): { id: string; text: string }[] {
  return readdirSync(folder)
    .toSorted()
    .map((id) => ({ id, text: readFileSync(join(folder, id), "utf8") }));
}

/** The short form counts where there is one: a whole sentence may hold the wrong value beside the right one. */
export function gradeBoth(asked: Asked, said: string | null, short: string | null): Grade {
  const whole = grade(asked, said);
  return whole === "wrong" && said !== null && short !== null && grade({ ...asked, reject: [] }, said) === "right"
    ? grade(asked, short)
    : whole;
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
  const escaped = wording.toLowerCase().replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${escaped}`, "u").test(text.toLowerCase());
}
