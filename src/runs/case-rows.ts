import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { ParleyError } from "../contract/error.ts";

export type CaseRow = { id: string; line: number; input: unknown; problem: string | null };

/** Reads JSON Lines one by one; a bad row is yielded with its problem, and ids must not repeat. */
export async function* readCaseRows(file: string, stream?: Readable): AsyncGenerator<CaseRow> {
  const input = stream ?? createReadStream(file);
  const seen = new Set<string>();
  let line = 0;
  try {
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      line += 1;
      const trimmed = (line === 1 ? text.replace(/^\uFEFF/, "") : text).trim();
      if (trimmed === "") continue;
      const row = readRow(trimmed, line, file);
      if (seen.has(row.id)) yield { ...row, problem: `${file}:${line}: the id "${row.id}" was used by an earlier row` };
      else yield row;
      seen.add(row.id);
    }
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code === "ENOENT" ? "there is no such file" : (cause as Error).message;
    throw new ParleyError("bad_input", `${file}: ${why}`, { cause });
  }
}

export async function countLines(file: string): Promise<number> {
  let count = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY }))
    if (line.trim() !== "") count += 1;
  return count;
}

export async function checkCaseFile(file: string, resultsFile: string | null): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (!found) throw new ParleyError("bad_input", `${file}: there is no such file`);
  if (found.isDirectory()) throw new ParleyError("bad_input", `${file}: that is a folder; give one file of JSON Lines`);
  const results = resultsFile === null ? null : await stat(resultsFile).catch(() => null);
  if (results && results.ino === found.ino && results.dev === found.dev && results.isFile())
    throw new ParleyError("bad_input", `--out ${file}: the results would replace the cases; give another file`);
}

function readRow(text: string, line: number, file: string): CaseRow {
  try {
    const input: unknown = JSON.parse(text);
    const id = (input as { id?: unknown } | null)?.id;
    return {
      id: typeof id === "string" || typeof id === "number" ? String(id) : String(line),
      line,
      input,
      problem: null,
    };
  } catch (error) {
    return {
      id: String(line),
      line,
      input: null,
      problem: `${file}:${line}: not valid JSON: ${(error as Error).message}; a line is one case as a JSON object`,
    };
  }
}

/** Maps several items at once and yields results in order. Never runs far ahead of its reader, and ends only when everything it began has settled. */
export async function* mapInOrder<T, R>(
  items: AsyncIterable<T>,
  concurrency: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const pending: Promise<R>[] = [];
  const ahead = concurrency * 4;
  const turnstile = createTurnstile(concurrency);
  let failed = false;
  try {
    for await (const item of items) {
      await turnstile.enter();
      if (failed) break;
      const done = work(item).finally(turnstile.leave);
      done.catch(() => (failed = true));
      pending.push(done);
      while (pending.length >= ahead) yield await (pending.shift() as Promise<R>);
    }
    for (const done of pending) yield await done;
  } finally {
    await Promise.allSettled(pending);
  }
}

export function createTurnstile(width: number) {
  let inside = 0;
  const waiting: (() => void)[] = [];
  return {
    async enter(): Promise<void> {
      if (inside < width) inside += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    leave(): void {
      const next = waiting.shift();
      if (next) next();
      else inside -= 1;
    },
  };
}
