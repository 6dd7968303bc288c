// Loaded with --import: writes the own modules that a process executed to the file that PARLEY_MODULES names.
import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";

const own = new URL("../../src/", import.meta.url).href;
const seen = new Set();
registerHooks({
  load(url, context, next) {
    if (url.startsWith(own)) seen.add(url.slice(own.length));
    return next(url, context);
  },
});
process.on("exit", () => writeFileSync(process.env.PARLEY_MODULES, [...seen].join("\n")));
