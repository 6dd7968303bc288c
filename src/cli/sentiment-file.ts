/** A file of texts: a line for each text on stdout, or with `--out` a table, a page for those who do not read tables, or a folder. */
import { basename, extname, join, resolve } from "node:path";
import type { Chart } from "../contract/chart.ts";
import { ParleyError } from "../contract/error.ts";
import { frameOf } from "../contract/frame-words.ts";
import type { Section } from "../contract/view.ts";
import {
  computeRates,
  type FinalOutput,
  findWarnings,
  lineFiles,
  sentiment,
  SentimentConfigSchema,
  summariseGate,
  tally,
  toJsonLines,
} from "../packs/sentiment/index.ts";
import { loadPageRenderer } from "../print/viewer-build.ts";
import type { BatchResult } from "../runs/batch.ts";
import { checkCaseFile } from "../runs/case-rows.ts";
import { checkValue } from "../runs/settings.ts";
import { openDraft, replaceFile } from "../store/replace-file.ts";
import { cutText, formatCount } from "../text/format.ts";
import { guardFormula } from "../text/layout.ts";
import { type Io, throwIfStopped } from "./io.ts";
import { type Batch, type BatchCount, listSpent } from "./run-file.ts";
import { findColumn, findTextColumns, listCases, readTable, type TextColumns } from "./sentiment-table.ts";
import type { SentimentOptions } from "./sentiment.ts";

type Columns = Record<string, unknown>;

type Found = { columns: Columns; text: string; result: BatchResult; output: FinalOutput | null };

export async function openTextBatch(io: Io, file: string, options: SentimentOptions): Promise<Batch> {
  const path = resolve(io.cwd, file);
  await checkCaseFile(path, null);
  const table = await readTable(path, file);
  const columns = findTextColumns(file, table, options);
  const { cases, empty, mixed } = listCases(table, columns, options);
  if (empty > 0) io.err(`${file}: ${formatCount(empty, "row has", "rows have")} no text: skipped\n`);
  if (mixed > 0) io.err(`${file}: ${formatCount(mixed, "row is", "rows are")} in two languages: read by sentence\n`);
  return {
    pack: sentiment,
    file: path,
    replaces: options.out === undefined ? null : resolve(io.cwd, options.out),
    rows: (async function* () {
      for (const { row } of cases) yield row;
    })(),
    noun: "texts",
    total: async () => cases.length,
    open(given) {
      const config = checkValue(SentimentConfigSchema, given ?? {}, "config of the sentiment pack", "bad_config");
      const source = { name: file, header: table.header, columns, empty };
      const results = options.out === undefined ? null : openResults(resolve(io.cwd, options.out), source);
      const totals: Record<string, number> = {};
      let at = 0;
      return {
        add(result) {
          const output = result.decision as FinalOutput | null;
          const own = cases[at]?.columns ?? {};
          at += 1;
          for (const [name, value] of Object.entries(output ? tally(output, null) : {}))
            totals[name] = (totals[name] ?? 0) + value;
          results?.add({
            columns: own,
            text: output?.meta.text ?? findColumn(own, [columns.text]) ?? "",
            result,
            output,
          });
          if (options.json) io.out(`${describeJson(result)}\n`);
          else if (!results) io.out(`${describeResult(result, output)}\n`);
          if (results === null) throwIfStopped(io);
        },
        async finish(count) {
          const rates = computeRates(totals);
          const warnings = findWarnings(rates, config.debate_thresholds);
          const written = await results?.finish({ rates, warnings });
          if (written !== undefined && !options.quiet) io.err(`wrote ${options.out}: ${written}\n`);
          if (!options.quiet)
            for (const { level, metric, value, tip } of warnings)
              io.err(`${level === "high" ? "HIGH" : "warning"}: ${metric} is ${value.toFixed(2)}. ${tip}\n`);
          return { closing: describeEnd(count), problems: [] };
        },
        abandon: () => results?.abandon(),
      };
    },
  };
}

function describeJson({ case_id, outcome, reasons, run, decision }: BatchResult): string {
  return JSON.stringify({ ...(decision as object | null), parley: { case_id, run, outcome, reasons } });
}

