/** Store files that are damaged, cut, foreign or from the future, through the command line: a clear word and the right exit code. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { createRandom, type Random } from "../../src/text/random.ts";
import { question } from "../../src/packs/question/pack.ts";
import { exportJson } from "../../src/runs/export/export-run.ts";
import { readRun } from "../../src/runs/read-run.ts";
import { redecide } from "../../src/runs/redecide.ts";
import { startRun } from "../../src/runs/start.ts";
import { verifyRun } from "../../src/runs/verify.ts";
import { sqliteStore } from "../../src/store/sqlite.ts";
import { contentOf, damages } from "../support/abuse/damage.ts";
import { buildFixture, castsWith, type Fixture, millQuestion } from "../support/abuse/journal-fixture.ts";
import { pick } from "../support/abuse/random-values.ts";
import { newFolder, type Ran, runCli } from "../support/cli.ts";
import { timesOf } from "../support/share.ts";

vi.setConfig({ testTimeout: 240_000 });
const seed = Number(process.env.PARLEY_ABUSE_SEED ?? 7);
let fixture: Fixture;
beforeAll(async () => {
  fixture = await buildFixture();
});

/** A folder with a copy of the fixture's store, for `--store`. */
function copied(): { store: string; file: string } {
  const store = newFolder();
  const file = join(store, "parley.db");
  copyFileSync(fixture.file, file);
  return { store, file };
}

