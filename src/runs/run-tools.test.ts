import { mkdtempSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { toyPack } from "../../test/support/toy.ts";
import { question } from "../packs/question/pack.ts";
import { memoryStore } from "../store/sqlite.ts";
import { sqliteStore } from "../store/sqlite.ts";
import type { Store } from "../store/store.ts";
import { type EntryRow, toBytes, toHex, unpack } from "../store/tables.ts";
import { branchRun, takeAttemptsBefore } from "./branch.ts";
import { castOfStrings } from "./cast.ts";
import { diffRuns, isSame } from "./compare-runs.ts";
import { readRun } from "./read-run.ts";
import { redecide } from "./redecide.ts";
import { type RunSetting, startRun } from "./start.ts";
import { checkReplay, verifyRun } from "./verify.ts";
import { makeProof, recomputeProof } from "./proof.ts";
import type { Played, Player } from "../engine/player.ts";
import { noUsage } from "../contract/budget.ts";
import { payingCasts } from "../../test/support/paying-player.ts";
import { timesOf } from "../../test/support/share.ts";

const docs = [
  {
    id: "a.txt",
    text: "The mill was built in 1874 by Ida Holm. The mill burned down in 1901. The river turned its wheel.",
  },
  { id: "b.txt", text: "Ida Holm sold the mill because the railway took away its trade." },
];
const folder = mkdtempSync(join(tmpdir(), "parley-tools-"));
let files = 0;

/** A store with one finished courtroom run in it. */
async function storeWithRun() {
  const file = join(folder, `${++files}.db`);
  const store = sqliteStore(file);
  const setting: RunSetting = { store, castOf: castOfStrings(store) };
  const input = { question: "Why did Ida Holm sell the mill?", docs };
  const { runId } = await startRun(setting, {
    pack: question,
    input,
    config: { protocol: "courtroom" },
    cast: "expert",
    caseId: "case-1",
  });
  return { file, store, setting, runId };
}

describe("redecide", () => {
  it("runs the rules again over the recorded turns and says what changed", async () => {
    const { store, setting } = await storeWithRun();
    const { runId } = await startRun(setting, {
      pack: question,
      input: { question: "Why did Ida Holm sell the mill?", docs },
      config: { stop: { agreement: 1 } },
      cast: "expert",
    });
    const stored = await readRun(store, runId);
    const done = await redecide(question, stored, ["protocol=vote"]);
    expect(done.config).toContainEqual({ path: "protocol", before: "round-table", after: "vote" });
    expect(done.decision).toContainEqual({ path: "stop_reason", before: "agreement", after: "fixed" });
    expect(done.rules).toMatchObject([{ rule: "agreement" }]);
    expect((await store.list()).length).toBe(2);
  });

  it("with no change comes to the same decision", async () => {
    const { store, runId } = await storeWithRun();
    const done = await redecide(question, await readRun(store, runId), []);
    expect(done).toMatchObject({
      config: [],
      decision: [],
      rules: [],
      outcome: { before: "decided", after: "decided" },
    });
  });

  it("stops at the turn that was never recorded, and names it", async () => {
    const { store, runId } = await storeWithRun();
    await expect(redecide(question, await readRun(store, runId), ["protocol=vote"])).rejects.toMatchObject({
      code: "not_recorded",
      details: { turn: "1/opening/analyst" },
    });
  });
});

/** A stored run of the toy pack, and that pack with other prompts. */
async function storeChanged() {
  const store = memoryStore();
  const setting: RunSetting = { store, castOf: castOfStrings(store) };
  const { runId } = await startRun(setting, { pack: toyPack, input: { question: "?" }, cast: "expert" });
  const changed: typeof toyPack = {
    ...toyPack,
    protocol: (debate, { input: { question: asked } }, config) =>
      toyPack.protocol(debate, { input: { question: `${asked}!` }, material: null }, config),
  };
  return { stored: await readRun(store, runId), changed };
}

it("redecide names the turn that was never recorded, for other prompts as for other settings", async () => {
  const { stored, changed } = await storeChanged();
  for (const [pack, settings] of [
    [changed, ["rounds=1"]],
    [toyPack, ["rounds=3"]],
  ] as const)
    await expect(redecide(pack, stored, settings)).rejects.toMatchObject({ code: "not_recorded" });
});

it("a run that an earlier version recorded, and whose prompts are others by now, says which version that was", async () => {
  const { stored, changed } = await storeChanged();
  const earlier = { ...stored, run: { ...stored.run, manifest: { ...stored.run.manifest, parley: "0.0.9" } } };
  await expect(redecide(changed, earlier, [])).rejects.toMatchObject({
    code: "not_recorded",
    message: expect.stringMatching(/It was recorded by Parley 0\.0\.9; this is \d/),
  });
});

it("a run that ended stays finished when whoever is told of its end fails", async () => {
  const { store, setting } = await storeWithRun();
  const onEvent: RunSetting["onEvent"] = ({ type }) => {
    if (type === "ended") throw new Error("the listener fell over");
  };
  const input = { question: "Who built the mill?", docs };
  const running = startRun({ ...setting, onEvent }, { pack: question, input, cast: "expert" });
  await expect(running).rejects.toThrow("the listener fell over");
  const [run] = await store.list({ limit: 1 });
  expect(run).toMatchObject({ status: "finished", outcome: "decided" });
  expect((await verifyRun(store, run?.id ?? "")).filter(({ ok }) => !ok)).toEqual([]);
});

describe("branch and diff", () => {
  it("a branch whose shared turns cannot be stored leaves no run behind that would ask for them again", async () => {
    const { file, store, setting, runId } = await storeWithRun();
    const database = new DatabaseSync(file);
    database.exec("CREATE TRIGGER no_room BEFORE INSERT ON entry BEGIN SELECT RAISE(ABORT, 'no room'); END");
    const stored = await readRun(store, runId);
    const branching = branchRun(setting, question, stored, { from: "round-2", settings: [] });
    await expect(branching).rejects.toMatchObject({ code: "store_failed" });
    database.close();
    expect(await store.ids()).toEqual([runId]);
  });

  it("a branch shares the turns before the step, plays the rest, and costs only that", async () => {
    const { store, setting, runId } = await storeWithRun();
    const stored = await readRun(store, runId);
    const paying = { ...setting, castOf: payingCasts(setting.castOf) };
    const { runId: other, finished } = await branchRun(paying, question, stored, { from: "round-2", settings: [] });
    expect(finished.result.spend.calls).toBe(3);
    expect(finished.turns).toHaveLength(5);
    const branch = await readRun(store, other);
    expect(branch.run.manifest.parent).toEqual({ run: runId, from: "round-2" });
    expect(isSame(await diffRuns(store, question, stored, branch))).toBe(true);
    expect((await verifyRun(store, other)).filter((finding) => !finding.ok)).toEqual([]);
  });

  it.each([
    ["round-2", 2],
    ["2/rebuttal", 2],
    ["2/rebuttal/against", 3],
    ["round-1", 0],
    ["3/judge", 4],
    ["2", 2],
    ["judge", 4],
    ["rebuttal", 2],
  ])("from %s shares %i turns", async (from, count) => {
    const { store, runId } = await storeWithRun();
    expect(takeAttemptsBefore(await readRun(store, runId), from)).toHaveLength(count);
  });

  it("an unknown step is an error that lists the steps", async () => {
    const { store, runId } = await storeWithRun();
    const stored = await readRun(store, runId);
    expect(() => takeAttemptsBefore(stored, "round-9")).toThrow(
      /round-1: 1\/opening\n {2}round-2: 2\/rebuttal\n {2}round-3: 3\/judge/,
    );
  });

  it("a setting that changes what a shared turn was asked is refused, and no run is made", async () => {
    const { store, setting, runId } = await storeWithRun();
    const personas = 'personas={for: {name: "F", role: "x", goal: "y", stance: for}}';
    const request = { from: "round-2", settings: [personas, "order=[for, against]"] };
    await expect(branchRun(setting, question, await readRun(store, runId), request)).rejects.toThrow(
      /1\/opening\/for would be asked something else.*--from 1\/opening\/for/,
    );
    expect(await store.ids()).toHaveLength(1);
  });

  it("diff finds the first turn that differs", async () => {
    const { store, setting, runId } = await storeWithRun();
    const input = { question: "Who built the mill?", docs };
    const { runId: other } = await startRun(setting, {
      pack: question,
      input,
      config: { protocol: "courtroom" },
      cast: "expert",
    });
    const diff = await diffRuns(store, question, await readRun(store, runId), await readRun(store, other));
    expect(diff.start).toMatchObject([{ path: "input.question" }]);
    expect(diff.turns[0]).toMatchObject({
      turn: "1/opening/for",
      change: "prompt",
      prompt: expect.stringContaining("- Why did Ida Holm"),
    });
    expect(diff.end.length).toBeGreaterThan(0);
  });
});

describe("verify", () => {
  let clean: { file: string; store: Store; runId: string };
  beforeAll(async () => {
    clean = await storeWithRun();
  });
  const wrong = async (store: Store, runId: string) => (await verifyRun(store, runId)).filter((finding) => !finding.ok);

  it("finds nothing wrong with a run as it was written", async () => {
    expect(await wrong(clean.store, clean.runId)).toEqual([]);
    expect((await verifyRun(clean.store, clean.runId)).map((finding) => finding.check)).toEqual([
      "run_record",
      "hash_chain",
      "journal_order",
      "prompts",
      "replay",
    ]);
  });

  const whole = {
    answer: "the railway",
    reasoning: "It says so.",
    confidence: 0.9,
    quotes: [],
    short_answer: null,
    search: null,
  };
  const text = JSON.stringify(whole);
  it.each<[string, Pick<Played, "reply" | "finish" | "outputLimit">, always: string, onlyAtFirst: string]>([
    [
      "cut at a known limit",
      { reply: { text: text.slice(0, 40) }, finish: "length", outputLimit: 60 },
      "abstained",
      "repaired",
    ],
    ["cut at a limit nobody told", { reply: { text: text.slice(0, 40) }, finish: "length" }, "abstained", "repaired"],
    ["stopped by a filter", { reply: { text: "" }, finish: "content-filter" }, "abstained", "abstained"],
    [
      "refused",
      { reply: { text: "I'm sorry, but I can't help with that." }, finish: "stop" },
      "abstained",
      "abstained",
    ],
    ["malformed", { reply: { text: '{"answer": 7, "confidence": "very"}' }, finish: "stop" }, "abstained", "repaired"],
    ["no JSON at all", { reply: { text: "The railway, I think." }, finish: "stop" }, "abstained", "repaired"],
    ["not given", { reply: { value: null }, finish: null }, "abstained", "repaired"],
    [
      "mended",
      { reply: { text: `Sure! \`\`\`json\n${text.slice(0, -1)},}\n\`\`\`` }, finish: "stop" },
      "answered",
      "answered",
    ],
  ])(
    "calls a run honest whose replies were %s, at first or always, whatever the words of the problem",
    async (...row) => {
      const [, given, always, onlyAtFirst] = row;
      for (const isRepaired of [false, true]) {
        const store = memoryStore();
        const player: Player = {
          id: "test",
          play: async (_role, _input, { repair }) => {
            const said = repair && isRepaired ? { reply: { text }, finish: "stop" as const } : given;
            return { ...said, usage: { ...noUsage, outputTokens: 60 } };
          },
        };
        const request = {
          pack: question,
          input: { question: "Why?", docs },
          config: { only_documents: false },
          cast: "x",
        };
        const { runId, finished } = await startRun({ store, castOf: async () => () => player }, request);
        expect(finished.turns[0]?.status).toBe(isRepaired ? onlyAtFirst : always);
        expect(await wrong(store, runId)).toEqual([]);
        const stored = await readRun(store, runId);
        const worded = stored.turns.map((turn) => ({
          ...turn,
          problems: turn.problems.map((problem) => ({ ...problem, message: `${problem.message}, in other words` })),
        }));
        expect((await checkReplay(question, { ...stored, turns: worded })).filter(({ ok }) => !ok)).toEqual([]);
        const recomputed = await recomputeProof(await makeProof(store, stored, null));
        expect(recomputed.filter(({ ok }) => !ok)).toEqual([]);
      }
    },
  );

  /** Doctors a copy of the store and verifies it. */
  async function doctored(change: (database: DatabaseSync) => void) {
    const file = join(folder, `${++files}.db`);
    new DatabaseSync(clean.file).exec(`VACUUM INTO '${file}'`);
    const database = new DatabaseSync(file);
    change(database);
    database.close();
    const store = sqliteStore(file);
    const found = await wrong(store, clean.runId);
    await store.close();
    return found;
  }

  it.each([
    ["a removed entry", "DELETE FROM entry WHERE seq = 2", /numbered 3/],
    ["a number that no entry can have", "UPDATE entry SET seq = 9007199254740993 WHERE seq = 3", /is damaged/],
    ["a truncated tail", "DELETE FROM entry WHERE seq >= 4", /tail|no end/],
    [
      "reordered entries",
      "UPDATE entry SET seq = 1000 WHERE seq = 1; UPDATE entry SET seq = 1 WHERE seq = 2; UPDATE entry SET seq = 2 WHERE seq = 1000",
      /follow|changed/,
    ],
    [
      "another input",
      "UPDATE run SET manifest = replace(manifest, 'railway', 'highway')",
      /key|changed after it began/,
    ],
    ["another outcome", "UPDATE run SET outcome = 'escalated'", /marked escalated/],
    ["a missing piece of a prompt", "DELETE FROM block WHERE id = 1", /missing/],
    ["a rewritten prompt", `UPDATE block SET text = '"x"' WHERE id = 1`, /changed after it was sent/],
    ["a missing block of a prompt", "DELETE FROM block WHERE id = (SELECT max(id) FROM block)", /missing/],
    [
      "a rewritten block of a prompt",
      "UPDATE block SET text = replace(text, 'QUESTION', 'QUESTIOM')",
      /changed after it was sent/,
    ],
    ["missing texts of prompts", "UPDATE entry SET texts = NULL", /missing/],
    [
      "rewritten texts of prompts",
      `UPDATE entry SET texts = '["x","x","x","x","x","x"]' WHERE texts IS NOT NULL`,
      /changed after it was sent/,
    ],
    ["a lost progress record", "DELETE FROM lease", /lost the record/],
    ["damaged JSON", "UPDATE entry SET body = substr(body, 2) WHERE seq = 1", /damaged/],
  ])("%s", async (_name, sql, message) => {
    const found = await doctored((database) => database.exec(sql));
    expect(found.map((finding) => finding.message).join("\n")).toMatch(message);
  });

  it("a decision that was changed and re-chained is found by replaying the rules", async () => {
    const { hashEntry } = await import("../engine/journal.ts");
    const found = await doctored((database) => {
      const [row, before] = database.prepare("SELECT seq, hash, body FROM entry ORDER BY seq DESC").all() as EntryRow[];
      const body = unpack(row?.body ?? "").replace('"answer":"Ida Holm', '"answer":"Eve Holm');
      const hash = hashEntry(toHex(before?.hash ?? new Uint8Array()), row?.seq ?? 0, body);
      database.prepare("UPDATE entry SET body = ?, hash = ? WHERE seq = ?").run(body, toBytes(hash), row?.seq ?? 0);
      database.prepare("UPDATE lease SET head_hash = ?").run(hash);
    });
    expect(found).toContainEqual(expect.objectContaining({ check: "replay" }));
  });

  it("a flipped bit in any stored value is found", async () => {
    const columns = {
      run: ["id", "manifest", "pack", "case_id", "key", "created_at", "status", "outcome"],
      lease: ["run", "head_hash", "entry_count"],
      entry: ["run", "seq", "hash", "body", "blocks"],
      block: ["hash", "text"],
    };
    const targets = Object.entries(columns).flatMap(([table, names]) => names.map((column) => ({ table, column })));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...targets),
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 0, max: 6 }),
        async ({ table, column }, row, place, bit) => {
          let isFlipped = false;
          const found = doctored((database) => {
            isFlipped = flip(database, { table, column, row, place, bit });
          });
          const findings = await found.catch((error: Error) => [{ message: error.message }]);
          expect(!isFlipped || findings.length > 0, `${table}.${column} row ${row} place ${place} bit ${bit}`).toBe(
            true,
          );
        },
      ),
      { numRuns: timesOf({ quick: 60, whole: 300 }) },
    );
  });
});