function describeResult({ case_id, outcome, reasons }: BatchResult, output: FinalOutput | null): string {
  if (!output) return [case_id, outcome, reasons.join("; ")].join("\t");
  const { label, confidence, final_tuples } = output.final_result;
  return [case_id, `${label} ${confidence.toFixed(2)}`, describeTuples(final_tuples)].join("\t");
}

function describeTuples(tuples: readonly { aspect_ref: string; polarity: string }[]): string {
  return tuples.map(({ aspect_ref, polarity }) => `${aspect_ref || implicit} ${polarity}`).join(", ") || "no opinion";
}

const implicit = "(implicit)";

function describeEnd(count: BatchCount): string {
  const { done, reused, failed, others, notRun } = count;
  const undecided = [...others.values()].reduce((sum, times) => sum + times, 0);
  const parts = [
    [reused, "done before"],
    [undecided, "undecided"],
    [failed, "failed"],
    [notRun, "not run"],
  ] as const;
  const said = parts.filter(([times]) => times > 0).map(([times, what]) => `${times} ${what}`);
  return [formatCount(done, "text"), ...said, ...listSpent(count)].join(" · ");
}

type Source = { name: string; header: string[]; columns: TextColumns; empty: number };

type Results = {
  add(found: Found): void;
  finish(metrics: object): Promise<string>;
  abandon(): void;
};

const writers: Record<string, (source: Source, found: readonly Found[]) => string | Promise<string | Uint8Array>> = {
  ".csv": (source, found) => renderSeparated(source, found, ","),
  ".tsv": (source, found) => renderSeparated(source, found, "\t"),
  ".jsonl": (source, found) => toJsonLines(listCells(source, found)),
  ".xlsx": renderSheet,
  ".html": renderPage,
};

function openResults(path: string, source: Source): Results {
  const write = writers[extname(path).toLowerCase()];
  if (!write) return openFolder(path);
  const draft = openDraft(path);
  const found: Found[] = [];
  return {
    add: (one) => void found.push(one),
    async finish() {
      draft.write(await write(source, found));
      draft.finish();
      return formatCount(found.length, "text");
    },
    abandon: () => draft.abandon(false),
  };
}

