import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Label, LabelledText } from "../src/knowledge/opinions/index.ts";

export type GoldAspect = { term: string | null; from: number; to: number; category?: string; polarity: string };

/** A row of an ABSA file: `{id, lang, text, aspects: [{term, from, to, polarity, category?}]}`. */
export type Row = { id: string; lang: "en" | "ko"; text: string; aspects: GoldAspect[] };

export type Dataset = { name: string; lang: "en" | "ko"; rows: Row[]; hasNeutral: boolean };

const labels = new Set(["positive", "negative", "neutral"]);

/** Reads JSONL files, or every JSONL file of folders; `conflict` and unknown labels are left out, as is usual. */
export function loadDatasets(paths: readonly string[]): Dataset[] {
  return paths.flatMap((path) => {
    if (!existsSync(path)) return [];
    if (statSync(path).isDirectory())
      return loadDatasets(
        readdirSync(path)
          .filter((name) => name.endsWith(".jsonl"))
          .sort()
          .map((name) => join(path, name)),
      );
    return [load(path)];
  });
}

function load(path: string): Dataset {
  const lines = readFileSync(path, "utf8").split("\n");
  const rows = lines.flatMap((line, index) => (line.trim() === "" ? [] : [rowOf(line, path, index + 1)]));
  const lang = rows.filter((row) => row.lang === "ko").length * 2 > rows.length ? "ko" : "en";
  const hasNeutral = rows.some((row) => row.aspects.some((aspect) => aspect.polarity === "neutral"));
  return { name: basename(path, ".jsonl"), lang, rows, hasNeutral };
}

function rowOf(line: string, path: string, number: number): Row {
  const raw = JSON.parse(line) as Partial<Row>;
  if (typeof raw.text !== "string" || raw.text.trim() === "") throw new Error(`${path}:${number}: a row needs a text`);
  const lang = raw.lang ?? (/\p{Script=Hangul}/u.test(raw.text) ? "ko" : "en");
  const aspects = (raw.aspects ?? []).filter((aspect) => labels.has(aspect.polarity));
  return { ...raw, id: String(raw.id ?? number), lang, text: raw.text, aspects };
}

export function toLabelledText({ text, aspects }: Row): LabelledText {
  return {
    text,
    aspects: aspects
      .filter(({ term }) => term)
      .map(({ from, to, polarity }) => ({ span: { start: from, end: to }, polarity: polarity as Label })),
  };
}
