import { type Turn, turnIdOf } from "../../contract/turn.ts";
import { chainPieces, type Piece } from "../../engine/prompt.ts";
import type { Store } from "../../store/store.ts";
import { requirePrompt } from "../record/read-run.ts";

/** A stretch of a prompt and the number of the one before it: prompts that begin alike share pieces. */
export type ExportedPiece = { parent: number | null; text: string };

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
