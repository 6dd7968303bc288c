import { Command, Option } from "commander";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve, extname } from "node:path";
import { ParleyError, hasCode } from "../contract/error.ts";
import { digestLayer, parseLayer } from "../knowledge/opinions/index.ts";
import {
  type FinalOutput,
  type LanguageCode,
  profiles,
  SentimentConfigSchema,
  type Episode,
  EpisodeSchema,
  storeEpisode,
  toJsonLines,
} from "../packs/sentiment/index.ts";
import { sentiment } from "../packs/sentiment/pack.ts";
import { pickPackSection } from "../runs/user-config.ts";
import { replaceFile } from "../store/replace-file.ts";
import { readJsonl } from "../studies/datasets/rows.ts";
import { isRecord } from "../text/is-record.ts";
import type { Io } from "./io.ts";
import {
  type RunOptions,
  collect,
  rareOption,
  withFileOptions,
  withPromiseOptions,
  withRunOptions,
} from "./options.ts";
import { runCase } from "./run-case.ts";
import type { FileOptions } from "./run-file.ts";
import { createLearnCommand } from "./sentiment-learn.ts";
import { loadUserConfig } from "./settings.ts";
import { locateStore } from "./stores.ts";

/** `parley sentiment TEXT|FILE`, and `sentiment learn` */
export function command(io: Io): Command {
  const command = new Command("sentiment")
    .description(
      "What a text says of each thing it talks about, in Korean or English: analysis, debate, review, rules.",
    )
    .argument("<text>", "a text, or a file of texts: .csv, .tsv, .xlsx, .jsonl, or .txt with a text on each line")
    .addOption(new Option("--lang <code>", "the language; detected from the script unless given").choices(["ko", "en"]))
    .option("--text <column>", "the column of the texts (default: text, review, comment, content…)")
    .option("--id <column>", "the column of their ids (default: id, else the row's number)")
    .option("--gold <file>", "gold tuples by id, to measure a file of texts against")
    .option("--report", "print metrics and warnings over a file of texts")
    .addOption(rareOption("--skip-bad", "leave out rows that cannot be used, instead of stopping"))
    .addOption(
      rareOption(
        "--memory <file>",
        "a store of episodes: read at the start, extended at the end (memory.condition C2, C2_silent)",
      ),
    )
    .addOption(
      rareOption("--model <file>", "read with this learnt layer (default: the project's own, else the one that ships)"),
    )
    .addOption(
      rareOption("--thresholds <file>", "thresholds of the gate or of the warnings, as JSON; can be repeated")
        .argParser(collect)
        .default([]),
    )
    .addCommand(createLearnCommand(io));
  return withFileOptions(withPromiseOptions(withRunOptions(command)), "texts")
    .addHelpText("after", examples)
    .action(async (text: string, given: SentimentOptions) => {
      const options = withThresholds(io, withLayers(io, given));
      if (isFileName(io.cwd, text, tableEndings)) await runTexts(io, text, options);
      else await runText(io, text, options);
    });
}

/** Where the documents of the pack put its thresholds. */
const thresholdFiles = ["debate_override_thresholds.json", "debate_thresholds.json"].map(
  (name) => `experiments/configs/${name}`,
);

/** Options with the settings of their threshold files, else of those in their usual place; `--set` wins over a file. */
function withThresholds(io: Io, options: SentimentOptions): SentimentOptions {
  const found = thresholdFiles.filter((file) => existsSync(resolve(io.cwd, file)));
  const files = options.thresholds.length > 0 ? options.thresholds : found;
  if (files.length === 0) return options;
  if (files === found && !options.quiet) io.err(`thresholds: ${found.join(", ")}\n`);
  return { ...options, set: [...readThresholds(io, files, options.set), ...options.set] };
}

async function runTexts(io: Io, file: string, options: SentimentOptions): Promise<void> {
  const [{ runFile }, { openTextBatch }] = await Promise.all([import("./run-file.ts"), import("./sentiment-file.ts")]);
  await runFile(io, options, await openTextBatch(io, file, options));
}

