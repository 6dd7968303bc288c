import type { EntryBody } from "../../contract/journal.ts";
import type { Journal } from "../../engine/journal.ts";
import type { Piece } from "../../engine/prompt-pieces.ts";

/** An entry that a debate wrote, with the pieces of prompts that it needs. */
export type HeldEntry = { body: EntryBody; pieces: readonly Piece[] };

/** The journal of a debate that has not begun and is stored whole, at its end: its entries are only noted here, and linked when they are stored. */
export function holdBack(): { journal: Journal; entries: HeldEntry[] } {
  const entries: HeldEntry[] = [];
  const append: Journal["append"] = async (body, pieces) => void entries.push({ body, pieces });
  return { journal: { entries: [], append, prompt: async () => null }, entries };
}

/** Stores what was held back, at one moment. */
export async function storeHeld(journal: Journal, entries: readonly HeldEntry[]): Promise<void> {
  await Promise.all(entries.map(({ body, pieces }) => journal.append(body, pieces)));
}

/** True when a cast, as it is written, names nobody but the experts that come with the pack. */
export function namesOnlyExperts(cast: string): boolean {
  return cast.split(",").every((part) => part.slice(part.indexOf("=") + 1).trim() === "expert");
}
