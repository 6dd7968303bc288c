import type { Commands } from "./terminal/command-entry.ts";

/** Every command, in the order of the help. */
export const commands: Commands = {
  demo: { summary: "run every pack on a bundled example, offline", load: () => import("./commands/demo.ts") },
  ask: {
    summary: "debate a question, over documents if you give some",
    pack: "question",
    load: () => import("./commands/ask.ts"),
  },
  sentiment: {
    summary: "aspect-based sentiment of a text or a file, Korean and English",
    pack: "sentiment",
    load: () => import("./commands/sentiment.ts"),
  },
  law: {
    summary: "debate a question of Indonesian law, national and adat",
    pack: "law",
    load: () => import("./commands/law.ts"),
  },
  rca: {
    summary: "find the root cause of an incident in logs",
    pack: "root-cause",
    load: () => import("./commands/rca.ts"),
  },
  kg: { summary: "past incidents: import, list, show, export, learn", load: () => import("./commands/kg.ts") },
  logs: { summary: "take logs apart: templates, errors, timeline", load: () => import("./commands/logs.ts") },
  run: { summary: "run any pack on a case, or on a file of cases", load: () => import("./commands/run.ts") },
  prompt: {
    summary: "print what a model would be sent for a case, and the schema",
    load: () => import("./commands/prompt.ts"),
  },
  runs: { summary: "list runs", load: () => import("./commands/runs.ts") },
  show: { summary: "show a run again", load: () => import("./commands/show.ts") },
  resume: { summary: "go on with a run that was stopped", load: () => import("./commands/resume.ts") },
  redecide: {
    summary: "run the rules again with other settings, without a call",
    load: () => import("./commands/redecide.ts"),
  },
  why: {
    summary: "what a decision hangs on: turns, quotes, scores, settings",
    load: () => import("./commands/why.ts"),
  },
  branch: { summary: "go another way from a step of a run", load: () => import("./commands/branch.ts") },
  diff: { summary: "compare two runs", load: () => import("./commands/diff.ts") },
  verify: { summary: "check that runs are as they were written", load: () => import("./commands/verify.ts") },
  rm: { summary: "remove runs and free their space", load: () => import("./commands/rm.ts") },
  erase: {
    summary: "erase what runs were about and what was said in them",
    load: () => import("./commands/erase.ts"),
  },
  export: { summary: "write a run to a file", load: () => import("./commands/export.ts") },
  ci: { summary: "replay recorded runs: which decisions flip today?", load: () => import("./commands/ci.ts") },
  keys: { summary: "the key that signs proofs of runs", ownPacks: "none", load: () => import("./commands/keys.ts") },
  study: {
    summary: "is the debate worth it? arms, controls, statistics, report",
    load: () => import("./commands/study.ts"),
  },
  advise: {
    summary: "a pilot on your data: is a debate worth it there, and what would it cost?",
    load: () => import("./commands/advise.ts"),
  },
  certify: {
    summary: "which decisions may be acted on, with a bound on those that are wrong",
    load: () => import("./commands/certify.ts"),
  },
  lab: {
    summary: "when does a debate pay? protocols on speakers of known quality",
    load: () => import("./commands/lab.ts"),
  },
  review: { summary: "answer what waits for a person", load: () => import("./commands/review.ts") },
  serve: {
    summary: "serve runs, the review inbox and the viewer over HTTP",
    load: () => import("./commands/serve.ts"),
  },
  worker: { summary: "play runs from the queue of a shared store", load: () => import("./commands/worker.ts") },
  fleet: { summary: "workers, queue, limits and spend of a shared store", load: () => import("./commands/fleet.ts") },
  store: { summary: "lay out a shared store, or copy runs to another", load: () => import("./commands/store.ts") },
  doctor: {
    summary: "check node, store, keys and endpoints",
    ownPacks: "trusted",
    load: () => import("./commands/doctor.ts"),
  },
  trust: {
    summary: "let a folder's configuration use your keys and run its packs",
    ownPacks: "none",
    load: () => import("./commands/trust.ts"),
  },
  mcp: { summary: "serve debates as MCP tools over stdio", load: () => import("./commands/mcp.ts") },
  new: {
    summary: "write the beginning of a pack of your own",
    ownPacks: "trusted",
    load: () => import("./commands/new.ts"),
  },
  completion: {
    summary: "print a completion script for your shell",
    ownPacks: "trusted",
    load: () => import("./commands/completion.ts"),
  },
  config: {
    summary: "check the configuration, or print its JSON schema",
    ownPacks: "trusted",
    load: () => import("./commands/config.ts"),
  },
};
