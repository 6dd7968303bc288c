// Loaded with --import: a version that has lost its readers. Whoever asks one of them gets an error.
import { readFileSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";

const namesIn = (source) =>
  [...source.matchAll(/^export \{([^}]*)\}/gm)]
    .flatMap(([, list]) => list.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "));

const shut = (url) => {
  const source = readFileSync(fileURLToPath(url), "utf8");
  const shapes = source.match(/^export \* from .*$/gm) ?? [];
  const readers = namesIn(source).map(
    (name) =>
      `export const ${name} = typeof real.${name} === "function" ? () => { throw new Error("${name} was asked") } : real.${name};`,
  );
  return ['import * as real from "./index.ts?real";', ...shapes, ...readers].join("\n");
};

module.registerHooks({
  load: (url, context, next) =>
    /\/src\/knowledge\/\w+\/index\.ts$/.test(url)
      ? { format: "module", source: shut(url), shortCircuit: true }
      : next(url, context),
});
