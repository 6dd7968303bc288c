import type { PromptLanguage } from "../../contract/prompt.ts";
import type { DebateResult } from "../../contract/result.ts";
import type { RunStatus } from "../../contract/run.ts";
import type { Turn } from "../../contract/turn.ts";
import { englishSpend, type SpendWords } from "../../text/spend-text.ts";
import { indonesianFrame } from "./frame-words-id.ts";
import { koreanFrame } from "./frame-words-ko.ts";

/** What an exported page says around what the pack and its speakers say: the frame of a page, in one language. */
export type FrameWords = {
  ways: { skip: string; contents: string };
  run: string;
  cast: string;
  seed: string;
  outcomes: Record<DebateResult["outcome"], string>;
  unfinished: string;
  /** How it goes on, by status, with the command that does it between the two. */
  goesOn: Record<Exclude<RunStatus, "finished">, [before: string, after: string]>;
  soFar(turns: number): string;
  answered(answered: number, asked: number): string;
  repaired(turns: number): string;
  abstained(turns: number): string;
  spend: SpendWords;
  debate: string;
  rules: string;
  /** What notes of the rules are called, by their type; its own words where it is not named. */
  notes: Record<string, string>;
  outside: string;
  round(round: number): string;
  turns(turns: number): string;
  statuses: Record<Turn["status"], string>;
  noReply: string;
  reply: string;
  promptAndReply(replies: number): string;
  promptEnds: [before: string, after: string];
  piece(number: number): string;
  after: string;
  prompts: string;
  pieces(count: number): string;
  keptWordForWord: string;
  answers: string;
  linkTo(name: string): string;
  written(version: string, run: string): string;
  journal(entries: number): string;
  checks: string;
  onPaper: string;
  cost: CostWords;
};

type CostWords = {
  title: string;
  cost: string;
  cutOff: string;
  time: string;
  budget: string;
  branched: string;
  at: string;
  none: string;
  notEnded: string;
  reuse: string;
  reused(share: number): string;
  byRole: string;
  role: string;
  player: string;
  figures: string[];
  unknown: string;
  given: string;
  whole: string;
  calls: string;
  tokens: string;
};

const englishFrame: FrameWords = {
  ways: { skip: "to the content", contents: "On this page" },
  run: "run",
  cast: "cast",
  seed: "seed",
  outcomes: {
    decided: "decided",
    undecided: "undecided",
    escalated: "escalated",
    budget_exhausted: "budget exhausted",
    failed: "failed",
  },
  unfinished: "not finished",
  goesOn: {
    waiting: ["a turn waits for a person: ", ""],
    interrupted: ["it was stopped: ", " goes on"],
    running: ["it is running, or its process died: ", " goes on"],
  },
  soFar: (turns) => `${turns} turns so far`,
  answered: (answered, asked) => `${answered} of ${asked} turns answered`,
  repaired: (turns) => `${turns} after a repair`,
  abstained: (turns) => `${turns} abstained`,
  spend: englishSpend,
  debate: "The debate",
  rules: "What the rules decided",
  notes: {},
  outside: "Outside the rounds",
  round: (round) => `Round ${round}`,
  turns: (turns) => `${turns} turn${turns === 1 ? "" : "s"}`,
  statuses: { answered: "answered", repaired: "repaired", salvaged: "salvaged", abstained: "abstained" },
  noReply: "No valid reply: counted as an abstention.",
  reply: "reply",
  promptAndReply: (replies) => `prompt and raw repl${replies > 1 ? "ies" : "y"}`,
  promptEnds: ["The prompt ends with ", "; each piece names the one before it."],
  piece: (number) => `piece ${number}`,
  after: "after",
  prompts: "Prompts",
  pieces: (count) => `${count} pieces, each once; a prompt is its last piece and all before it`,
  keptWordForWord: "kept word for word",
  answers: "answers",
  linkTo: (name) => `link to ${name}`,
  written: (version, run) => `Written by Parley ${version} from run ${run}`,
  journal: (entries) => `journal of ${entries} entries, head`,
  checks: "checks it.",
  onPaper: "Prompts and raw replies are in the file, not on paper.",
  cost: {
    title: "Cost and settings",
    cost: "cost",
    cutOff: "cut off",
    time: "time",
    budget: "budget",
    branched: "branched from",
    at: "at",
    none: "none",
    notEnded: "not ended",
    reuse: "prompt reuse",
    reused: (share) => `${share} % of the prompt tokens repeat a prefix of an earlier prompt`,
    byRole: "Cost by role",
    role: "role",
    player: "player",
    figures: ["turns", "calls", "tokens in", "cached", "tokens out", "USD", "time"],
    unknown: "unknown",
    given: "settings that were given",
    whole: "the whole configuration",
    calls: "calls",
    tokens: "tokens",
  },
};

const frames: Record<PromptLanguage, FrameWords> = { en: englishFrame, id: indonesianFrame, ko: koreanFrame };

/** The frame of a page in a language. */
export function frameOf(language: PromptLanguage): FrameWords {
  return frames[language];
}
