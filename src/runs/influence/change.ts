import { shortenText } from "../../text/short-text.ts";
import { type WhyWords, whyWords } from "./why-words.ts";

/** Where a value stands inside a reply: keys and places in lists. */
export type Path = readonly (string | number)[];

/** One change of what a decision was made from. */
export type Change =
  /** The turn is left out: its speaker abstains. */
  | { kind: "turn"; turn: string }
  /** One item of a list in a reply is left out: a claim, a critique, a quote, an edit. */
  | { kind: "part"; turn: string; path: Path; says: string }
  /** A score in a reply is another. */
  | { kind: "score"; turn: string; path: Path; from: number; to: number }
  | { kind: "setting"; setting: string; from: unknown; to: unknown };

/** True when both can be made at once and mean something together. */
export function canJoin(a: Change, b: Change): boolean {
  if (a.kind === "setting" || b.kind === "setting")
    return a.kind !== "setting" || b.kind !== "setting" || a.setting !== b.setting;
  if (a.turn !== b.turn) return true;
  if (a.kind === "turn" || b.kind === "turn") return false;
  return !startsWith(a.path, b.path) && !startsWith(b.path, a.path);
}

/** A change in words: `1/open/nla is silent`. */
export function describeChange(change: Change, words: WhyWords = whyWords.en): string {
  if (change.kind === "turn") return words.silent(change.turn);
  if (change.kind === "part")
    return words.unsaid(change.turn, `${formatPlace(change.path)}: ${shortenText(change.says, 90)}`);
  if (change.kind === "score")
    return words.scored(change.turn, formatPlace(change.path), {
      from: String(roundScore(change.from)),
      to: String(roundScore(change.to)),
    });
  return words.set(change.setting, { from: JSON.stringify(change.from), to: JSON.stringify(change.to) });
}

/** A place inside a reply as it is written: `claims[2].confidence`. */
export function formatPlace(path: Path): string {
  return path.map((part, at) => (typeof part === "number" ? `[${part}]` : at === 0 ? part : `.${part}`)).join("");
}

function startsWith(path: Path, start: Path): boolean {
  return start.length <= path.length && start.every((part, at) => path[at] === part);
}

function roundScore(value: number): number {
  return Number(value.toPrecision(3));
}
