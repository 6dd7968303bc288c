import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ParleyError } from "../../contract/error.ts";
import { digestLayer, parseLayer } from "../../knowledge/opinions/index.ts";
import type { LanguageCode } from "../../packs/sentiment/index.ts";
import { pickPackSection } from "../../runs/settings/user-config.ts";
import { isRecord } from "../../text/is-record.ts";
import { loadUserConfig, locateStore } from "../setting/setting.ts";
import type { Io } from "../terminal/io.ts";
import type { RunOptions } from "../setting/options.ts";
import type { SentimentOptions } from "./sentiment-options.ts";

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