type Flip = { table: string; column: string; row: number; place: number; bit: number };

/** The last bits of a packed text say nothing. */
function isPackedAlike(one: Uint8Array, other: Uint8Array): boolean {
  try {
    return unpack(one) === unpack(other);
  } catch {
    return false;
  }
}

/** Flips one bit of one stored value; false when there is nothing to flip there. */
function flip(database: DatabaseSync, { table, column, row, place, bit }: Flip): boolean {
  const rows = database.prepare(`SELECT ${column} AS value FROM ${table} ORDER BY 1`).all() as {
    value: string | number | Uint8Array | null;
  }[];
  const value = rows[row % rows.length]?.value;
  if (value === null || value === undefined || value === "") return false;
  if (value instanceof Uint8Array) {
    const bytes = Uint8Array.from(value);
    bytes[place % bytes.length]! ^= 1 << bit;
    if (isPackedAlike(value, bytes)) return false;
    database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`).run(bytes, value);
    return true;
  }
  const characters = Array.from(String(value));
  const at = place % characters.length;
  const flipped = String.fromCodePoint((characters[at]?.codePointAt(0) ?? 0) ^ (1 << bit));
  characters[at] = flipped;
  const text = characters.join("");
  const changed = typeof value === "number" ? value + 1 + bit : text;
  database.prepare(`UPDATE OR REPLACE ${table} SET ${column} = ? WHERE ${column} = ?`).run(changed, value);
  return true;
}
