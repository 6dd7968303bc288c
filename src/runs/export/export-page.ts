import { fillIn, type FrameWords } from "../../contract/frame-words.ts";
import type { PromptLanguage } from "../../contract/prompt.ts";
import type { DebateResult } from "../../contract/result.ts";
import type { Run } from "../../contract/run.ts";
import type { PositionItem, Story } from "../../contract/story.ts";
import { type Turn, turnIdOf } from "../../contract/turn.ts";
import type { Section } from "../../contract/view.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { chainPieces, type Piece } from "../../engine/prompt.ts";
import type { Store } from "../../store/store.ts";
import { requirePrompt, type StoredRun } from "../read-run.ts";
import { findLanguage, finishedOf, headlineOf, listStands, present, subjectOf, tellRun } from "../show-run.ts";
import type { WhatWouldChange } from "../what-would-change.ts";

/** A turn with the number of the last piece of what was sent. */
export type PagedTurn = Turn & { prompt: number };

/** A run as a document: what JSON Lines, Markdown and HTML are written from. */
export type ExportPage = {
  run: Run;
  title: string;
  summary: string;
  result: DebateResult | null;
  /** What a reader acts on. */
  headline: Record<string, string>;
  turns: PagedTurn[];
  /** What was sent, each piece once. */
  pieces: ExportedPiece[];
  /** The debate as the pack tells it. */
  story: Story;
  /** Who stood where, round by round. */
  positions: PositionItem[];
  sections: Section[];
  /** How long the run took, over all its processes; null while it has not ended. */
  elapsedMs: number | null;
  /** The language of the pack's sections. */
  language: PromptLanguage;
  /** Single settings that would flip the decision, where that was looked for. */
  change: WhatWouldChange | null;
  /** What of all that was said the decision hangs on, where that was looked for. */
  why: Section[];
};

/** What was found out about a decision by changing what it was made from. */
export type Weighing = Pick<ExportPage, "change" | "why">;

/** Gathers a run's document; the pack says what its decision looks like. */
export async function exportPage(
  store: Store,
  pack: AnyPack,
  stored: StoredRun,
  { change, why }: Weighing = { change: null, why: [] },
): Promise<ExportPage> {
  const { run, turns, result, entries } = stored;
  const gathered = await gatherPieces(store, run.id, turns);
  const ends = entries.map((entry) => entry.body).filter((body) => body.kind === "end");
  const story = present(pack, stored, () => tellRun(pack, stored));
  return {
    run,
    title: titleOf(pack, run),
    summary: pack.summary,
    result,
    headline: present(pack, stored, (finished) => headlineOf(pack, finished)),
    ...gathered,
    story,
    positions: present(pack, stored, () => listStands(pack, stored, story)),
    sections: result ? present(pack, stored, (finished) => pack.sections(finished)) : [],
    elapsedMs: ends.length === 0 ? null : Math.max(...ends.map((end) => end.elapsedMs)),
    language: findLanguage(pack, finishedOf(stored)),
    change,
    why,
  };
}

const longestTitle = 400;

function titleOf(pack: AnyPack, run: Run): string {
  const line = subjectOf(pack, run) || `${run.manifest.pack} run ${run.id}`;
  return line.length > longestTitle ? `${line.slice(0, longestTitle - 1)}…` : line;
}

/** What became of the turns, in words. */
export function formatQuorum(result: DebateResult, words: FrameWords): string {
  const { asked, answered, repaired, abstained } = result.quorum;
  const rest = [
    ...(repaired > 0 ? [fillIn(words.repaired, { turns: repaired })] : []),
    ...(abstained > 0 ? [fillIn(words.abstained, { turns: abstained })] : []),
  ];
  return [fillIn(words.answered, { answered, asked }), ...rest].join(", ");
}

/** The short values of a note or a reply on one line, and how many of the long ones there are. */
export function gist(data: unknown, width = 180): string {
  if (data === null || typeof data !== "object") return String(data);
  const parts = Object.entries(data).flatMap(([key, value]) => {
    const text = gistOf(value);
    return text === null || /_id$|hash$/.test(key) ? [] : [`${key.replaceAll("_", " ")} ${text}`];
  });
  const line = parts.join(" · ");
  return line.length > width ? `${line.slice(0, width - 1)}…` : line;
}

function gistOf(value: unknown): string | null {
  if (typeof value === "number") return String(Number(value.toFixed(3)));
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length === 0 ? null : `${value.length}`;
  if (typeof value !== "string" || value === "") return null;
  const line = value.replaceAll(/\s+/g, " ");
  return line.length > 90 ? `${line.slice(0, 89)}…` : line;
}

/** A stretch of a prompt and the number of the one before it: prompts that begin alike share pieces. */
type ExportedPiece = { parent: number | null; text: string };

/** The prompts of a run, each piece once; `prompt` is the number of the last piece of a turn's prompt. */
type GatheredPrompts = { pieces: ExportedPiece[]; turns: (Turn & { prompt: number })[] };

/** Reads the prompts of all turns one after another, so that what is kept grows with the pieces and not with the prompts. */
export async function gatherPieces(store: Store, runId: string, turns: readonly Turn[]): Promise<GatheredPrompts> {
  const journal = await store.journal(runId);
  const numbers = new Map<string, number>();
  const pieces: ExportedPiece[] = [];
  let earlier: Piece[] = [];
  const numbered: GatheredPrompts["turns"] = [];
  for (const turn of turns) {
    earlier = chainPieces(await requirePrompt(journal, runId, turn), earlier);
    for (const { hash, parent, text } of earlier) {
      if (numbers.has(hash)) continue;
      numbers.set(hash, pieces.length);
      pieces.push({ parent: parent === null ? null : (numbers.get(parent) ?? null), text });
    }
    const last = earlier.at(-1);
    if (!last) throw new Error(`the prompt of ${turnIdOf(turn.key)} has no piece`);
    numbered.push({ ...turn, prompt: numbers.get(last.hash) ?? 0 });
  }
  return { pieces, turns: numbered };
}
