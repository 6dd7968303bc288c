import type { Command } from "commander";
import type { Io } from "./io.ts";

/** Every command by its name, in the order of the help. */
export type Commands = Record<string, CommandEntry>;

/** A command as the top-level help shows it; its code is loaded when it is called. */
export type CommandEntry = {
  summary: string;
  /** The pack whose settings it takes, when it is the command of one pack. */
  pack?: string;
  /** Which packs of the configuration it loads; a configuration that is wrong or not trusted stops it unless this is given. */
  ownPacks?: "trusted" | "none";
  load(): Promise<{ command(io: Io, commands: Commands): Command }>;
};
