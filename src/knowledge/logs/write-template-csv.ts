import { createWriteStream, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ParseSession, type ParseOptions } from "./parse-logs.ts";
import type { ParsedLog } from "../../contract/parsed-log.ts";
import { findSources, type FoundSource } from "./read/find-sources.ts";
import { guardFormula } from "../../text/spreadsheet-cell.ts";

const header = ["LineId", "EventId", "EventTemplate", "Content"];

/**
 * Writes one CSV row (RFC 4180) for each event, in order: the line it begins on, its template's id and text, its message.
 * A `File` column is added when there are several sources. Sources are read twice, because a template is known only at
 * the end; standard input is put aside in a temporary file for that.
 */
export async function writeTemplateCsv(
  inputs: readonly string[],
  options: Omit<ParseOptions, "onEvent">,
  write: (text: string) => void | Promise<void>,
): Promise<ParsedLog> {
  const folder = inputs.includes("-") ? await mkdtemp(join(tmpdir(), "parley-logs-")) : null;
  const remove = (): void => (folder === null ? undefined : rmSync(folder, { recursive: true, force: true }));
  process.once("exit", remove);
  try {
    const sources = await findSources(inputs, options.cwd);
    return await writeRows(
      await Promise.all(sources.map((source) => setAside(source, folder, options))),
      options,
      write,
    );
  } finally {
    process.off("exit", remove);
    remove();
  }
}

async function setAside(source: FoundSource, folder: string | null, options: ParseOptions): Promise<FoundSource> {
  if (source.path !== null || folder === null) return source;
  const path = join(folder, "stdin");
  await pipeline(Readable.from(options.stdin ?? process.stdin), createWriteStream(path));
  return { ...source, path };
}

async function writeRows(
  sources: readonly FoundSource[],
  options: Omit<ParseOptions, "onEvent">,
  write: (text: string) => void | Promise<void>,
): Promise<ParsedLog> {
  const shapes = new ShapeIds();
  const first = new ParseSession({ ...options, onEvent: (_, shape) => shapes.push(shape) });
  for (const source of sources) await first.readSource(source, "log");
  const parsed = first.finish();
  const mined = first.digest.finish();
  const named = sources.length > 1;
  let index = 0;
  let rows = `${(named ? [...header, "File"] : header).join(",")}\r\n`;
  const eachLine = new ParseSession({
    ...options,
    onEvent: (event, _, file) => {
      const shape = shapes.at(index);
      index += 1;
      if (shape < 0) return;
      const at = mined.templateOf(shape);
      const cells = [String(event.line), `T${at + 1}`, mined.templates[at]?.template ?? "", event.message];
      rows += `${(named ? [...cells, file ?? "-"] : cells).map(quote).join(",")}\r\n`;
    },
    async onBatch() {
      if (rows.length < 64 * 1024) return;
      const full = rows;
      rows = "";
      await write(full);
    },
  });
  for (const source of sources) await eachLine.readSource(source, "log");
  await write(rows);
  return parsed;
}

/** A log is text from outside: what looks like a formula is no formula in the file. */
function quote(text: string): string {
  const cell = guardFormula(text);
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A list of shape ids that takes four bytes for each event. */
class ShapeIds {
  private ids = new Int32Array(1024);
  private count = 0;

  push(id: number): void {
    if (this.count === this.ids.length) {
      const larger = new Int32Array(this.ids.length * 2);
      larger.set(this.ids);
      this.ids = larger;
    }
    this.ids[this.count] = id;
    this.count += 1;
  }

  at(index: number): number {
    return this.ids[index] ?? -1;
  }
}
