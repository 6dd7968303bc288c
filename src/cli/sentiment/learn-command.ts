import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Command, Option } from "commander";
import { ParleyError } from "../../contract/error.ts";
import {
  defaultLayers,
  type Layer,
  type Learnt,
  type Lesson,
  learnLayer,
  makeLessons,
  openLayer,
  parseLayer,
} from "../../knowledge/opinions/index.ts";
import type { LanguageCode } from "../../packs/sentiment/index.ts";
import { replaceFile } from "../../store/replace-file.ts";
import { withStoreOption } from "../setting/options.ts";
import type { Io } from "../terminal/io.ts";
import { locateLayer, readLayerText } from "./chosen-layers.ts";
import { type Comparison, compareLayers } from "./compare-layers.ts";
import { type LabelledFile, readLabelledFile } from "./labelled-file.ts";
import { formatLearnt } from "./learn-text.ts";

type LearnOptions = {
  base?: string;
  model?: string;
  lang?: LanguageCode;
  store?: string;
  config?: string;
  json?: boolean;
};

/** `parley sentiment learn LABELLED` */
export function createLearnCommand(io: Io): Command {
  return withStoreOption(new Command("learn"))
    .description(
      "Teaches the expert from labelled texts: fits a layer over its readings, measures it, and keeps it if it is better.",
    )
    .argument("<labelled>", "a .jsonl or .csv file of texts with labelled aspects")
    .option("--base <layer>", 'start from a layer: "default" or a file')
    .option("--model <file>", "where to write the layer (default: the project's store, where it is used from then on)")
    .addOption(new Option("--lang <code>", "learn from the texts of this language").choices(["ko", "en"]))
    .option("--config <file>", "configuration file, for the place of the store")
    .option("--json", "print the figures as JSON")
    .addHelpText("after", examples)
    .action((file: string, options: LearnOptions) => learn(io, readLabelledFile(io, file, options.lang), options));
}

function learn(io: Io, file: LabelledFile, options: LearnOptions): void {
  const { language, texts, name } = file;
  const target = options.model === undefined ? locateLayer(io, options, language) : resolve(io.cwd, options.model);
  const rival = findRival(target, language);
  const base = options.base === undefined ? null : openBase(io, options.base, language);
  const lessons: Lesson[] = makeLessons(texts, language);
  const source = { name, licence: null, texts: texts.length, aspects: lessons.length };
  const learnt = learnLayer(lessons, { language, base, sources: [source] });
  const comparison = compareLayers(lessons, learnt, rival);
  if (options.json) io.out(`${JSON.stringify({ ...comparison, figures: learnt.layer.figures }, null, 2)}\n`);
  else io.out(formatLearnt(file, learnt, comparison));
  refuseWorse(learnt, comparison, rival);
  replaceFile(target, learnt.text);
  const size = `${learnt.layer.weights.size} weights, ${Math.ceil(Buffer.byteLength(learnt.text) / 1000)} kB`;
  const use = options.model === undefined ? "used here from now on" : `use it with --model ${options.model}`;
  io.err(`written: ${target} (${size}); ${use}\n`);
}

/** What the new layer would take the place of: the one at its target, else the one that ships, else the rules. */
function findRival(target: string, language: LanguageCode): { name: string; layer: Layer | null } {
  if (existsSync(target)) return { name: "the layer that is there", layer: parseLayer(readLayerText(target), target) };
  return { name: "the layer that ships", layer: openLayer(defaultLayers[language], language) };
}

function openBase(io: Io, name: string, language: LanguageCode): Layer | null {
  return openLayer(name === "default" ? name : resolve(io.cwd, name), language);
}

/** Too few unseen aspects say nothing about a layer; then its own figures count. */
const fewest = 30;

/** A layer that measures worse than what is in use is not written. */
function refuseWorse({ layer }: Learnt, { gain, contenders }: Comparison, rival: { layer: Layer | null }): void {
  const refuse = (why: string) => {
    throw new ParleyError("bad_input", `not written: ${why}; more or other labelled texts may help, or --base default`);
  };
  const rules = Math.max(...contenders.slice(0, 2).map(({ accuracy }) => accuracy.estimate));
  if (layer.figures.accuracy < rules)
    refuse(
      `the rules are right more often (${rules.toFixed(3)}) than what was learnt (${layer.figures.accuracy.toFixed(3)})`,
    );
  if (gain.aspects >= fewest) {
    if (gain.difference.estimate < 0) refuse(`${gain.over} is right more often`);
  } else if (rival.layer && layer.figures.accuracy < rival.layer.figures.accuracy)
    refuse(
      `${gain.over} measured ${rival.layer.figures.accuracy.toFixed(3)} when it was learnt, this one ${layer.figures.accuracy.toFixed(3)}`,
    );
}

const examples = `
Examples:
  parley sentiment learn reviews.labelled.jsonl --base default
  parley sentiment learn reviews.csv --lang ko --model layers/phones.json
  parley sentiment texts.jsonl --model layers/phones.json`;
