import type { Command } from "commander";
import type { Io } from "./io.ts";

/** Every command by its name, in the order of the help. */
export type Commands = Record<string, CommandEntry>;

/** A command as the top-level help shows it; its code is loaded when it is called. */
export type CommandEntry = {
  /** Under which heading the help lists it; a command without one is not listed. */
  group?: string;
  summary: string;
  /** The pack whose settings it takes, when it is the command of one pack. */
  pack?: string;
  /** Which packs of the configuration it loads; a configuration that is wrong or not trusted stops it unless this is given. */
  ownPacks?: "trusted" | "none";
  load(): Promise<{ command(io: Io, commands: Commands): Command }>;
};

const debate = "Debate";
const afterwards = "Runs";
const worth = "Is it worth it";
const people = "People";
const serving = "Serve";
const setUp = "Set up";

export const commands: Commands = {
  demo: {
    group: debate,
    summary: "run every pack on a bundled example, offline",
    load: () => import("./demo.ts"),
  },
  ask: {
    group: debate,
    summary: "debate a question, with your documents or without",
    pack: "question",
    load: () => import("./ask.ts"),
  },
  sentiment: {
    group: debate,
    summary: "aspect-based sentiment of a text or a file, Korean and English",
    pack: "sentiment",
    load: () => import("./sentiment.ts"),
  },
  law: {
    group: debate,
    summary: "debate a question of Indonesian law, national and adat",
    pack: "law",
    load: () => import("./law.ts"),
  },
  rca: {
    group: debate,
    summary: "find the root cause of an incident in logs, or parse logs",
    pack: "root-cause",
    load: () => import("./rca.ts"),
  },
  run: {
    group: debate,
    summary: "run any pack on a case or a file of cases, or print its prompts",
    load: () => import("./run.ts"),
  },
  runs: {
    group: afterwards,
    summary: "list runs; diff, rm and erase them",
    load: () => import("./runs.ts"),
  },
  show: {
    group: afterwards,
    summary: "show a run again, or explain its decision (--why)",
    load: () => import("./show.ts"),
  },
  resume: { group: afterwards, summary: "continue a run that was stopped", load: () => import("./resume.ts") },
  redecide: {
    group: afterwards,
    summary: "apply the rules again without calling a model; replay recordings in CI",
    load: () => import("./redecide.ts"),
  },
  branch: {
    group: afterwards,
    summary: "start a new run from a step of an earlier one",
    load: () => import("./branch.ts"),
  },
  export: { group: afterwards, summary: "write a run, or a proof of it, to a file", load: () => import("./export.ts") },
  verify: {
    group: afterwards,
    summary: "check that runs were not changed since they were written",
    load: () => import("./verify.ts"),
  },
  study: {
    group: worth,
    summary: "compare debates with cheaper methods: run, advise, certify, lab",
    load: () => import("./study.ts"),
  },
  review: {
    group: people,
    summary: "answer turns and escalated runs that wait for a person",
    load: () => import("./review.ts"),
  },
  serve: {
    group: serving,
    summary: "serve runs, the review inbox and the viewer over HTTP",
    load: () => import("./serve.ts"),
  },
  worker: {
    group: serving,
    summary: "play runs from the queue of a shared store",
    load: () => import("./worker.ts"),
  },
  mcp: { group: serving, summary: "serve debates as MCP tools over stdio", load: () => import("./mcp.ts") },
  doctor: {
    group: setUp,
    summary: "check node, store, keys and endpoints; config, trust, keys",
    ownPacks: "none",
    load: () => import("./doctor.ts"),
  },
  new: {
    group: setUp,
    summary: "set up a project: a configuration, or a pack of your own",
    ownPacks: "trusted",
    load: () => import("./new.ts"),
  },
  store: {
    group: setUp,
    summary: "manage the store of runs: backup, restore, init, copy, fleet",
    load: () => import("./store.ts"),
  },
  kg: {
    group: setUp,
    summary: "manage past incidents: import, list, show, export, learn",
    load: () => import("./kg.ts"),
  },
  completion: {
    summary: "print a completion script for your shell",
    ownPacks: "trusted",
    load: () => import("./completion.ts"),
  },
};
