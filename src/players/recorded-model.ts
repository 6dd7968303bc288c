import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { ParleyError } from "../contract/error.ts";
import { turnIdOf } from "../contract/turn.ts";
import { noUsage } from "../contract/budget.ts";
import type { Player } from "../engine/player.ts";
import { suggestName } from "../text/similar.ts";
import { throwIfInterrupted } from "./with-retry.ts";

const folder = fileURLToPath(new URL("../../data/recorded/", import.meta.url));
const ending = ".jsonl.gz";

const RecordedRowSchema = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  question: z.string(),
  choices: z.array(z.string()).optional(),
  gold: z.string(),
  votes: z.record(z.string(), z.string().nullable()),
  replies: z.record(z.string(), z.string()).optional(),
});
type RecordedRow = z.infer<typeof RecordedRowSchema>;

export function listRecordedSets(): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .sort();
}

export function findRecordedSet(name: string): string | null {
  return listRecordedSets().includes(name) ? `${folder}${name}${ending}` : null;
}

/** Replays recorded answers of a real model, for questions of the recorded set only. It never heard other speakers. */
export function recordedModel(set: string, model: string): Player {
  const { byQuestion, accuracy } = openSet(set, model);
  return {
    id: `recorded(${set}:${model})`,
    deterministic: true,
    async play(role, input, turn) {
      throwIfInterrupted(turn.signal);
      const asked = role.experiment?.recall?.(input) ?? null;
      if (asked === null)
        throw new ParleyError(
          "bad_cast",
          `${turnIdOf(turn.key)}: a recorded model can play only openings, because it answered without hearing anyone; use the protocol single, vote or in_order`,
        );
      const row = byQuestion.get(fingerprint(asked.question));
      if (!row || row.votes[model] === undefined)
        throw new ParleyError(
          "not_recorded",
          `${turnIdOf(turn.key)}: ${set} has no answer of ${model} to this question; ask a question from that set`,
        );
      await turn.reserve({ calls: 1, tokens: 0, usd: 0 });
      const answer = translate(row, row.votes[model] ?? null, asked.choices);
      const value = asked.say(answer, accuracy, row.replies?.[model]?.trim() || null);
      return { reply: { value }, usage: { ...noUsage, calls: 1 }, finish: null, final: true };
    },
  };
}

function openSet(set: string, model: string): { byQuestion: Map<string, RecordedRow>; accuracy: number } {
  const { byQuestion, right } = (sets[set] ??= readSet(set));
  const own = right.get(model);
  if (!own)
    throw new ParleyError(
      "bad_cast",
      `no model "${model}" was recorded in ${set}${suggestName(model, [...right.keys()])}`,
    );
  return { byQuestion, accuracy: Number(((own.right + 1) / (own.asked + 2)).toFixed(3)) };
}

type RecordedSet = { byQuestion: Map<string, RecordedRow>; right: Map<string, { right: number; asked: number }> };

const sets: Record<string, RecordedSet> = {};

function readSet(set: string): RecordedSet {
  const path = findRecordedSet(set);
  if (path === null)
    throw new ParleyError(
      "bad_cast",
      `there is no set of recorded answers "${set}"${suggestName(set, listRecordedSets())}`,
    );
  const rows = gunzipSync(readFileSync(path))
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => RecordedRowSchema.safeParse(JSON.parse(line)))
    .flatMap(({ data }) => data ?? []);
  if (rows.length === 0)
    throw new ParleyError("bad_cast", `the set "${set}" has votes but no questions, so nobody can play it`);
  const right = new Map<string, { right: number; asked: number }>();
  for (const { votes, gold } of rows)
    for (const [model, vote] of Object.entries(votes)) {
      const count = right.get(model) ?? { right: 0, asked: 0 };
      right.set(model, { right: count.right + (vote === gold ? 1 : 0), asked: count.asked + 1 });
    }
  return { byQuestion: new Map(rows.map((row) => [fingerprint(row.question), row])), right };
}

/** A recorded letter names a choice by its place; the question that is asked may list the same choices in another order. */
function translate(
  row: RecordedRow,
  vote: string | null,
  choices: readonly { key: string; text: string }[],
): string | null {
  if (vote === null || !row.choices || choices.length === 0) return vote;
  const text = row.choices[vote.charCodeAt(0) - 65];
  return choices.find((choice) => text !== undefined && fingerprint(choice.text) === fingerprint(text))?.key ?? null;
}

function fingerprint(text: string): string {
  return text.normalize("NFKC").replaceAll(/\s+/g, " ").trim().toLowerCase();
}
