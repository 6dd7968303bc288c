import type { Command } from "commander";
import type { Io } from "./io.ts";

export type Commands = Record<string, CommandEntry>;

/** A command as the top-level help shows it; its code is loaded when it is called. */
export type CommandEntry = {
  /** The heading it is listed under; a command without one is not listed. */
  group: string | null;
  summary: string;
  load(): Promise<{ command(io: Io, commands: Commands): Command }>;
  /** Which packs of the configuration it loads: untrusted ones stop a command that loads all. */
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

const debate = "Debate";
const ran = "Runs";
const worth = "Is it worth it";
const people = "People";
const serving = "Serve";
const setUp = "Set up";

export const commands: Commands = {
  demo: entry(debate, "run every pack on a bundled example, offline", () => import("./demo.ts")),
  ask: entry(debate, "debate a question, with your documents or without", () => import("./ask.ts")),
  sentiment: entry(
    debate,
    "aspect-based sentiment of a text or a file, Korean and English",
    () => import("./sentiment.ts"),
  ),
  law: entry(debate, "debate a question of Indonesian law, national and adat", () => import("./law.ts")),
  rca: entry(debate, "find the root cause of an incident in logs, or parse logs", () => import("./rca.ts")),
  run: entry(debate, "run any pack on a case or a file of cases, or print its prompts", () => import("./run.ts")),
  runs: entry(ran, "list runs; diff, rm and erase them", () => import("./runs.ts")),
  show: entry(ran, "show a run again, or explain its decision (--why)", () => import("./show.ts")),
  resume: entry(ran, "continue a run that was stopped", () => import("./resume.ts")),
  redecide: entry(ran, "apply the rules again without a model; replay recordings in CI", () => import("./redecide.ts")),
  branch: entry(ran, "start a new run from a step of an earlier one", () =>
    import("./resume.ts").then(({ branch }) => ({ command: branch })),
  ),
  export: entry(ran, "write a run, or a proof of it, to a file", () => import("./export.ts")),
  verify: entry(ran, "check that runs were not changed since they were written", () => import("./verify.ts")),
  study: entry(worth, "compare debates with cheaper methods: run, advise, certify, lab", () => import("./study.ts")),
  review: entry(people, "answer turns and escalated runs that wait for a person", () => import("./review.ts")),
  serve: entry(serving, "serve runs, the review inbox and the viewer over HTTP", () => import("./serve.ts")),
  worker: entry(serving, "play runs from the queue of a shared store", () => import("./worker.ts")),
  mcp: entry(serving, "serve debates as MCP tools over stdio", () => import("./mcp.ts")),
  doctor: entry(
    setUp,
    "check node, store, keys and endpoints; config, trust, keys",
    () => import("./doctor.ts"),
    "none",
  ),
  new: entry(setUp, "set up a project: a configuration, or a pack of your own", () => import("./new.ts"), "trusted"),
  store: entry(setUp, "manage the store of runs: init, copy, fleet", () => import("./store.ts")),
  kg: entry(setUp, "manage past incidents: import, list, query, learn", () => import("./kg.ts")),
  completion: entry(null, "print a completion script for your shell", () => import("./completion.ts"), "trusted"),
};

const aliases: Record<string, string> = { init: "new" };

export function findCommand(name: string): CommandEntry | undefined {
  const own = Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
  return Object.hasOwn(commands, own) ? commands[own] : undefined;
}
