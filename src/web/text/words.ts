import type { Outcome } from "../../contract/result.ts";
import type { RunStatus } from "../../contract/run.ts";
import type { Tone } from "../../contract/view.ts";

export function sayName(name: string): string {
  return name.replaceAll(/_+|(?<=\p{Ll})-(?=\p{Ll})/gu, " ").replaceAll(/(?<=\p{L}{2})(?=\d+\b)/gu, " ");
}

type Said = { word: string; tone: Tone };

export const statusWords: Record<RunStatus, Said> = {
  running: { word: "running", tone: "neutral" },
  waiting: { word: "waits for a person", tone: "warn" },
  interrupted: { word: "interrupted", tone: "warn" },
  finished: { word: "finished", tone: "neutral" },
};

export const outcomeWords: Record<Outcome, Said> = {
  decided: { word: "decided", tone: "good" },
  undecided: { word: "undecided", tone: "warn" },
  escalated: { word: "needs a person", tone: "warn" },
  budget_exhausted: { word: "budget spent", tone: "warn" },
  failed: { word: "failed", tone: "bad" },
};

export function sayOutcome(status: RunStatus, outcome: Outcome | null): Said {
  return outcome === null ? statusWords[status] : outcomeWords[outcome];
}

export function showHidden(text: string): string {
  return text.replaceAll(
    /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g,
    (mark) => `⟨U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
}

export function guessLang(text: string): string | undefined {
  if (/[\uAC00-\uD7A3]/.test(text)) return "ko";
  return /\b(?:yang|dan|tidak|menurut|adalah|dengan|untuk)\b/i.test(text) ? "id" : undefined;
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const exact = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

export function formatAge(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  const unit = units.find(([, size]) => Math.abs(seconds) >= size);
  return unit ? relative.format(Math.round(seconds / unit[1]), unit[0]) : "just now";
}

export function formatTime(iso: string): string {
  return exact.format(new Date(iso));
}

const token = /"((?:[^"\\]|\\.)*)("|\\?$)\s*(:)?|-?\d+(?:\.\d+)?|true|false/g;
const escapes: Record<string, string> = { n: "\n", t: "\t", r: "", b: "", f: "" };

/** The text of a reply that is still streaming: JSON without punctuation, each key before its value. */
export function readPartial(raw: string): string {
  if (!/^\s*(?:```(?:json)?\s*)?[{[]/.test(raw)) return raw;
  const lines: string[] = [];
  let key = "";
  for (const match of raw.matchAll(token)) {
    const [whole, text, end, colon] = match;
    const isLast = match.index + whole.length >= raw.length;
    if (colon) key = sayName(text ?? "");
    // The string just closed may turn out to be a key.
    else if (isLast && end === '"') continue;
    else {
      const said = text === undefined ? whole : unescape(text);
      if (said !== "") lines.push(key === "" ? said : `${key}: ${said}`);
      key = "";
    }
  }
  return lines.join("\n");
}

function unescape(text: string): string {
  return text.replaceAll(/\\(u[0-9a-fA-F]{4}|.)/g, (_, mark: string) =>
    mark.length === 5 ? String.fromCharCode(Number.parseInt(mark.slice(1), 16)) : (escapes[mark] ?? mark),
  );
}

const many = 4;
const perKind = 3;

/** Keeps the first of each kind and anything unusual in sight; the rest of a kind may be folded. */
export function foldAlike<T>(
  things: readonly T[],
  kindOf: (thing: T) => string,
  isApart: (thing: T) => boolean,
): { shown: T[]; alike: T[] } {
  const alike = [...Map.groupBy(things, kindOf).values()].flatMap((kind) =>
    kind.slice(perKind).filter((thing) => !isApart(thing)),
  );
  if (things.length <= many || alike.length < 2) return { shown: [...things], alike: [] };
  return { shown: things.filter((thing) => !alike.includes(thing)), alike };
}

export function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  const space = cut.lastIndexOf(" ");
  return `${space > most / 2 ? cut.slice(0, space) : cut}…`;
}
