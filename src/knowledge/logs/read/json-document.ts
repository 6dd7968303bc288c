import type { JsonRecord } from "./json-records.ts";

export type DocumentRecord = { record: JsonRecord; lines: string[]; line: number };

const longestRecord = 4 * 1024 * 1024;
const lists = new Set(["items", "events", "logs", "records", "Records", "entries", "resourceLogs", "resourceSpans"]);

/** True when the first lines are JSON over several lines, and not one object per line. */
export function looksLikeDocument(lines: readonly string[]): boolean {
  const [first = "", second = ""] = lines.filter((line) => /\S/.test(line));
  return (/^\s*\{\s*$/.test(first) && /^\s*"[^"]+"\s*:/.test(second)) || /^\s*\[\s*\{?\s*$/.test(first);
}

/**
 * Finds the events of JSON that runs over several lines, in bounded memory: the objects of a list, of the list in a
 * document (`items` of kubectl, `resourceLogs` of OTLP), or one object after the other.
 */
export class JsonDocument {
  broken = 0;
  private readonly open: string[] = [];
  private inText = false;
  private escaped = false;
  private text = "";
  private key = "";
  private isList = false;
  private depth = 0;
  private parts: string[] = [];
  private lines: string[] = [];
  private size = 0;
  private start = 0;

  get isOutside(): boolean {
    return this.open.length === 0 && !this.inText;
  }

  add(line: string, number: number): DocumentRecord[] {
    const found: DocumentRecord[] = [];
    let from = 0;
    for (let at = 0; at < line.length; at += 1) {
      const change = this.step(line.charAt(at));
      if (change === "opens") {
        this.drop();
        from = at;
        this.start = number;
      } else if (change === "closes") {
        this.keep(line.slice(from, at + 1), line);
        found.push(...this.finish());
        from = at + 1;
      }
    }
    if (this.depth > 0) this.keep(line.slice(from), line);
    return found;
  }

  private step(sign: string): "opens" | "closes" | null {
    if (this.inText) return this.stepInText(sign);
    if (sign === '"') {
      this.inText = true;
      this.text = "";
    } else if (sign === ":") this.key = this.text;
    else if (sign === "{" || sign === "[") return this.stepInto(sign);
    else if (sign === "}" || sign === "]") return this.stepOut();
    return null;
  }

  private stepInText(sign: string): null {
    if (this.escaped) this.escaped = false;
    else if (sign === "\\") this.escaped = true;
    else if (sign === '"') this.inText = false;
    else if (this.text.length < 32) this.text += sign;
    return null;
  }

  private stepInto(sign: string): "opens" | null {
    this.open.push(sign);
    const level = this.open.length;
    if (sign === "[" && (level === 1 || (level === 2 && lists.has(this.key)))) {
      this.isList = true;
      this.depth = 0;
    }
    const begins = sign === "{" && this.depth === 0 && (level === 1 || (this.isList && this.open.at(-2) === "["));
    if (begins) this.depth = level;
    return begins ? "opens" : null;
  }

  private stepOut(): "closes" | null {
    const closed = this.open.length;
    this.open.pop();
    if (this.open.length === 0 && this.isList) {
      this.isList = false;
      if (closed !== this.depth) this.depth = 0;
    }
    if (closed !== this.depth) return null;
    this.depth = 0;
    return "closes";
  }

  private keep(part: string, line: string): void {
    this.size += part.length;
    if (this.size > longestRecord) return;
    this.parts.push(part);
    this.lines.push(line);
  }

  private drop(): void {
    this.parts = [];
    this.lines = [];
    this.size = 0;
  }

  private finish(): DocumentRecord[] {
    const [text, lines, tooLong] = [this.parts.join("\n"), this.lines, this.size > longestRecord];
    this.drop();
    try {
      if (!tooLong) return [{ record: JSON.parse(text) as JsonRecord, lines, line: this.start }];
    } catch {
      // Counted below: a document that was cut off or edited by hand.
    }
    this.broken += 1;
    return [];
  }
}
