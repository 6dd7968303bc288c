import { DatabaseSync } from "node:sqlite";
import { hashValue } from "../../../src/engine/hash.ts";
import { genesis, hashEntry } from "../../../src/engine/journal.ts";
import type { Random } from "../../../src/text/random.ts";
import { pickSealedFacts, runKey } from "../../../src/runs/start.ts";
import type { Run } from "../../../src/contract/run.ts";
import { type Stored, toBytes, unpack } from "../../../src/store/tables.ts";
import { pick } from "./random-values.ts";

/** Everything a store holds that is not a lock, as one text: equal texts are equal stores. */
export function contentOf(file: string): string {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return ["run", "lease", "entry", "block"]
      .map((table) =>
        JSON.stringify(
          database
            .prepare(`SELECT ${table === "lease" ? "run, head_hash, entry_count" : "*"} FROM ${table} ORDER BY 1, 2`)
            .all(),
        ),
      )
      .join("\n");
  } finally {
    database.close();
  }
}

type EntryRow = { seq: number; hash: Uint8Array; body: string; blocks: string | null };
/** A way to damage a run in an open database; returns what was done, or null when there was nothing to do it to. */
export type Damage = (database: DatabaseSync, id: string, random: Random) => string | null;

/** The entries of a run, or of all others, their bodies as text. */
function rowsOf(database: DatabaseSync, id: string, those = "="): EntryRow[] {
  const rows = database.prepare(`SELECT seq, hash, body, blocks FROM entry WHERE run ${those} ? ORDER BY seq`).all(id);
  return (rows as (EntryRow & { body: Stored })[]).map((row) => ({ ...row, body: unpack(row.body) }));
}

/** Ways to damage a run without touching its hashes. */
export const damages: Record<string, Damage> = {
  "cut the tail": (database, id, random) => {
    const from = Math.floor(random() * rowsOf(database, id).length);
    database.prepare("DELETE FROM entry WHERE run = ? AND seq >= ?").run(id, from);
    return `from ${from}`;
  },
  "cut the tail and count anew": (database, id, random) => {
    const rows = rowsOf(database, id);
    const from = 1 + Math.floor(random() * (rows.length - 1));
    database.prepare("DELETE FROM entry WHERE run = ? AND seq >= ?").run(id, from);
    database.prepare("UPDATE lease SET entry_count = ? WHERE run = ?").run(from, id);
    return `from ${from}`;
  },
  "drop an entry": (database, id, random) => {
    const { seq } = pick(random, rowsOf(database, id));
    database.prepare("DELETE FROM entry WHERE run = ? AND seq = ?").run(id, seq);
    return `entry ${seq}`;
  },
  "drop an entry and close the gap": (database, id, random) => {
    const rows = rowsOf(database, id);
    const { seq } = pick(random, rows);
    database.prepare("DELETE FROM entry WHERE run = ? AND seq = ?").run(id, seq);
    for (const row of rows.slice(seq + 1))
      database.prepare("UPDATE entry SET seq = ? WHERE run = ? AND seq = ?").run(row.seq - 1, id, row.seq);
    database.prepare("UPDATE lease SET entry_count = ? WHERE run = ?").run(rows.length - 1, id);
    return `entry ${seq}`;
  },
  "swap two entries": (database, id, random) => {
    const rows = rowsOf(database, id);
    const [a, b] = [pick(random, rows), pick(random, rows)];
    if (a.body === b.body) return null;
    writeEntry(database, id, { ...a, seq: b.seq });
    writeEntry(database, id, { ...b, seq: a.seq });
    return `${a.seq} and ${b.seq}`;
  },
  "repeat an entry at the end": (database, id, random) => {
    const rows = rowsOf(database, id);
    const row = pick(random, rows);
    insertEntry(database, id, { ...row, seq: rows.length });
    if (random() < 0.5) database.prepare("UPDATE lease SET entry_count = ? WHERE run = ?").run(rows.length + 1, id);
    return `entry ${row.seq}`;
  },
  "take an entry of another run": (database, id, random) => {
    const others = rowsOf(database, id, "<>");
    const { seq } = pick(random, rowsOf(database, id));
    const other = pick(random, others);
    writeEntry(database, id, { ...other, seq });
    return `entry ${seq}`;
  },
  "edit a value of an entry": (database, id, random) => {
    const row = pick(random, rowsOf(database, id));
    const body = edited(random, row.body);
    writeEntry(database, id, { ...row, body: body.text });
    return `entry ${row.seq}: ${body.what}`;
  },
  "edit a value of the run": (database, id, random) => {
    const { manifest } = database.prepare("SELECT manifest FROM run WHERE id = ?").get(id) as { manifest: string };
    const after = edited(random, manifest);
    database.prepare("UPDATE run SET manifest = ? WHERE id = ?").run(after.text, id);
    return after.what;
  },
  "edit a column": (database, id, random) => {
    const [table, column, key] = pick(random, columns);
    const row = database.prepare(`SELECT ${column} AS value FROM ${table} WHERE ${key} = ? LIMIT 1`).get(id) as {
      value: unknown;
    };
    const value =
      typeof row.value === "number"
        ? row.value + 1
        : `${typeof row.value === "string" ? row.value.slice(0, -1) : ""}${pick(random, ["x", "0", " "])}`;
    if (value === row.value) return null;
    database.prepare(`UPDATE OR REPLACE ${table} SET ${column} = ? WHERE ${key} = ?`).run(value, id);
    return `${table}.${column}`;
  },
  "another state": (database, id, random) => {
    const was = database.prepare("SELECT status, outcome FROM run WHERE id = ?").get(id) as {
      status: string;
      outcome: string | null;
    };
    const status = pick(random, ["running", "waiting", "interrupted", "finished"]);
    const outcome = status === "finished" ? pick(random, ["decided", "undecided", "escalated", "failed"]) : null;
    const isLive = (one: string): boolean => one !== "finished";
    const isHarmless = isLive(was.status) && isLive(status);
    if ((status === was.status && outcome === was.outcome) || isHarmless || was.outcome === "budget_exhausted")
      return null;
    database.prepare("UPDATE run SET status = ?, outcome = ? WHERE id = ?").run(status, outcome, id);
    return `${was.status} ${was.outcome} → ${status} ${outcome}`;
  },
  "a version from the future": (database, id, random) => {
    const rows = rowsOf(database, id).filter((row) => row.body.includes('"version":1'));
    const row = pick(random, rows);
    writeEntry(database, id, { ...row, body: row.body.replace('"version":1', '"version":2') });
    return `entry ${row.seq}`;
  },
  "no JSON": (database, id, random) => {
    const row = pick(random, rowsOf(database, id));
    writeEntry(database, id, {
      ...row,
      body: pick(random, ["", "null", "{", "[]", '"x"', row.body.slice(0, -2), ` ${row.body}`, "{}".repeat(9)]),
    });
    return `entry ${row.seq}`;
  },
  "lose the record": (database, id) => {
    database.prepare("DELETE FROM lease WHERE run = ?").run(id);
    return "lease";
  },
};