async function runText(io: Io, text: string, options: SentimentOptions): Promise<void> {
  for (const name of ["gold", "report"] as const)
    if (options[name] !== undefined)
      throw new ParleyError("bad_input", `--${name} needs a file of texts, but "${text.slice(0, 40)}" is no such file`);
  const input = { text, ...(options.lang === undefined ? {} : { language_code: options.lang }) };
  if (options.memory === undefined) {
    await runCase(io, options, sentiment, input);
    return;
  }
  const memory = openMemoryFile(io, options.memory);
  const episodes = `memory.episodes=${JSON.stringify(memory.episodes)}`;
  const done = await runCase(io, { ...options, set: [episodes, ...options.set] }, sentiment, input);
  const decision = done?.finished.result.decision;
  if (decision) memory.learn(decision as FinalOutput);
  const learnt = memory.save();
  if (learnt > 0 && !options.quiet)
    io.err(`${learnt} ${learnt === 1 ? "episode" : "episodes"} learnt: ${options.memory}\n`);
}

const examples = `
Examples:
  parley sentiment "배송은 빨랐지만 포장이 엉망이에요"
  parley sentiment "Great coffee, slow service" --set debate.style=stance --json
  parley sentiment reviews.csv --out results.xlsx          a row for each aspect, your columns kept; or .csv, .jsonl
  parley sentiment reviews.xlsx --text comment --out summary.html       plots and examples to read
  parley sentiment reviews.jsonl --out results/ --cast openai/gpt-5-mini --budget usd=2
  parley sentiment reviews.csv --gold gold.jsonl --report --set neutral_policy=mention
  parley sentiment learn reviews.labelled.jsonl --base default`;

/** The options of `parley sentiment`. */
export type SentimentOptions = FileOptions & {
  lang?: "ko" | "en";
  gold?: string;
  report?: boolean;
  memory?: string;
  model?: string;
  text?: string;
  id?: string;
  skipBad?: boolean;
  thresholds: string[];
};

const languages: LanguageCode[] = ["en", "ko"];

/** Where the project keeps the layer that it learnt for a language. */
export function locateLayer(io: Io, options: { store?: string; config?: string }, language: LanguageCode): string {
  return join(locateStore(io, options), "sentiment", `layer-${language}.json`);
}

/** Options that name the layers to read with: `--model`, else those that the project learnt, else what the config says. */
export function withLayers<T extends SentimentOptions>(io: Io, options: T): T {
  return { ...options, set: [...chooseLayers(io, options), ...options.set] };
}

/** The settings that name the layers to read with: what `parley sentiment` and `parley run sentiment` both look for. */
export function chooseLayers(io: Io, options: Pick<RunOptions, "store" | "config"> & { model?: string }): string[] {
  if (options.model !== undefined) return [nameLayer(resolve(io.cwd, options.model))];
  const section = pickPackSection(loadUserConfig(io, options), "sentiment");
  if (isRecord(section) && section.learnt !== undefined) return [];
  return languages
    .map((language) => locateLayer(io, options, language))
    .filter((file) => existsSync(file))
    .map(nameLayer);
}

/** The setting that names a layer together with its digest, so that a run says what it was read with. */
function nameLayer(file: string): string {
  const text = readLayerText(file);
  const { language } = parseLayer(text, file);
  return `learnt.${language}=${JSON.stringify(`${file}#${digestLayer(text)}`)}`;
}

/** The text of a layer's file. */
export function readLayerText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new ParleyError(
      "bad_input",
      `${file}: no learnt layer can be read here; \`parley sentiment learn\` writes one`,
      {
        cause,
      },
    );
  }
}

/** The settings of threshold files (`debate_override_thresholds.json`, `debate_thresholds.json`), each as `key=value`. */
export function readThresholds(io: Io, files: readonly string[], given: readonly string[]): string[] {
  const asked = given.findLast((setting) => setting.startsWith("debate_override.profile="))?.split("=")[1];
  return files.flatMap((file) => listSettings(file, readJson(io, file), asked));
}

const sections = (["debate_override", "debate_thresholds"] as const).map((name) => ({
  name,
  keys: Object.keys(SentimentConfigSchema.parse({})[name]),
}));

