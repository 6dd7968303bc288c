import { makeFolder, replaceFile, takeFileLease, writeError } from "../../store/replace-file.ts";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ParleyError } from "../../contract/error.ts";
import {
  type JobKey,
  type ResultRow,
  type Scorecard,
  ScorecardSchema,
  type StudyManifest,
  StudyManifestSchema,
} from "../results/results.ts";

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
      for (const file of Object.values(files)) rewrite(file, () => true, orderOf);
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
  for (const line of readLines(join(path, "scorecards.jsonl"))) {
    const parsed = ScorecardSchema.safeParse(parseLine(line));
    if (parsed.success) cards.set(jobIdOf(parsed.data), parsed.data);
  }
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

/** Keeps some lines of a file, in this order if one is given; the file is replaced in one step. */
function rewrite(file: string, keep: (line: string) => boolean, orderOf?: (key: JobKey) => number): void {
  const lines = readLines(file).filter(keep);
  const ordered = orderOf
    ? lines
        .map((line) => ({ line, order: orderOf(JSON.parse(line) as JobKey) }))
        .sort((one, other) => one.order - other.order)
        .map(({ line }) => line)
    : lines;
  replaceFile(file, ordered.map((line) => `${line}\n`).join(""));
}

/** The complete lines of a file; a last one that a crash cut off is none. */
function readLines(file: string): string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
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
