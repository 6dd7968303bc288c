#!/usr/bin/env node
// Plain JavaScript, so that an older Node can be told what it lacks.
import { existsSync } from "node:fs";
import module from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`Parley needs Node 22.18 or newer; this is ${process.version}.`);
  process.exit(1);
}

const emit = process.emit;
process.emit = function (name, data, ...rest) {
  if (name === "warning" && data?.name === "ExperimentalWarning") return false;
  return emit.call(this, name, data, ...rest);
};
module.enableCompileCache();

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const built = join(root, "dist", "cli.js");
const entry = existsSync(built) ? built : join(root, "src", "cli", "main.ts");
const { runProcess } = await import(pathToFileURL(entry).href);
await runProcess();