/** Thresholds as a flat list, under the name of their section, or one set of them for each profile. */
function listSettings(file: string, values: Record<string, unknown>, asked: string | undefined): string[] {
  const flat = isRecord(values.pipeline) ? values.pipeline : values;
  const named = Object.entries(flat).flatMap(([key, value]): string[] => {
    if (key === "default_profile" || key === "profiles" || Object.hasOwn(profiles, key)) return [];
    if (isRecord(value) && sections.some(({ name }) => name === key)) return listSettings(file, value, asked);
    const section = sections.find(({ keys }) => keys.includes(key));
    if (section) return [`${section.name}.${key}=${JSON.stringify(value)}`];
    const known = sections.flatMap(({ keys }) => keys).join(", ");
    throw new ParleyError("bad_config", `${file}: "${key}" is not a threshold; known are ${known}`);
  });
  return [...listProfile(file, flat, asked), ...named];
}

/** A file with several profiles gives the thresholds of the one that is asked for, else of its `default_profile`, else of t0. */
function listProfile(file: string, values: Record<string, unknown>, asked: string | undefined): string[] {
  const sets = isRecord(values.profiles) ? values.profiles : values;
  if (!Object.keys(profiles).some((name) => isRecord(sets[name]))) return [];
  const profile = asked ?? (typeof values.default_profile === "string" ? values.default_profile : "t0");
  const own = sets[profile];
  if (!isRecord(own)) throw new ParleyError("bad_config", `${file}: it has no profile "${profile}"`);
  return [`debate_override.profile=${profile}`, ...listSettings(file, own, asked)];
}

function readJson(io: Io, file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(resolve(io.cwd, file), "utf8"));
    if (isRecord(value)) return value;
  } catch (cause) {
    throw new ParleyError("bad_config", `${file}: no thresholds can be read: ${(cause as Error).message}`, { cause });
  }
  throw new ParleyError("bad_config", `${file}: thresholds are a JSON object, e.g. {"min_total": 1.6}`);
}

/** A memory store in a file: read once at the start, so that every case of a batch sees the same; written at the end. */
export type MemoryFile = { episodes: Episode[]; learn(output: FinalOutput): void; save(): number };

export function openMemoryFile(io: Io, file: string): MemoryFile {
  const path = resolve(io.cwd, file);
  const episodes = existsSync(path) ? readJsonl(readFileSync(path, "utf8"), file).map((row) => readEpisode(row)) : [];
  let store = episodes;
  return {
    episodes,
    learn({ memory_episode, meta }) {
      if (!memory_episode) return;
      try {
        store = storeEpisode(store, memory_episode, { text: meta.text });
      } catch (error) {
        if (!hasCode(error, "bad_input")) throw error;
        io.err(`${meta.text_id}: not remembered: ${error.message}\n`);
      }
    },
    save() {
      if (store !== episodes) replaceFile(path, toJsonLines(store));
      return store.length - episodes.length;
    },
  };
}

function readEpisode({ value, at }: { value: unknown; at: string }): Episode {
  const parsed = EpisodeSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ");
  throw new ParleyError("bad_input", `${at}: not an episode: ${issues}`);
}

/**
 * Whether words on the command line are the name of a file, and not a text. A name that looks like a file's and is
 * none, or a folder, is an error: it is never read as a sentence.
 */
export function isFileName(cwd: string, words: string, endings: readonly string[]): boolean {
  if (words.trim() === "" || words.length > 1000 || words.includes("\n")) return false;
  const path = resolve(cwd, words);
  const found = existsSync(path) ? statSync(path) : null;
  const hasEnding = endings.includes(extname(words).toLowerCase());
  if (found?.isDirectory()) throw new ParleyError("bad_input", `${words}: that is a folder; give a file, or a text`);
  if (found && hasEnding) return true;
  const looksLikeOne =
    !/\s/.test(words.trim()) && /^(\.{0,2}[\\/].+|[\w.\\/-]*\w\.[a-z][a-z0-9]{1,4})$/i.test(words.trim());
  if (found) throw new ParleyError("bad_input", `${words}: a file of texts ends in ${endings.join(", ")}`);
  if (hasEnding || looksLikeOne)
    throw new ParleyError(
      "bad_input",
      `${words}: there is no such file (a text that looks like a file's name needs a space in it)`,
    );
  return false;
}

/** The endings of the files that are read as texts. */
export const tableEndings = [".csv", ".tsv", ".xlsx", ".jsonl", ".ndjson", ".txt"];