const columns = [
  ["run", "pack", "id"],
  ["run", "case_id", "id"],
  ["run", "key", "id"],
  ["run", "batch", "id"],
  ["run", "created_at", "id"],
  ["run", "status", "id"],
  ["lease", "head_hash", "run"],
  ["lease", "entry_count", "run"],
  ["entry", "hash", "run"],
] as const;

function writeEntry(database: DatabaseSync, id: string, { seq, hash, body }: Omit<EntryRow, "blocks">): void {
  database.prepare("UPDATE entry SET hash = ?, body = ? WHERE run = ? AND seq = ?").run(hash, body, id, seq);
}

function insertEntry(database: DatabaseSync, id: string, { seq, hash, body, blocks }: EntryRow): void {
  database
    .prepare("INSERT INTO entry (run, seq, hash, body, blocks) VALUES (?, ?, ?, ?, ?)")
    .run(id, seq, hash, body, blocks);
}

/** Makes a damaged run's hashes anew, as a forger would: the chain, the head, the count, and what the first entry vouches for. */
export function rechain(database: DatabaseSync, id: string): void {
  const run = database
    .prepare("SELECT id, manifest, case_id, key, batch, created_at FROM run WHERE id = ?")
    .get(id) as Record<string, string>;
  const manifest = JSON.parse(run.manifest ?? "null") as Run["manifest"];
  const key = runKey(manifest, run.case_id ?? null);
  database.prepare("UPDATE run SET key = ? WHERE id = ?").run(key, id);
  const seal = hashValue(
    pickSealedFacts({
      ...run,
      manifest,
      key,
      caseId: run.case_id ?? null,
      batch: run.batch ?? null,
      createdAt: run.created_at,
    } as unknown as Run),
  );
  const rows = rowsOf(database, id);
  database.prepare("DELETE FROM entry WHERE run = ?").run(id);
  let prev = genesis;
  for (const [seq, row] of rows.entries()) {
    const body = row.body.replace(/"manifestHash":"[^"]*"/, `"manifestHash":"${seal}"`);
    const hash = hashEntry(prev, seq, body);
    insertEntry(database, id, { ...row, seq, hash: toBytes(hash), body });
    prev = hash;
  }
  database.prepare("UPDATE lease SET head_hash = ?, entry_count = ? WHERE run = ?").run(prev, rows.length, id);
}

/** A JSON text with one value changed, added or taken away, and where. */
export function edited(random: Random, text: string): { text: string; what: string } {
  const value = JSON.parse(text) as unknown;
  const places = placesOf(value);
  for (;;) {
    const { holder, key, path } = pick(random, places);
    const before = holder[key];
    const kind = random();
    if (kind < 0.1) delete holder[key];
    else if (kind < 0.2) holder[`${key}x`] = before;
    else holder[key] = otherThan(random, before);
    const after = JSON.stringify(value);
    if (after !== text)
      return {
        text: after,
        what: `${path}: ${JSON.stringify(before)?.slice(0, 60)} → ${JSON.stringify(holder[key])?.slice(0, 60)}`,
      };
  }
}

type Place = { holder: Record<string, unknown>; key: string; path: string };

function placesOf(value: unknown, path = ""): Place[] {
  if (value === null || typeof value !== "object") return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [
    { holder, key, path: `${path}.${key}` },
    ...placesOf(holder[key], `${path}.${key}`),
  ]);
}

function otherThan(random: Random, value: unknown): unknown {
  if (typeof value === "number") return pick(random, [value + 1, -value - 1, value / 2 + 0.25, 1e300, String(value)]);
  if (typeof value === "boolean") return !value;
  if (typeof value === "string")
    return pick(random, [`${value}x`, value.slice(1), "", "decided", value.toUpperCase() + " ", 7]);
  return pick(random, [null, 0, "x", [], {}, [value]]);
}
