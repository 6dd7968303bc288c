import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runDebate } from "../../src/index.ts";
import { splitSentences } from "../../src/knowledge/documents/index.ts";
import { question as pack } from "../../src/packs/question/pack.ts";
import { createPlainSearch } from "./plain-search.ts";
import { readLines, wordShare } from "./read-lines.ts";

type Asked = { id: string; question: string; answer: string | null; accept: string[]; kind: string };
type Grade = "right" | "wrong" | "silent";

/** Prints how many questions on documents the experts answer rightly, beside the best sentence of a search. */
export async function measureDocuments(file: string, folder: string): Promise<void> {
  const docs = readdirSync(folder)
    .toSorted()
    .map((id) => ({ id, text: readFileSync(join(folder, id), "utf8") }));
  const search = createPlainSearch(splitSentences(docs));
  const rows: { asked: Asked; said: string | null; expert: Grade; search: Grade }[] = [];
  for (const asked of readLines<Asked>(file)) {
    const { result } = await runDebate(pack, { question: asked.question, docs }, { cast: "expert" });
    const said = result.outcome === "decided" ? (result.decision?.answer ?? null) : null;
    const found = search(asked.question);
    rows.push({ asked, said, expert: grade(asked, said), search: grade(asked, found) });
  }
  console.log(`\nquestions on documents: ${rows.length}`);
  for (const who of ["expert", "search"] as const) {
    const count = (wanted: Grade): number => rows.filter((row) => row[who] === wanted).length;
    console.log(
      `  ${who}  right ${wordShare(count("right"), rows.length)}, wrong ${count("wrong")}, silent ${count("silent")}`,
    );
  }
  for (const { asked, said, expert } of rows.filter((row) => row.expert !== "right"))
    console.log(
      `  ${asked.id} ${asked.kind} ${expert}: ${asked.question} → ${said ?? "–"} (key: ${asked.answer ?? "none"})`,
    );
}

/** An answer is right when it holds an accepted wording; where the documents hold none, silence is. */
function grade({ answer, accept }: Asked, said: string | null): Grade {
  if (answer === null) return said === null ? "right" : "wrong";
  if (said === null) return "silent";
  return accept.some((wording) => holds(said, wording)) ? "right" : "wrong";
}

function holds(text: string, wording: string): boolean {
  const escaped = wording.toLowerCase().replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${escaped}`, "u").test(text.toLowerCase());
}
