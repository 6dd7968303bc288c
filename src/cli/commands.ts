import type { Command } from "commander";
import type { Io } from "./io.ts";

/** A command, whose code is loaded when it is called; data/help.md says what it does. */
export type CommandEntry = {
  load(): Promise<{ command(io: Io): Command }>;
  /** The user's packs it loads; with "all", untrusted ones stop the command. */
  ownPacks: "all" | "trusted" | "none";
};

const entry = (load: CommandEntry["load"], ownPacks: CommandEntry["ownPacks"] = "all"): CommandEntry => ({
  load,
  ownPacks,
});

export const commands: Record<string, CommandEntry> = {
  demo: entry(() => import("./demo.ts")),
  ask: entry(() => import("./ask.ts")),
  sentiment: entry(() => import("./sentiment.ts")),
  law: entry(() => import("./law.ts")),
  rca: entry(() => import("./rca.ts")),
  run: entry(() => import("./run.ts")),
  runs: entry(() => import("./runs.ts")),
  show: entry(() => import("./show.ts")),
  resume: entry(() => import("./resume.ts")),
  redecide: entry(() => import("./redecide.ts")),
  branch: entry(async () => ({ command: (await import("./resume.ts")).branch })),
  export: entry(() => import("./export.ts")),
  verify: entry(() => import("./verify.ts")),
  study: entry(() => import("./study.ts")),
  review: entry(() => import("./review.ts")),
  serve: entry(() => import("./serve.ts")),
  worker: entry(() => import("./worker.ts")),
  mcp: entry(() => import("./mcp.ts")),
  doctor: entry(() => import("./doctor.ts"), "none"),
  new: entry(() => import("./new.ts"), "trusted"),
  store: entry(() => import("./store.ts")),
  kg: entry(() => import("./kg.ts")),
  completion: entry(() => import("./completion.ts"), "trusted"),
};

export function findCommand(name: string): CommandEntry | undefined {
  return Object.hasOwn(commands, name) ? commands[name] : undefined;
}
