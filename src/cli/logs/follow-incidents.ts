import { resolve } from "node:path";
import { ParleyError } from "../../contract/error.ts";
import {
  type FollowedLines,
  followFile,
  LineBuffer,
  type ParsedLog,
  parseLines,
  readTopology,
  watchIncidents,
} from "../../knowledge/logs/index.ts";
import type { Io } from "../terminal/io.ts";

export type FollowOptions = { follow?: boolean; incidents?: number; format?: string; topology?: string };

const mostIncidents = 10;
/** Tokens of telling events, as for a log that is read at once. */
const keptTokens = 40_000;

/** Follows one log and hands on what it had last whenever errors burst, until the signal, the end or the limit. */
export async function followIncidents(
  io: Io,
  logs: readonly string[],
  options: FollowOptions,
  debate: (log: ParsedLog) => Promise<void>,
): Promise<void> {
  const [name] = logs;
  if (name === undefined || logs.length > 1)
    throw new ParleyError("bad_input", "--follow takes one file, or - for standard input");
  const topology = options.topology === undefined ? undefined : await readTopology(options.topology, io.cwd);
  const most = options.incidents ?? mostIncidents;
  const source = name === "-" ? followInput(io.stdin) : followFile(resolve(io.cwd, name), io.signal);
  io.err(`parley: following ${name === "-" ? "standard input" : name}; waiting for errors to burst\n`);
  let seen = 0;
  for await (const { lines, firstLine } of watchIncidents(source, Date.now)) {
    if (io.signal.aborted) return;
    seen += 1;
    io.err(`parley: errors burst; incident ${seen} of at most ${most}\n`);
    const reading = { name, firstLine, format: options.format, nowMs: Date.now(), budgetTokens: keptTokens };
    await debate({ ...(await parseLines(lines, reading)), ...(topology && { topology }) });
    if (seen >= most) return;
  }
}

/** Everything that comes in is new. */
async function* followInput(stdin: AsyncIterable<Uint8Array>): AsyncGenerator<FollowedLines> {
  const buffer = new LineBuffer();
  for await (const chunk of stdin) {
    const lines = buffer.add(chunk);
    if (lines.length > 0) yield { lines, old: false };
  }
}