function openFolder(folder: string): Results {
  if (/^\.[a-z]{2,4}$/i.test(extname(folder)))
    throw new ParleyError(
      "bad_input",
      `--out ${basename(folder)}: results are written as ${Object.keys(writers).join(", ")}, or into a folder`,
    );
  const advice = "wait for it, then the same line finds all done; or choose another --out";
  const held = { what: `${folder} is being written`, advice };
  const drafts = Object.entries(lineFiles).map(([name, linesOf], index) => ({
    draft: openDraft(join(folder, name), ".partial", index === 0 ? held : undefined),
    linesOf,
  }));
  const gate: FinalOutput["override_gate"] = [];
  let texts = 0;
  return {
    add({ output }) {
      if (!output) return;
      texts += 1;
      gate.push(...output.override_gate);
      for (const { draft, linesOf } of drafts) draft.write(toJsonLines(linesOf(output)));
    },
    async finish(metrics) {
      for (const { draft } of drafts) draft.finish();
      const others = { "override_gate_debug_summary.json": summariseGate(gate), "metrics.json": metrics };
      for (const [name, value] of Object.entries(others))
        replaceFile(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
      return formatCount(texts, "text");
    },
    abandon() {
      for (const { draft } of drafts) draft.abandon(true);
    },
  };
}

const resultColumns = ["aspect", "polarity", "overall", "confidence", "changed_by_debate", "outcome", "problem", "run"];

function nameColumns({ header }: Source): string[] {
  return resultColumns.map((name) => (header.includes(name) ? `parley_${name}` : name));
}

function listCells(source: Source, found: readonly Found[]): Columns[] {
  const names = nameColumns(source);
  return found.flatMap(({ columns, result: { outcome, reasons, run }, output }) => {
    const { label = null, confidence = null, final_tuples = [], stage1_tuples = [] } = output?.final_result ?? {};
    const before = new Map(stage1_tuples.map((tuple) => [tuple.aspect_ref, tuple.polarity]));
    const problem = outcome === "decided" ? null : reasons.join("; ") || null;
    const sure = confidence === null ? null : Number(confidence.toFixed(3));
    const rows = final_tuples.map(({ aspect_ref, polarity }) => ({
      aspect: aspect_ref || implicit,
      polarity,
      changed: before.get(aspect_ref) !== polarity,
    }));
    const none = { aspect: null, polarity: null, changed: output && stage1_tuples.length > 0 };
    return (rows.length > 0 ? rows : [none]).map(({ aspect, polarity, changed }) => {
      const values = [aspect, polarity, label, sure, changed, outcome, problem, run];
      return { ...columns, ...Object.fromEntries(names.map((name, at) => [name, values[at]])) };
    });
  });
}

function renderSeparated(source: Source, found: readonly Found[], mark: string): string {
  const header = [...source.header, ...nameColumns(source)];
  const rows = listCells(source, found).map((cells) => header.map((name) => cells[name]));
  const lines = [header, ...rows].map((values) => values.map((value) => writeCell(value, mark)).join(mark));
  return `\uFEFF${lines.map((line) => `${line}\r\n`).join("")}`;
}

export function writeCell(value: unknown, mark = ","): string {
  if (value === null || value === undefined) return "";
  const safe = typeof value === "string" ? guardFormula(value) : JSON.stringify(value);
  return safe.includes(mark) || /["\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const longestCell = 32_767;

async function renderSheet(source: Source, found: readonly Found[]): Promise<Uint8Array> {
  const { default: write } = await import("write-excel-file/node");
  const header = [...source.header, ...nameColumns(source)];
  const toCell = (value: unknown) => {
    if (value === null || value === undefined || value === "") return null;
    if (typeof value === "number" || typeof value === "boolean") return value;
    return (typeof value === "string" ? value : JSON.stringify(value)).slice(0, longestCell);
  };
  const rows = listCells(source, found).map((cells) => header.map((name) => toCell(cells[name])));
  const top = header.map((name) => ({ value: name, fontWeight: "bold" as const }));
  const columns = header.map((name) => ({ width: name === source.columns.text ? 60 : 16 }));
  return write([top, ...rows], { columns, stickyRowsCount: 1 }).toBuffer();
}

async function renderPage(source: Source, found: readonly Found[]): Promise<string> {
  const { renderDocument } = await loadPageRenderer();
  const labels = ["positive", "negative", "mixed", "neutral"].map((label) => {
    const own = found.filter(({ output }) => output?.final_result.label === label).length;
    return `${Math.round((100 * own) / Math.max(1, found.length))} % ${label}`;
  });
  const opinions = found.reduce((sum, { output }) => sum + (output?.final_result.final_tuples.length ?? 0), 0);
  const skipped = formatCount(source.empty, "row without a text was", "rows without a text were");
  return renderDocument({
    title: source.name,
    language: "en",
    from: "Parley · sentiment",
    intro: `${formatCount(found.length, "text")}, ${formatCount(opinions, "opinion")}. Texts as a whole: ${labels.join(", ")}.${source.empty > 0 ? ` ${skipped} skipped.` : ""}`,
    sections: listSections(source, found),
    foot: "Made by Parley. This file needs no network; it can be sent and printed.",
    words: frameOf("en"),
  });
}

const [mostBars, mostTexts] = [15, 10];

function listSections(source: Source, found: readonly Found[]): Section[] {
  const aspects = countOpinions(found, (_, aspect) => aspect.toLowerCase()).toSorted((a, b) => b.all - a.all);
  const notes = [
    aspects.length > mostBars ? `The ${mostBars} most frequent of ${aspects.length}.` : "",
    aspects.some(({ name }) => name === implicit) ? `${implicit}: an opinion that names no aspect.` : "",
  ];
  const time = source.header.find((name) => isTime(found.map((one) => wordOf(one, name)))) ?? null;
  const days = time === null ? [] : countOpinions(found, (one) => readDay(wordOf(one, time)));
  return [
    { id: "aspects", title: "By aspect", note: notes.join(" ").trim(), ...drawBars(aspects.slice(0, mostBars)) },
    ...(time === null ? [] : [{ id: "time", title: `Over time (${time})`, ...drawTime(days.toSorted(byName)) }]),
    ...listChanges(found),
    ...listExamples(found),
    ...listProblems(found),
  ];
}

type Shares = { name: string; counts: [positive: number, neutral: number, negative: number]; all: number };
const parts = ["positive", "neutral", "negative"] as const;

function countOpinions(found: readonly Found[], nameOf: (one: Found, aspect: string) => string | null): Shares[] {
  const shares = new Map<string, Shares>();
  for (const one of found)
    for (const { aspect_ref, polarity } of one.output?.final_result.final_tuples ?? []) {
      const name = nameOf(one, aspect_ref || implicit);
      if (name === null) continue;
      const row = shares.get(name) ?? { name, counts: [0, 0, 0], all: 0 };
      row.counts[parts.indexOf(polarity)] = (row.counts[parts.indexOf(polarity)] ?? 0) + 1;
      row.all += 1;
      shares.set(name, row);
    }
  return [...shares.values()];
}

const byName = (a: Shares, b: Shares): number => a.name.localeCompare(b.name, "en", { numeric: true });

function drawBars(rows: readonly Shares[]): { kind: "chart"; chart: Chart } {
  const tones = { positive: "good", neutral: "neutral", negative: "bad" } as const;
  const named = rows.map(({ name, counts }) => ({ name: cutText(name, 40), counts }));
  return {
    kind: "chart",
    chart: { type: "shares", parts: parts.map((name) => ({ name, tone: tones[name] })), rows: named },
  };
}

type Series = { kind: "series"; points: { label: string; value: number }[] };

function drawTime(rows: readonly Shares[]): Series | ReturnType<typeof drawBars> {
  if (rows.length <= mostBars) return drawBars(rows);
  return { kind: "series", points: rows.map(({ name, counts, all }) => ({ label: name, value: counts[0] / all })) };
}

/** A column of days: nearly all of its values are dates, written so that no two readings are possible. */
function isTime(values: readonly string[]): boolean {
  const given = values.filter((value) => value !== "");
  const days = given.flatMap((value) => readDay(value) ?? []);
  return given.length >= 3 && days.length >= given.length * 0.9 && new Set(days).size > 1;
}

function readDay(text: string): string | null {
  const [, year, month = "", day = ""] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T\s].*)?$/.exec(text) ?? [];
  if (year === undefined || Number(month) > 12 || Number(day) > 31) return null;
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

function wordOf({ columns }: Found, name: string): string {
  return findColumn(columns, [name])?.trim() ?? "";
}

function listChanges(found: readonly Found[]): Section[] {
  const changed = found.flatMap(({ text, result, output }) => {
    const before = describeTuples(output?.final_result.stage1_tuples ?? []);
    const after = describeTuples(output?.final_result.final_tuples ?? []);
    return before === after ? [] : [{ id: result.run ?? "", title: text, body: `before: ${before}\nafter: ${after}` }];
  });
  const about = { id: "changed", title: "Changed by the debate" };
  if (changed.length === 0) return [{ kind: "text", ...about, text: "The debate changed nothing." }];
  const note = `The debate changed the reading of ${formatCount(changed.length, "text")}.`;
  return [{ kind: "cards", ...about, note, cards: changed.slice(0, mostTexts) }];
}

function listExamples(found: readonly Found[]): Section[] {
  const sure = found.toSorted((a, b) => confidenceOf(b) - confidenceOf(a));
  const kinds = [
    ["negative", "bad"],
    ["positive", "good"],
    ["mixed", "neutral"],
  ] as const;
  const lines = kinds.flatMap(([label, tone]) => {
    const own = sure.filter(({ output }) => output?.final_result.label === label);
    return [...Map.groupBy(own, ({ text }) => text)].slice(0, 3).map(([text, { length }]) => ({
      ref: label,
      text: length > 1 ? `${text} (${length} times)` : text,
      tone,
    }));
  });
  if (lines.length === 0) return [];
  return [{ kind: "lines", id: "examples", title: "Examples", note: "The surest of each kind.", lines }];
}

function confidenceOf({ output }: Found): number {
  return output?.final_result.confidence ?? 0;
}

function listProblems(found: readonly Found[]): Section[] {
  const failed = found.flatMap(({ result: { outcome, reasons } }) =>
    outcome === "decided" ? [] : [{ ref: outcome, text: reasons.join("; ") }],
  );
  if (failed.length === 0) return [];
  const note = formatCount(failed.length, "text");
  return [{ kind: "lines", id: "problems", title: "Not decided", note, lines: failed.slice(0, mostTexts) }];
}
