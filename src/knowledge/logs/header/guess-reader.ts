import type { HeadReader } from "./header-format.ts";
import { withLeadingNames } from "./leading-name.ts";
import { plainReader, readers } from "./read-header.ts";
import { TimestampReader } from "./timestamp-reader.ts";

/** A layout must fit at least this share of the lines that could begin an event. */
const enough = 0.3;

/** How a source's lines are read: `main` first, then `others` that fitted some of the first lines. */
export type Guess = { main: HeadReader; others: readonly HeadReader[] };

/** Guesses the layout from the first lines; the best fit wins, the more specific one when several fit as well. */
export function guessReader(lines: readonly string[]): Guess {
  const candidates = lines.filter((line) => /\S/.test(line) && !looksContinued(line));
  const times = new TimestampReader(0);
  const fits = readers
    .map((reader) => ({ reader, hits: candidates.filter((line) => reader.read(line, times) !== null).length }))
    .filter(({ hits }) => hits > 0)
    .sort((a, b) => b.hits - a.hits);
  const best = fits[0];
  if (best === undefined || best.hits < candidates.length * enough) return { main: plainReader, others: [] };
  const top = fits.filter(({ hits }) => hits >= best.hits * 0.95).map(({ reader }) => reader);
  const fitting = readers.find((reader) => top.includes(reader)) ?? best.reader;
  const main = fitting.name === catchAll ? (findPrecise(fits, candidates.length) ?? fitting) : fitting;
  const others = readers.filter((reader) => reader !== main && fits.some((fit) => fit.reader === reader));
  return { main: withLeadingNames(main, candidates) ?? main, others };
}

/** The layout that fits whatever begins with a time, and tells nothing else. */
const catchAll = "iso";

/** Of several layouts in one source, the commonest one that tells more than the time. */
function findPrecise(fits: readonly { reader: HeadReader; hits: number }[], lines: number): HeadReader | undefined {
  return fits.find(({ reader, hits }) => reader.name !== catchAll && hits >= lines * enough)?.reader;
}

const continued = /^(?:\s+\S|at |Caused by:|\.\.\. \d+ more|Traceback |[})\]]|[\w.$]+(?:Exception|Error)(?::|$))/;

/** Lines that look like a continuation of the event before: indented, frames of a stack, an exception, closing brackets. */
export function looksContinued(line: string): boolean {
  return continued.test(line);
}
