import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { defineConfig } from "tsdown";
import { writeNotices } from "./scripts/write-notices.ts";

const source = `${import.meta.dirname}/src/`;

/** Modules find their prompts and data from where they stand in src/; bundled ones are told where that would be in dist/. */
const keepPlaces = {
  name: "keep-places",
  transform(code: string, id: string) {
    if (!id.startsWith(source) || !code.includes("import.meta.url")) return null;
    const place = `./${relative(source, id).replace(/\.ts$/, ".js")}`;
    return code.replaceAll("import.meta.url", `new URL(${JSON.stringify(place)}, import.meta.url).href`);
  },
};

/** Declarations of the JSON files that modules import: the compiler writes none for them. */
const declareJson = {
  name: "declare-json",
  resolveId: {
    order: "pre" as const,
    handler(source: string, importer: string | undefined) {
      if (!source.endsWith(".json") || !importer?.endsWith(".d.ts")) return null;
      return `${resolve(dirname(importer), source).replace(/\.json$/, "")}.json.d.ts`;
    },
  },
  load: {
    order: "pre" as const,
    handler(id: string) {
      if (!id.endsWith(".json.d.ts")) return null;
      const value: unknown = JSON.parse(readFileSync(id.replace(/\.d\.ts$/, ""), "utf8"));
      return `declare const value: ${describeType(value)};\nexport default value;\n`;
    },
  },
};

function describeType(value: unknown): string {
  if (Array.isArray(value)) return `(${value.length === 0 ? "never" : describeType(value[0])})[]`;
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  const fields = Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}: ${describeType(part)}`);
  return `{ ${fields.join("; ")} }`;
}

/** What nearly every command needs at once: as many small files it would take longer to find than to run. */
const atStart = [/^zod(\/|$)/, /^@ai-sdk\//, /^csv-parse/, "commander", "htmlparser2", "wink-nlp"];

/**
 * What so many entry points and commands share is one file: as many small ones would take longer to find than to read.
 * The way to a command or the help is left out, since neither needs the rest.
 */
const shared = {
  name: "shared",
  test: /\/src\/(?!cli\/|contract\/error|text\/(?:similar|format)\.)/,
  minShareCount: 12,
  includeDependenciesRecursively: false,
};

/** One file for each entry point, and what they share beside them: all flat in dist/, so that every chunk stands in the same place; only a process of its own, and what is loaded when it is first needed, stand where their starters look for them. */
export default defineConfig({
  entry: {
    cli: "src/cli/main.ts",
    index: "src/index.ts",
    question: "src/packs/question/index.ts",
    sentiment: "src/packs/sentiment/index.ts",
    "root-cause": "src/packs/root-cause/index.ts",
    law: "src/packs/law/index.ts",
    studies: "src/studies/index.ts",
    "knowledge/files/reader-process": "src/knowledge/files/reader-process.ts",
    "knowledge/opinions/english/tagger": "src/knowledge/opinions/english/tagger.ts",
  },
  plugins: [declareJson, keepPlaces, writeNotices("notices.txt")],
  platform: "node",
  deps: { alwaysBundle: atStart, dts: { alwaysBundle: [], neverBundle: atStart } },
  format: "esm",
  tsconfig: "tsconfig.build.json",
  // The viewer is built at the same time (scripts/check.ts), into a folder of its own.
  clean: ["dist/**", "!dist/web", "!dist/web/**", "!dist/page", "!dist/page/**"],
  outputOptions: { codeSplitting: { groups: [shared] } },
  dts: true,
  copy: [{ from: ["src/**/*.md", "src/**/*.json"], to: "dist", flatten: false }],
  outExtensions: () => ({ js: ".js", dts: ".d.ts" }),
});
