import { makeFolder } from "../../store/make-folder.ts";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ParleyError } from "../../contract/error.ts";
import { openDraft, replaceFile } from "../../store/replace-file.ts";
import { writeError } from "../../store/write-error.ts";
import {
  type JobKey,
  type ResultRow,
  ResultRowSchema,
  type Scorecard,
  ScorecardSchema,
  type StudyManifest,
  StudyManifestSchema,
} from "../results/results.ts";
import { takeFileLease } from "../../store/file-lease.ts";

/** The files of a study. Results are appended as runs end; a scorecard counts only when its result is there too. */
export type StudyFolder = {
  path: string;
  manifest: StudyManifest | null;
  scorecards: Scorecard[];
  has(key: JobKey): boolean;
  add(row: ResultRow, card: Scorecard): void;
  writeManifest(manifest: StudyManifest): void;
  write(name: string, content: string): void;
  /** Puts the lines of both files in the order of the plan and closes them. */
  finish(orderOf: (key: JobKey) => number): void;
  close(): void;
};

/** A job as one string. */
export function jobIdOf({ arm, case_id, seed }: JobKey): string {
  return JSON.stringify([arm, case_id, seed]);
}

/** Opens a study's folder, making it if it is not there; lines that a crash cut off or left alone are dropped. */
export function openStudyFolder(
  path: string,
  keep: (key: JobKey & { outcome: string }) => boolean = () => true,
): StudyFolder {
  makeFolder(path);
  const manifest = readManifest(path);
  const cards = readCards(path);
  const files = { results: join(path, "results.jsonl"), scorecards: join(path, "scorecards.jsonl") };
  const resultIds = new Set<string>();
  const ids = new Set([...cards].filter(([, card]) => keep(card)).map(([id]) => id));
  rewrite(files.results, (line) => takeOnce(resultIds, ids, line));
  const both = new Set<string>();
  rewrite(files.scorecards, (line) => takeOnce(both, resultIds, line));
  const scorecards = [...both].flatMap((id) => cards.get(id) ?? []);
  const handles = { results: openSync(files.results, "a"), scorecards: openSync(files.scorecards, "a") };
  let isOpen = true;
  const close = (): void => {
    if (isOpen) for (const handle of Object.values(handles)) closeSync(handle);
    isOpen = false;
  };
  return {
    path,
    manifest,
    scorecards,
    has: (key) => both.has(jobIdOf(key)),
    add(row, card) {
      append(files.results, handles.results, row);
      append(files.scorecards, handles.scorecards, card);
      both.add(jobIdOf(card));
      scorecards.push(card);
    },
    writeManifest: (value) => replaceFile(join(path, "manifest.json"), `${JSON.stringify(value, null, 2)}\n`),
    write: (name, content) => replaceFile(join(path, name), content),
    finish(orderOf) {
      for (const handle of Object.values(handles)) fsyncSync(handle);
      close();
      for (const file of Object.values(files)) sortLines(file, orderOf);
      scorecards.sort((a, b) => orderOf(a) - orderOf(b));
    },
    close,
  };
}

/** The manifest and scorecards of a study that ran before. */
export function readStudyFolder(path: string): { manifest: StudyManifest; scorecards: Scorecard[] } {
  const manifest = readManifest(path);
  if (!manifest) throw new ParleyError("bad_input", `${path} holds no study: there is no manifest.json in it`);
  return { manifest, scorecards: [...readCards(path).values()] };
}

/** What the runs of some arms came to, in the order of their lines. */
export function readStudyResults(path: string, arms: readonly string[]): ResultRow[] {
  const rows: ResultRow[] = [];
  visitLines(join(path, "results.jsonl"), (line) => {
    const parsed = ResultRowSchema.safeParse(parseLine(line));
    if (parsed.success && arms.includes(parsed.data.arm)) rows.push(parsed.data);
  });
  return rows;
}

function readManifest(path: string): StudyManifest | null {
  const file = join(path, "manifest.json");
  if (!existsSync(file)) return null;
  try {
    return StudyManifestSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    throw new ParleyError(
      "bad_input",
      `${file} is not a manifest that this Parley can read; choose another --out, or remove the folder`,
      { cause },
    );
  }
}

function readCards(path: string): Map<string, Scorecard> {
  const cards = new Map<string, Scorecard>();
  visitLines(join(path, "scorecards.jsonl"), (line) => {
    const parsed = ScorecardSchema.safeParse(parseLine(line));
    if (parsed.success) cards.set(jobIdOf(parsed.data), parsed.data);
  });
  return cards;
}

function takeOnce(seen: Set<string>, wanted: Set<string>, line: string): boolean {
  const id = idOf(line);
  if (id === null || !wanted.has(id) || seen.has(id)) return false;
  seen.add(id);
  return true;
}

function idOf(line: string): string | null {
  const value = parseLine(line) as Partial<JobKey> | null;
  if (typeof value?.arm !== "string" || typeof value.case_id !== "string" || typeof value.seed !== "number")
    return null;
  return jobIdOf(value as JobKey);
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Adds a line; one that is cut off is dropped when the folder is opened again. */
function append(file: string, handle: number, value: unknown): void {
  try {
    writeFileSync(handle, `${JSON.stringify(value)}\n`);
  } catch (error) {
    throw writeError(file, error, "the runs are in the store");
  }
}

/** Keeps some lines of a file; the file is replaced in one step. */
function rewrite(file: string, keep: (line: string) => boolean): void {
  const next = openDraft(file, ".new");
  visitLines(file, (line) => {
    if (keep(line)) next.write(`${line}\n`);
  });
  next.finish();
}

/** Sorts a file's lines without holding them: only their keys and places are kept in memory. */
function sortLines(file: string, orderOf: (key: JobKey) => number): void {
  const places: { order: number; start: number; length: number }[] = [];
  visitLines(file, (line, start, length) => places.push({ order: orderOf(JSON.parse(line) as JobKey), start, length }));
  const from = openSync(file, "r");
  const next = openDraft(file, ".new");
  for (const { start, length } of places.sort((a, b) => a.order - b.order)) {
    const bytes = Buffer.alloc(length + 1, "\n");
    readSync(from, bytes, 0, length, start);
    next.write(bytes);
  }
  closeSync(from);
  next.finish();
}

const chunkSize = 1 << 20;

/** Calls back for each complete line of a file with its place in bytes; a last line that a crash cut off is not one. */
export function visitLines(file: string, onLine: (line: string, start: number, length: number) => void): void {
  if (!existsSync(file)) return;
  const handle = openSync(file, "r");
  const chunk = Buffer.alloc(chunkSize);
  let rest = Buffer.alloc(0);
  let offset = 0;
  for (let size = readSync(handle, chunk); size > 0; size = readSync(handle, chunk)) {
    const bytes = Buffer.concat([rest, chunk.subarray(0, size)]);
    let from = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      if (at > from) onLine(bytes.toString("utf8", from, at), offset + from, at - from);
      from = at + 1;
    }
    rest = Buffer.from(bytes.subarray(from));
    offset += from;
  }
  closeSync(handle);
}

/** Takes a study's folder for this process; the function returned gives it back. */
export function lockStudy(folder: string): () => void {
  const file = join(folder, "study.lock");
  const what = `the study in ${folder} is being run`;
  try {
    return takeFileLease(file, { what, advice: "wait for it, or choose another --out" });
  } catch (error) {
    throw writeError(file, error, "nothing was begun");
  }
}
