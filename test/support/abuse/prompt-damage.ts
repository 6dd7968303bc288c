import type { DatabaseSync } from "node:sqlite";
import { type BlockRow, type PromptPart, type Stored, unpack } from "../../../src/store/tables.ts";
import type { Random } from "../../../src/text/random.ts";
import type { Damage } from "./damage.ts";
import { pick } from "./random-values.ts";

/** Ways to damage what was sent. */
export const promptDamages: Record<string, Damage> = {
  "edit a block": (database, id, random) =>
    changeText(database, id, random, (text) => `${text}${pick(random, [" ", "x", "!"])}`),
  "cut a block": (database, id, random) => changeText(database, id, random, (text) => text.slice(1)),
  "a block under another number": (database, id, random) =>
    changeBlock(database, id, random, (block) => ({ ...block, id: block.id + 10_000 })),
  "a block that is none": (database, id, random) =>
    changeBlock(database, id, random, (block) => ({
      ...block,
      text: pick(random, ["", "null", "{}", "[", "7", unpack(block.text).slice(1)]),
    })),
  "edit a text of the run": (database, id, random) =>
    changeTexts(database, id, random, (texts) => JSON.stringify(texts.with(0, `${texts[0]}!`))),
  "lose the texts of an entry": (database, id, random) => changeTexts(database, id, random, () => null),
  "lose a block": (database, id, random) => {
    const { id: number } = pick(random, blocksOf(database, id));
    database.prepare("DELETE FROM block WHERE id = ?").run(number);
    return String(number);
  },
  "blocks in another order": (database, id, random) => {
    const rows = database.prepare("SELECT seq, blocks FROM entry WHERE run = ? AND blocks IS NOT NULL").all(id);
    const { seq = 0, blocks = "" } = pick(random, rows);
    const order = (JSON.parse(String(blocks)) as PromptPart[]).toReversed();
    if (order.length < 2) return null;
    database.prepare("UPDATE entry SET blocks = ? WHERE run = ? AND seq = ?").run(JSON.stringify(order), id, seq);
    return `entry ${String(seq)}`;
  },
};

function changeTexts(
  database: DatabaseSync,
  id: string,
  random: Random,
  change: (texts: string[]) => string | null,
): string | null {
  const rows = database.prepare("SELECT seq, texts FROM entry WHERE run = ? AND texts IS NOT NULL").all(id);
  if (rows.length === 0) return null;
  const { seq = 0, texts = "" } = pick(random, rows);
  const changed = change(JSON.parse(unpack(texts as Stored)) as string[]);
  database.prepare("UPDATE entry SET texts = ? WHERE run = ? AND seq = ?").run(changed, id, seq);
  return `entry ${String(seq)}`;
}

function blocksOf(database: DatabaseSync, id: string): BlockRow[] {
  return database
    .prepare(
      `SELECT id, hash, text FROM block
        WHERE id IN (SELECT value FROM entry, json_each(blocks) WHERE run = ?) ORDER BY hash`,
    )
    .all(id) as BlockRow[];
}

function changeText(database: DatabaseSync, id: string, random: Random, change: (text: string) => string): string {
  return changeBlock(database, id, random, (block) => ({
    ...block,
    text: JSON.stringify(change(JSON.parse(unpack(block.text)) as string)),
  }));
}

function changeBlock(database: DatabaseSync, id: string, random: Random, change: (block: BlockRow) => BlockRow) {
  const before = pick(random, blocksOf(database, id));
  const { id: number, text } = change(before);
  database.prepare("UPDATE block SET id = ?, text = ? WHERE id = ?").run(number, text, before.id);
  return String(before.id);
}
