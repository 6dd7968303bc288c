import type { JsonRecord } from "./json-records.ts";

export type DocumentRecord = { record: JsonRecord; lines: string[]; line: number };

const longestRecord = 4 * 1024 * 1024;
const opensList = /^\s*"(?:items|events|logs|records|Records|entries|resourceLogs|resourceSpans)"\s*:\s*\[\s*$/;

/** True when the first lines are one JSON document over several lines, not one object per line. */
export function looksLikeDocument(lines: readonly string[]): boolean {
  const [first = "", second = ""] = lines.filter((line) => /\S/.test(line));
  return (/^\s*\{\s*$/.test(first) && /^\s*"[^"]+"\s*:/.test(second)) || /^\s*\[\s*$/.test(first);
}

/**
 * Finds events in pretty-printed JSON: the objects of a list, of a list in a document (`items` of kubectl,
 * `resourceLogs` of OTLP), or one object after another; indentation shows where an object ends.
 */
export class JsonDocument {
  broken = 0;
  private indent: string | null = null;
  private isInList = false;
  private lines: string[] = [];
  private size = 0;
  private start = 0;

  get isOutside(): boolean {
    return this.indent === null && !this.isInList;
  }

  add(line: string, number: number): DocumentRecord[] {
    const text = line.trim().replace(/,$/, "");
    if (this.indent === null) {
      if (line.startsWith("}")) this.isInList = false;
      if (!text.startsWith("{")) return [];
      Object.assign(this, { indent: indentOf(line), lines: [], size: 0, start: number });
    }
    this.size += line.length;
    if (this.size <= longestRecord) this.lines.push(line);
    if (this.indent === "" && opensList.test(line) && indentOf(line) === indentOf(this.lines[1] ?? "")) {
      this.isInList = true;
      this.indent = null;
      return [];
    }
    return text.endsWith("}") && indentOf(line) === this.indent ? this.finish() : [];
  }

  private finish(): DocumentRecord[] {
    const { lines, start: line } = this;
    this.indent = null;
    try {
      const record = JSON.parse(lines.join("\n").replace(/,\s*$/, "")) as JsonRecord;
      return [{ record, lines, line }];
    } catch {
      this.broken += 1;
      return [];
    }
  }
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}
