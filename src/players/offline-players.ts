import { noCost, noUsage, type Usage } from "../contract/budget.ts";
import { hasCode, ParleyError } from "../contract/error.ts";
import { type Attempt, type Turn, turnIdOf } from "../contract/turn.ts";
import type { Player } from "../engine/player.ts";
import { readRecordedReply } from "../engine/turn.ts";
import { throwIfInterrupted } from "./with-retry.ts";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { suggestName } from "../text/similar.ts";

/** Plays a role with its built-in program: deterministic, offline, free. */
export function expertPlayer(): Player {
  return {
    id: "expert",
    deterministic: true,
    async play(role, input, turn) {
      if (role.expert === undefined)
        throw new ParleyError("bad_cast", `role "${role.name}" has no expert: cast a model or a person`);
      throwIfInterrupted(turn.signal);
      await turn.reserve(noCost);
      try {
        const value = await role.expert(input);
        return { reply: { value }, usage: { ...noUsage, calls: 1 }, finish: null, final: true };
      } catch (cause) {
        if (cause instanceof ParleyError) throw cause;
        const what = cause instanceof Error ? cause.message : String(cause);
        throw new ParleyError("expert_failed", `the expert of ${turnIdOf(turn.key)} failed: ${what}`, { cause });
      }
    },
  };
}

/** With `isDeaf`, a turn gets its recorded reply whatever it is asked now. */
type RecordingOptions = { id?: string; usageOf?(attempt: Attempt): Usage; isDeaf?: boolean };

/** Plays recorded replies, matched by request hash; makes no call and reserves nothing. */
export function recordingPlayer(
  turns: readonly Turn[],
  { id = "recording", usageOf = () => noUsage, isDeaf = false }: RecordingOptions = {},
): Player {
  const nameOf = (turn: Turn): string => (isDeaf ? turnIdOf(turn.key) : turn.requestHash);
  const byName = Map.groupBy(turns, nameOf);
  return {
    id,
    deterministic: true,
    async play(_role, _input, turn) {
      throwIfInterrupted(turn.signal);
      const asked = turnIdOf(turn.key);
      const same = byName.get(isDeaf ? asked : turn.requestHash) ?? [];
      const recorded = same.find(({ key }) => turnIdOf(key) === asked) ?? same[0];
      const place = isDeaf ? -1 : turn.repair === null ? 0 : 1;
      const attempt = recorded?.attempts.at(place);
      if (recorded === undefined || attempt === undefined) {
        const why = recorded ? "it needs a repair that was never made" : "it was never asked this";
        throw new ParleyError("not_recorded", `${asked} was not recorded: ${why}`, { details: { turn: asked, why } });
      }
      const final = isDeaf || (place === recorded.attempts.length - 1 && attempt.problems.length > 0);
      return {
        reply: readRecordedReply(attempt, turn.key),
        usage: usageOf(attempt),
        finish: attempt.finish,
        // Rules ask who spoke: a program stays a program when replayed.
        saidBy: recorded.player,
        ...(attempt.outputLimit === undefined ? {} : { outputLimit: attempt.outputLimit }),
        ...(attempt.overruled ? { overrule: attempt.overruled } : {}),
        ...(final ? { final } : {}),
      };
    },
  };
}

/** Plays from a recording; `live` answers what was not recorded. */
export function repeatRecorded(recorded: Player, live: Player): Player {
  return {
    ...live,
    async play(role, input, turn) {
      try {
        return await recorded.play(role, input, turn);
      } catch (error) {
        if (!hasCode(error, "not_recorded")) throw error;
        return live.play(role, input, turn);
      }
    },
  };
}

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

/** Replays recorded answers of a real model, only to questions of the recorded set and without other speakers. */
export function recordedModel(set: string, model: string): Player {
  const { byQuestion, accuracy } = openSet(set, model);
  return {
    id: `recorded(${set}:${model})`,
    deterministic: true,
    async play(role, input, turn) {
      throwIfInterrupted(turn.signal);
      const asked = role.aids?.recall?.(input) ?? null;
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

/** A recorded letter is a position; the question may list the same choices in another order. */
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
