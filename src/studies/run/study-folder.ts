import { makeFolder, replaceFile, takeFileLease, writeError, placeIn } from "../../store/replace-file.ts";
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ParleyError } from "../../contract/error.ts";
import {
  type JobKey,
  type Scorecard,
  ScorecardSchema,
  type StudyManifest,
  StudyManifestSchema,
} from "../results/results.ts";

export type StudyFolder = ReturnType<typeof openStudyFolder>;

export function jobIdOf({ arm, case_id, seed }: JobKey): string {
  return JSON.stringify([arm, case_id, seed]);
}

export function openStudyFolder(path: string, keep: (card: Scorecard) => boolean = () => true) {
  makeFolder(path);
  const manifest = readManifest(path);
  const file = placeIn(path, "results.jsonl");
  const scorecards = [...readCards(path).values()].filter(keep);
  const ids = new Set(scorecards.map(jobIdOf));
  const rewrite = (): void => replaceFile(file, scorecards.map(writeLine).join(""));
  rewrite();
  const handle = openSync(file, "a");
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(handle);
    isOpen = false;
  };
  return {
    path,
    manifest,
    scorecards,
    has: (key: JobKey): boolean => ids.has(jobIdOf(key)),
    add(card: Scorecard): void {
      try {
        writeFileSync(handle, writeLine(card));
      } catch (error) {
        throw writeError(file, error, "the runs are in the store");
      }
      ids.add(jobIdOf(card));
      scorecards.push(card);
    },
    writeManifest: (value: StudyManifest): void =>
      replaceFile(placeIn(path, "manifest.json"), `${JSON.stringify(value, null, 2)}\n`),
    finish(orderOf: (key: JobKey) => number): void {
      fsyncSync(handle);
      close();
      scorecards.sort((a, b) => orderOf(a) - orderOf(b));
      rewrite();
    },
    close,
  };
}

/** Writes keys in the order of the schema. */
function writeLine(card: Scorecard): string {
  return `${JSON.stringify(ScorecardSchema.parse(card))}\n`;
}

export function readStudyFolder(path: string): { manifest: StudyManifest; scorecards: Scorecard[] } {
  const manifest = readManifest(path);
  if (!manifest) throw new ParleyError("bad_input", `${path} holds no study: there is no manifest.json in it`);
  return { manifest, scorecards: [...readCards(path).values()] };
}

export function listStudyFolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "manifest.json")))
    .sort();
}

function readManifest(path: string): StudyManifest | null {
  const file = placeIn(path, "manifest.json");
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

/** Reads results by job; a last line cut off by a crash is ignored. */
function readCards(path: string): Map<string, Scorecard> {
  const file = placeIn(path, "results.jsonl");
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
  const cards = lines.flatMap((line) => {
    const parsed = ScorecardSchema.safeParse(parseLine(line));
    return parsed.success ? [parsed.data] : [];
  });
  return new Map(cards.map((card) => [jobIdOf(card), card]));
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

export function lockStudy(folder: string): () => void {
  const file = join(folder, "study.lock");
  const what = `the study in ${folder} is being run`;
  try {
    return takeFileLease(file, { what, advice: "wait for it, or choose another --out" });
  } catch (error) {
    throw writeError(file, error, "nothing was begun");
  }
}
