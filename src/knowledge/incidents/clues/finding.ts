import type { Category } from "../schemas/incident.ts";
import type { LogEvent } from "../../logs/index.ts";
import type { Sign } from "./match-signs.ts";

/** A line that shows something, as it can be quoted. */
export type CitedLine = { line: number; file: string | null; quote: string; timestamp: number | null };

/** Something that the log shows about a fault, with how much it says and the lines that show it. */
export type Finding = {
  /** The sign, or what the analysis looked for: `new_errors`, `slow_hop`, `slow_work`, `peer_cut`, `broken_flow`. */
  sign: string;
  category: Category;
  /** What it says of a fault; `context` is what else was going on. */
  role: Sign["role"] | "context";
  /** How far this settles its category, 0..1. */
  strength: number;
  /** Where to look: a host, peer, service or component; null when the log does not say. */
  place: string | null;
  says: string;
  lines: CitedLine[];
  /** The templates that it accounts for, and the words of the first ones. */
  templates: string[];
  texts?: string[];
  /** What the most telling line says, in its own words, and who says it. */
  words?: string;
  speaker?: string;
  count: number;
  firstMs: number | null;
  resolution: string[];
  /** Signs that would be effects of this one. */
  leadsTo?: string[];
  /** How much speaks for a change, or a line that was said seldom, to be what the trouble came from. */
  weight?: number;
};

/** The first line of an event, as it can be quoted. */
export function citeEvent({ line, file, raw, timestamp }: LogEvent): CitedLine {
  return { line, file, quote: (raw.split("\n")[0] ?? raw).trim(), timestamp };
}

/** The joint strength of independent findings: 1 − Π(1 − strength). */
export function combineStrengths(strengths: number[]): number {
  return 1 - strengths.reduce((left, strength) => left * (1 - Math.min(Math.max(strength, 0), 0.99)), 1);
}
