import { resolve } from "node:path";
import type { Io } from "../terminal/io.ts";
import type { RunOptions } from "./options.ts";
import { userConfig } from "./setting.ts";

/** The folder of the store: `--store`, else the config's, else `.parley` here. */
export function storeFolder(io: Io, options: Pick<RunOptions, "store" | "config">): string {
  return resolve(io.cwd, options.store ?? userConfig(io, options).store ?? ".parley");
}
