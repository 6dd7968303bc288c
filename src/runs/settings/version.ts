import { readFileSync } from "node:fs";

/** This Parley's version, as its package says. */
export const version: string = (
  JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as { version: string }
).version;
