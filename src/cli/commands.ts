import type { Command } from "commander";
import type { Io } from "./io.ts";

export type Commands = Record<string, CommandEntry>;

/** A command in the top-level help; its code is loaded when it is called. */
export type CommandEntry = {
  group: string | null;
  summary: string;
  load(): Promise<{ command(io: Io, commands: Commands): Command }>;
  /** The user's packs it loads; with "all", untrusted ones stop the command. */
  ownPacks: "all" | "trusted" | "none";
};

function entry(
  group: string | null,
  summary: string,
  load: CommandEntry["load"],
  ownPacks: CommandEntry["ownPacks"] = "all",
): CommandEntry {
  return { group, summary, load, ownPacks };
}

export const commands: Commands = {
  demo: entry("Debate", "run every pack on a bundled example, offline", () => import("./demo.ts")),
  ask: entry("Debate", "debate a question, with your documents or without", () => import("./ask.ts")),
  sentiment: entry(
    "Debate",
    "find the sentiment toward each aspect of a text or file, Korean or English",
    () => import("./sentiment.ts"),
  ),
  law: entry("Debate", "debate a question of Indonesian law, national and adat", () => import("./law.ts")),
  rca: entry("Debate", "find the root cause of an incident in logs, or parse logs", () => import("./rca.ts")),
  run: entry("Debate", "run any pack on a case or a file of cases, or print its prompts", () => import("./run.ts")),
  runs: entry("Runs", "list, compare, remove or erase runs", () => import("./runs.ts")),
  show: entry("Runs", "show a run again, or explain its decision (--why)", () => import("./show.ts")),
  resume: entry("Runs", "continue a run that was stopped", () => import("./resume.ts")),
  redecide: entry(
    "Runs",
    "apply the rules again without a model; replay recordings in CI",
    () => import("./redecide.ts"),
  ),
  branch: entry("Runs", "start a new run from a step of an earlier one", () =>
    import("./resume.ts").then(({ branch }) => ({ command: branch })),
  ),
  export: entry("Runs", "write a run, or a proof of it, to a file", () => import("./export.ts")),
  verify: entry("Runs", "check that runs have not been changed since they were written", () => import("./verify.ts")),
  study: entry(
    "Is it worth it",
    "compare debates with cheaper methods: run, advise, certify, lab",
    () => import("./study.ts"),
  ),
  review: entry(
    "People",
    "answer turns that wait for a person, and rule on escalated runs",
    () => import("./review.ts"),
  ),
  serve: entry("Serve", "serve runs, the review inbox and the viewer over HTTP", () => import("./serve.ts")),
  worker: entry("Serve", "run debates from the queue of a shared store", () => import("./worker.ts")),
  mcp: entry("Serve", "serve debates as MCP tools over stdio", () => import("./mcp.ts")),
  doctor: entry(
    "Set up",
    "check the setup, the configuration and keys; trust a folder",
    () => import("./doctor.ts"),
    "none",
  ),
  new: entry("Set up", "set up a project: a configuration, or a pack of your own", () => import("./new.ts"), "trusted"),
  store: entry("Set up", "manage the store of runs: init, copy, fleet", () => import("./store.ts")),
  kg: entry("Set up", "manage the knowledge graph of past incidents", () => import("./kg.ts")),
  completion: entry(null, "print a completion script for your shell", () => import("./completion.ts"), "trusted"),
};

const aliases: Record<string, string> = { init: "new" };

export function findCommand(name: string): CommandEntry | undefined {
  const own = Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
  return Object.hasOwn(commands, own) ? commands[own] : undefined;
}
