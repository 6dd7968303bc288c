#!/usr/bin/env node
// Runs the command line on Node 22.18 or newer: this process when it is new enough, else the Node that npm installed beside us.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const built = join(root, "dist", "cli.js");
const entry = existsSync(built) ? built : join(root, "src", "cli", "main.ts");

const [major, minor] = process.versions.node.split(".").map(Number);

if (major > 22 || (major === 22 && minor >= 18)) {
  const emit = process.emit;
  process.emit = function (name, data, ...rest) {
    if (name === "warning" && data?.name === "ExperimentalWarning") return false;
    return emit.call(this, name, data, ...rest);
  };
  module.enableCompileCache();
  const { runProcess } = await import(pathToFileURL(entry).href);
  await runProcess();
} else {
  const node = bundledNode();
  if (!node) {
    console.error(
      `Parley needs Node 22.18 or newer; this is ${process.version}, and no newer Node was installed beside it.`,
    );
    process.exit(1);
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.once("exit", (status, signal) => {
    if (!signal) process.exit(status ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function bundledNode() {
  try {
    const require = module.createRequire(import.meta.url);
    const manifest = require.resolve(`node-${process.platform}-${process.arch}/package.json`);
    const node = join(dirname(manifest), "bin", "node");
    return existsSync(node) ? node : null;
  } catch {
    return null;
  }
}
