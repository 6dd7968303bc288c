import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { createRun } from "../../test/support/stored-run.ts";
import { openDraft, placeIn, replaceFile, takeFileLease } from "./replace-file.ts";
import { sqliteStore } from "./sqlite.ts";

const newFolder = (): string => mkdtempSync(join(tmpdir(), "parley-files-"));

it("a file is made with its folders, and replaced with its mode kept", () => {
  const folder = newFolder();
  const file = join(folder, "a", "b.txt");
  replaceFile(file, "one");
  chmodSync(file, 0o600);
  replaceFile(file, "two");
  expect(readFileSync(file, "utf8")).toBe("two");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, "a"))).toEqual(["b.txt"]);
});

it("a link stays a link; what it points to is replaced", () => {
  const folder = newFolder();
  writeFileSync(join(folder, "real.txt"), "one");
  symlinkSync("real.txt", join(folder, "link.txt"));
  replaceFile(join(folder, "link.txt"), "two");
  expect(lstatSync(join(folder, "link.txt")).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, "real.txt"), "utf8")).toBe("two");
});

it("a draft is beside its place until it is finished, and can be kept or thrown away", () => {
  const folder = newFolder();
  const file = join(folder, "x.jsonl");
  writeFileSync(file, "earlier");
  const kept = openDraft(file, ".partial");
  kept.write("half");
  kept.abandon(true);
  expect(readFileSync(file, "utf8")).toBe("earlier");
  expect(readFileSync(`${file}.partial`, "utf8")).toBe("half");
  const dropped = openDraft(file, ".partial");
  dropped.abandon(false);
  expect(readdirSync(folder)).toEqual(["x.jsonl"]);
});

it("a link at a name that nobody typed is not written through", () => {
  const folder = newFolder();
  const file = join(folder, "x.jsonl");
  const victim = join(newFolder(), "victim");
  writeFileSync(victim, "precious");
  for (const ending of [".partial", `.${process.pid}.new`]) {
    symlinkSync(victim, `${file}${ending}`);
    const draft = openDraft(file, ending);
    draft.write("results");
    draft.finish();
    expect(lstatSync(file).isFile()).toBe(true);
  }
  expect(readFileSync(victim, "utf8")).toBe("precious");
  const database = new DatabaseSync(victim.replace("victim", "places.db"));
  database.exec("CREATE TABLE place (x); PRAGMA user_version = 42");
  symlinkSync(database.location() ?? "", `${file}.lock`);
  expect(() => takeFileLease(`${file}.lock`, { what: "it is used", advice: "wait" })).toThrow(/is a link; remove it/);
  expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: 42 });
  database.close();
  symlinkSync(victim, join(folder, "metrics.json"));
  expect(() => placeIn(folder, "metrics.json")).toThrow(/is a link; remove it/);
  expect(placeIn(folder, "x.jsonl")).toBe(file);
});

it("a place that cannot be written is named, with what became of it", () => {
  const folder = newFolder();
  writeFileSync(join(folder, "file"), "");
  expect(() => replaceFile(join(folder, "file", "x"), "")).toThrow(
    /could not be written: .*; what was there before is untouched/,
  );
  expect(() => replaceFile(folder, "")).toThrow(/could not be written: it is a folder/);
});

it("a store, or what belongs to one, is never replaced, also through a link", async () => {
  const folder = newFolder();
  const file = join(folder, "parley.db");
  const store = sqliteStore(file);
  await store.create(createRun("r1"));
  symlinkSync("parley.db", join(folder, "report.md"));
  for (const name of ["parley.db", "parley.db-wal", "report.md"])
    expect(() => replaceFile(join(folder, name), "# Report")).toThrow(/belongs to a store; give another place/);
  expect((await store.get("r1"))?.id).toBe("r1");
  await store.close();
});
