import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { runDebate } from "../src/index.ts";
import { type LawDecision, type LawGold, LawGoldSchema, measure } from "../src/packs/law/index.ts";
import { law } from "../src/packs/law/pack.ts";

export type Asked = { id: string; query: string; gold: LawGold };
export type Played = {
  id: string;
  outcome: string;
  decision: LawDecision;
  gold: LawGold;
  scores: Record<string, number | null>;
};

/** The questions of a file in examples/law. */
export function questionsIn(file: string): Asked[] {
  const text = readFileSync(new URL(`../examples/law/${file}`, import.meta.url), "utf8");
  return jsonLines<{ id: string; input: { query: string }; gold: unknown }>(text).map(({ id, input, gold }) => ({
    id,
    query: input.query,
    gold: LawGoldSchema.parse(gold),
  }));
}

/** Trick questions that cite what is not there; null when the data is not on this machine. */
export function forgedQuestions(): Asked[] | null {
  const file = join(
    process.env["PARLEY_DATA"] ?? resolve(import.meta.dirname, "../../shared/data"),
    "legal_id/omnibus_trick_questions_a.jsonl",
  );
  if (!existsSync(file)) return null;
  return jsonLines<{ id: string; category: string; question: string }>(readFileSync(file, "utf8"))
    .filter(({ category }) => category === "citation_forgery" || category === "non_existent_law")
    .map(({ id, question }) => ({ id, query: question, gold: LawGoldSchema.parse({}) }));
}

/** Plays every question with the experts under one config. */
export async function runArm(questions: Asked[], config: object): Promise<Played[]> {
  const played: Played[] = [];
  for (const { id, query, gold } of questions) {
    const { result } = await runDebate(law, { query }, { config });
    if (!result.decision) throw new Error(`${id}: ${result.reasons.join("; ")}`);
    played.push({
      id,
      outcome: result.outcome,
      decision: result.decision,
      gold,
      scores: measure.score(result.decision, gold),
    });
  }
  return played;
}

function jsonLines<T>(text: string): T[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as T);
}
