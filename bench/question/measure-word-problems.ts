import { existsSync } from "node:fs";
import { join } from "node:path";
import { runDebate } from "../../src/index.ts";
import { question as pack } from "../../src/packs/question/pack.ts";
import { readLines } from "./read-lines.ts";

type Problem = { question: string; answer: string };

/** Prints how often the experts answer word problems, which need arithmetic that they do not do: silence is right. */
export async function measureWordProblems(data: string): Promise<void> {
  const file = join(data, "qa/gsm8k_train_100.jsonl");
  if (!existsSync(file)) return console.log(`\nword problems: not measured, ${file} is not there`);
  const counts = { answered: 0, right: 0, of: 0 };
  for (const { question, answer } of readLines<Problem>(file)) {
    const [, story = "", asked = ""] = /^(.*?)([^.!?]*\?)\s*$/s.exec(question) ?? [];
    if (story.trim() === "") continue;
    const input = { question: asked.trim(), answer_type: "number", docs: [{ id: "problem.txt", text: story }] };
    const { result } = await runDebate(pack, input, { cast: "expert" });
    counts.of += 1;
    if (result.outcome !== "decided") continue;
    counts.answered += 1;
    if (result.decision?.canonical === answer.split("####")[1]?.trim().replaceAll(",", "")) counts.right += 1;
  }
  console.log(`\nword problems: ${counts.of}, answered ${counts.answered}, of these right ${counts.right}`);
}
