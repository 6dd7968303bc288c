import type { Command } from "commander";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve, extname } from "node:path";
import { ParleyError } from "../contract/error.ts";
import { digestLayer } from "../knowledge/opinions/index.ts";
import type { LanguageCode } from "../packs/sentiment/index.ts";
import { sentiment } from "../packs/sentiment/pack.ts";
import { pickPackSection, readText } from "../runs/settings.ts";
import { placeIn } from "../store/replace-file.ts";
import { isRecord } from "../text/json.ts";
import { choice, defineCommand, type Given, text } from "./command.ts";
import type { Io } from "./io.ts";
import { fileOptions, promiseOptions, type RunOptions, runOptions } from "./options.ts";
import { runCase } from "./run-case.ts";
import { createLearnCommand } from "./sentiment-learn.ts";
import { loadUserConfig } from "./settings.ts";
import { locateStore } from "./stores.ts";

const options = {
  lang: choice("<code>", "the language; detected from the script unless given", ["ko", "en"]),
  text: text("<column>", "the column of the texts (default: text, review, comment, content…)"),
  id: text("<column>", "the column of their ids (default: id, else the row's number)"),
  ...runOptions,
  ...promiseOptions,
  ...fileOptions("texts"),
};
export type SentimentOptions = Given<typeof options>;

export function command(io: Io): Command {
  return defineCommand({
    name: "sentiment",
    arguments: {
      "<text>": "a text, or a file of texts: .csv, .tsv, .xlsx, .jsonl, or .txt with a text on each line",
    },
    options,
    commands: [createLearnCommand(io)],
    async action(given, words: string) {
      const asked = withThresholds(io, { ...given, set: [...chooseLayers(io, given), ...given.set] });
      if (!isFileName(io.cwd, words)) {
        await runCase(io, asked, sentiment, { text: words, language_code: asked.lang ?? null });
        return;
      }
      const [{ runFile }, { openTextBatch }] = await Promise.all([
        import("./run-file.ts"),
        import("./sentiment-file.ts"),
      ]);
      await runFile(io, asked, await openTextBatch(io, words, asked));
    },
  });
}

const thresholdFiles = {
  debate_override: "experiments/configs/debate_override_thresholds.json",
  debate_thresholds: "experiments/configs/debate_thresholds.json",
};

function withThresholds(io: Io, options: SentimentOptions): SentimentOptions {
  const set = Object.entries(thresholdFiles).flatMap(([section, file]) => {
    const path = resolve(io.cwd, file);
    if (!existsSync(path)) return [];
    if (!options.quiet) io.err(`thresholds: ${file}\n`);
    return Object.entries(readObject(path, file)).map(([key, value]) => `${section}.${key}=${JSON.stringify(value)}`);
  });
  return { ...options, set: [...set, ...options.set] };
}

function readObject(path: string, name: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readText(path));
    if (isRecord(value)) return value;
  } catch (cause) {
    throw new ParleyError("bad_config", `${name}: no thresholds can be read: ${(cause as Error).message}`, { cause });
  }
  throw new ParleyError("bad_config", `${name}: thresholds are a JSON object, e.g. {"min_total": 1.6}`);
}

export function locateLayer(io: Io, options: { store?: string; config?: string }, language: LanguageCode): string {
  return placeIn(join(locateStore(io, options), "sentiment"), `layer-${language}.json`);
}

/** Settings that name the project's layers, with digests so that a run records them; names in the config win. */
export function chooseLayers(io: Io, options: Pick<RunOptions, "store" | "config">): string[] {
  const section = pickPackSection(loadUserConfig(io, options), "sentiment");
  if (isRecord(section) && section.learnt !== undefined) return [];
  return (["en", "ko"] as const).flatMap((language) => {
    const file = locateLayer(io, options, language);
    if (!existsSync(file)) return [];
    return [`learnt.${language}=${JSON.stringify(`${file}#${digestLayer(readFileSync(file, "utf8"))}`)}`];
  });
}

/** True when the words name a file. A missing file or a folder is an error, never read as a sentence. */
export function isFileName(cwd: string, words: string): boolean {
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
    throw new ParleyError("bad_input", `${words}: there is no such file (to analyse this as a text, add another word)`);
  return false;
}

const endings = [".csv", ".tsv", ".xlsx", ".jsonl", ".ndjson", ".txt"];