/** No stack, no internals: whatever the damage, the user gets a sentence. */
function expectSpoken({ code, out, err }: Ran, what: string): void {
  expect(err, what).not.toMatch(/\n\s+at |TypeError|RangeError|\[object/);
  if (code !== 0) expect(out + err, what).not.toBe("");
}

/** Every command that reads or goes on with a run. */
const commandsOn = (id: string, other: string): string[][] => [
  ["show", id],
  ["show", id, "--turn"],
  ["show", id, "--json"],
  ["export", id, "--format", "json"],
  ["export", id, "--format", "md"],
  ["export", id, "--format", "html"],
  ["redecide", id],
  ["branch", id, "--from", "round-1", "--quiet"],
  ["runs", "diff", id, other],
  ["review", id, "--uphold", "yes"],
  ["resume", id, "--quiet"],
];

describe("the command line on a damaged run", () => {
  const names = Object.keys(damages).filter((name) => name !== "another state" && name !== "edit a column");
  const count = timesOf({ quick: 2 * names.length, whole: 60 });
  it(`${count} times: verify exits 1, every other command refuses by name, and \`runs\` still lists the others`, async () => {
    const random = createRandom(seed);
    const met = new Set<string>();
    for (let i = 0; i < count; i += 1) {
      const sample = pick(random, fixture.samples.slice(0, 6));
      const other = fixture.samples.find((one) => one.id !== sample.id && one.pack === sample.pack)?.id ?? "";
      const { store, file } = copied();
      const database = new DatabaseSync(file);
      const name = names[i % names.length] as string;
      const done = damages[name]?.(database, sample.id, random);
      database.close();
      if (done === null || done === undefined) continue;
      met.add(name);
      const before = contentOf(file);
      const what = `${name} of ${sample.name}: ${done}`;
      const verified = await runCli(["verify", sample.id, "--store", store]);
      expect({ code: verified.code, what }).toEqual({ code: 1, what });
      expect(verified.out + verified.err, what).toContain(sample.id);
      const args = pick(random, commandsOn(sample.id, other));
      const ran = await runCli([...args, "--store", store]);
      expectSpoken(ran, `${args.join(" ")}: ${what}`);
      // A run that is marked as decided waits for no ruling: `review` says so before it reads on.
      const codes = args[0] === "review" ? [1, 2] : [1];
      expect(codes, `${args.join(" ")}: ${what}: ${ran.err}`).toContain(ran.code);
      if (ran.code === 1) expect(ran.err, what).toContain(sample.id);
      expect(contentOf(file), `${args.join(" ")}: ${what}`).toBe(before);
      const listed = await runCli(["runs", "--store", store, "--limit", "100"]);
      expectSpoken(listed, what);
      for (const { id } of fixture.samples) expect(listed.out + listed.err, what).toContain(id);
    }
    expect(names.filter((name) => !met.has(name))).toEqual([]);
  });
});

/** Damage to the bytes of a file. */
const byteDamages: Record<string, (random: Random, file: string) => void> = {
  "flip bits": (random, file) =>
    change(file, (bytes) => {
      for (let i = 1 + Math.floor(random() * 4); i > 0; i -= 1) {
        const at = Math.floor(random() * bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      }
    }),
  "zero a page": (random, file) => change(file, (bytes) => void bytes.fill(0, ...page(random, bytes))),
  "garbage in a page": (random, file) =>
    change(file, (bytes) => {
      const [from, to] = page(random, bytes);
      for (let at = from; at < to; at += 1) bytes[at] = Math.floor(random() * 256);
    }),
  "swap two pages": (random, file) =>
    change(file, (bytes) => {
      const [[a, b], [c, d]] = [page(random, bytes), page(random, bytes)];
      const first = Buffer.from(bytes.subarray(a, b));
      bytes.copyWithin(a, c, d);
      first.copy(bytes, c);
    }),
  "cut the file": (random, file) => truncateSync(file, Math.floor(random() * readFileSync(file).length)),
};

function change(file: string, edit: (bytes: Buffer) => void): void {
  const bytes = readFileSync(file);
  edit(bytes);
  writeFileSync(file, bytes);
}

function page(random: Random, bytes: Buffer): [number, number] {
  const size = bytes.readUInt16BE(16);
  const from = size * Math.floor(random() * Math.floor(bytes.length / size));
  return [from, from + size];
}

const contentOrNull = (file: string): string | null => {
  try {
    return contentOf(file);
  } catch {
    return null;
  }
};

describe("damage to the bytes of a store", () => {
  const names = Object.keys(byteDamages);
  const count = timesOf({ quick: 4 * names.length, whole: 120 });
  it(`${count} times: verify --all exits 1 unless every value is as it was, and no command crashes`, async () => {
    const random = createRandom(seed + 1);
    const whole = contentOf(fixture.file);
    for (let i = 0; i < count; i += 1) {
      const { store, file } = copied();
      const name = names[i % names.length] as string;
      byteDamages[name]?.(random, file);
      const isSame = contentOrNull(file) === whole;
      const verified = await runCli(["verify", "--all", "--store", store]);
      expectSpoken(verified, name);
      if (!isSame) expect({ code: verified.code, name, i }).toEqual({ code: 1, name, i });
      const sample = pick(random, fixture.samples);
      const args = pick(random, commandsOn(sample.id, sample.id));
      const content = contentOrNull(file);
      const ran = await runCli([...args, "--store", store]);
      expectSpoken(ran, `${name}: ${args.join(" ")}`);
      if (ran.code === 1 && args[0] === "resume" && content !== null) expect(contentOrNull(file)).toBe(content);
    }
  });
});

describe("a log that was cut off", () => {
  const count = timesOf({ quick: 10, whole: 40 });
  it(`${count} times: what is left is a whole earlier state, which verifies, and the run goes on to the same end`, async () => {
    const live = join(newFolder(), "parley.db");
    const writer = sqliteStore(live);
    const setting = { store: writer, castOf: castsWith(writer) };
    const request = { pack: question, input: millQuestion, config: { protocol: "courtroom" }, cast: "expert" };
    const { runId, finished } = await startRun(setting, request);
    const folder = newFolder();
    for (const end of ["", "-wal"]) copyFileSync(`${live}${end}`, join(folder, `live.db${end}`));
    await writer.close();
    const random = createRandom(seed + 2);
    for (let i = 0; i < count; i += 1) {
      const store = newFolder();
      const file = join(store, "parley.db");
      for (const end of ["", "-wal"]) copyFileSync(join(folder, `live.db${end}`), `${file}${end}`);
      truncateSync(`${file}-wal`, Math.floor(random() * (readFileSync(`${file}-wal`).length + 1)));
      const opened = sqliteStore(file);
      const ids = await opened.ids();
      const unfinished = ids.length === 1 && (await opened.get(runId))?.status !== "finished";
      for (const id of ids) expect((await verifyRun(opened, id)).filter((finding) => !finding.ok)).toEqual([]);
      await opened.close();
      if (!unfinished) continue;
      const database = new DatabaseSync(file);
      database.exec("UPDATE lease SET holder = NULL");
      database.close();
      const resumed = await runCli(["resume", runId, "--store", store, "--json", "--quiet"]);
      expect(resumed.code, resumed.err).toBe(0);
      expect(JSON.parse(resumed.out)).toMatchObject(JSON.parse(JSON.stringify(finished.result.decision)) as object);
    }
  });
});

describe("what is no store of this Parley", () => {
  const commands = [["runs"], ["verify", "--all"], ["show", "x"], ["resume", "x"], ["review"], ["ask", "Why?"]];

  it.each(commands)("a store from the future is refused and not touched: %s %s", async (...args) => {
    const { store, file } = copied();
    const database = new DatabaseSync(file);
    database.exec("PRAGMA user_version = 99");
    database.close();
    const before = readFileSync(file);
    const ran = await runCli([...args, "--store", store]);
    expect(ran).toMatchObject({ code: 1, err: expect.stringMatching(/written by a newer Parley \(layout 99/) });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it.each(commands)("another program's database is refused and not touched: %s %s", async (...args) => {
    const store = newFolder();
    const file = join(store, "parley.db");
    const database = new DatabaseSync(file);
    database.exec("CREATE TABLE customers (name TEXT); INSERT INTO customers VALUES ('Ida')");
    database.close();
    const before = readFileSync(file);
    const ran = await runCli([...args, "--store", store]);
    expect(ran).toMatchObject({
      code: 1,
      err: expect.stringMatching(/database of another program \(it has "customers"\)/),
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it.each(commands)("a database with our layout number and other tables is refused: %s %s", async (...args) => {
    const { store, file } = copied();
    const database = new DatabaseSync(file);
    database.exec("DROP TABLE entry");
    database.close();
    expect(await runCli([...args, "--store", store])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/is not a Parley store/),
    });
  });

  it.each(commands)("a text file where the store should be is refused and stays: %s %s", async (...args) => {
    const store = newFolder();
    writeFileSync(join(store, "parley.db"), "Dear diary, this is not a database.\n".repeat(40));
    const ran = await runCli([...args, "--store", store]);
    expect(ran).toMatchObject({ code: 1, err: expect.stringMatching(/not a Parley store/) });
    expect(readFileSync(join(store, "parley.db"), "utf8")).toContain("Dear diary");
  });

  it.each(commands)("a file given as the store's folder is said to be one: %s %s", async (...args) => {
    const file = join(newFolder(), "notes.txt");
    writeFileSync(file, "notes");
    expect(await runCli([...args, "--store", file])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/not a folder/),
    });
  });

  it("an empty file becomes a store, a folder named parley.db does not", async () => {
    const store = newFolder();
    writeFileSync(join(store, "parley.db"), "");
    expect(await runCli(["runs", "--store", store])).toMatchObject({ code: 0 });
    const other = newFolder();
    mkdirSync(join(other, "parley.db"));
    const ran = await runCli(["runs", "--store", other]);
    expectSpoken(ran, "a folder");
    expect(ran.code).toBe(1);
    expect(existsSync(join(other, "parley.db"))).toBe(true);
  });
});

it.each([
  ["a run without its row", "DELETE FROM run WHERE id = ?", /is gone, but its entries are still there/],
  ["a run without its entries", "DELETE FROM entry WHERE run = ?", /the tail was cut off or replaced/],
])("verify --all finds %s", async (_name, sql, message) => {
  const { store, file } = copied();
  const database = new DatabaseSync(file);
  database.prepare(sql).run(fixture.samples[0]?.id ?? "");
  database.close();
  const { code, out } = await runCli(["verify", "--all", "--store", store]);
  expect(code).toBe(1);
  expect(out).toMatch(message);
});

it.each([
  ["a lone surrogate", "\uD800 and \uDFFF"],
  ["zero characters", "a\0b"],
  ["a megabyte", "long ".repeat(200_000)],
  ["text that turns", "\u202Ecba\u2066"],
])("settings with %s survive the file: the run verifies, exports and redecides", async (_name, goal) => {
  const store = sqliteStore(join(newFolder(), "parley.db"));
  const personas = {
    odd: { name: goal.slice(0, 40), role: "reader", goal },
    plain: { name: "P", role: "r", goal: "g" },
  };
  const request = { pack: question, input: millQuestion, config: { protocol: "vote", personas }, cast: "expert" };
  const { runId } = await startRun({ store, castOf: castsWith(store) }, { ...request, caseId: goal.slice(0, 20) });
  expect((await verifyRun(store, runId)).filter((finding) => !finding.ok)).toEqual([]);
  const stored = await readRun(store, runId);
  expect((await redecide(question, stored, [])).decision).toEqual([]);
  expect(JSON.stringify(await exportJson(store, stored)).isWellFormed()).toBe(true);
  await store.close();
});
