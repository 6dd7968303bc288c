import { type Piece, splitCells, splitText } from "../../text/split-text.ts";
import { findDates } from "../../text/values.ts";
import { words } from "./words.ts";

export type Source = { id: string; text: string; title?: string | null; date?: string | null; heading?: string | null };

export type Statement = {
  source: string;
  title: string;
  at: number;
  text: string;
  said: string;
  kind: Piece["kind"];
  headings: string[];
  about: string;
  cells: { name: string; value: string }[];
  date: number | null;
  trust: number;
  changed: { by: Statement; before: string } | null;
};

const statementsOf = new WeakMap<object, Statement[]>();

export function readStatements(sources: readonly Source[]): Statement[] {
  const known = statementsOf.get(sources) ?? sources.flatMap(readSource);
  statementsOf.set(sources, known);
  return known;
}

function readSource({ id: source, text, title: givenTitle, date: givenDate, heading }: Source): Statement[] {
  const pieces = splitText(text);
  const title = givenTitle ?? findTitle(pieces) ?? "";
  const date = givenDate === undefined ? readDate(source, text, title) : parseDate(givenDate);
  const trust = words.unsigned.test(text) ? 0.5 : 1;
  let headings: { text: string; level: number }[] = heading ? [{ text: heading, level: 1 }] : [];
  let columns: string[] = [];
  let [lead, asked] = ["", ""];
  let paragraph = -1;
  return pieces.map((piece, at): Statement => {
    if (piece.paragraph !== paragraph) {
      if (piece.kind !== "item" && piece.kind !== "row") lead = "";
      if (piece.kind !== "row") columns = [];
      if (piece.paragraph > paragraph + 1 || piece.kind === "heading") asked = "";
      paragraph = piece.paragraph;
    }
    if (piece.kind === "row" && piece.isHead) columns = splitCells(piece.text);
    const cells = readCells(piece, columns);
    const said = piece.kind === "row" && !piece.isHead ? sayRow(cells) : piece.text;
    const path = headings.map((one) => one.text);
    const about = [...path, asked, piece.kind === "item" || piece.kind === "row" ? lead : ""];
    const statement: Statement = {
      source,
      title,
      at,
      text: piece.text,
      said,
      kind: piece.kind === "row" && piece.isHead ? "heading" : piece.kind,
      headings: path,
      about: about.filter(Boolean).join(" · "),
      cells,
      date: findSectionDate(path) ?? date,
      trust: trust * measureTrust(piece.text),
      changed: null,
    };
    if (piece.kind === "heading") {
      headings = [...headings.filter(({ level }) => level < piece.level), { text: piece.text, level: piece.level }];
      [lead, asked] = ["", ""];
    } else {
      if (piece.kind === "question") asked = piece.text;
      if (/:\s*$/.test(piece.text)) lead = piece.text;
    }
    return statement;
  });
}

/**
 * A row's cells under their columns. An entry is one cell under its name; a line of "who - what - where" is a row
 * without columns.
 */
function readCells({ kind, text, isHead }: Piece, columns: string[]): Statement["cells"] {
  if (kind === "row" && !isHead) return splitCells(text).map((value, index) => ({ name: columns[index] ?? "", value }));
  const [, name, value] = /^((?:[^\s:.!?]+\s){0,5}[^\s:.!?]+):\s+(.+)$/.exec(text) ?? [];
  if (name !== undefined && value !== undefined && kind !== "heading") return [{ name, value }];
  const parts = text.split(/\s+[-–—]\s+|\t+/);
  if (parts.length > 2 && kind !== "heading") return parts.map((part) => ({ name: "", value: part }));
  return [];
}

function sayRow(cells: Statement["cells"]): string {
  return cells
    .filter(({ value }) => value !== "")
    .map(({ name, value }) => (name === "" ? value : `${name}: ${value}`))
    .join(", ");
}

function findTitle(pieces: Piece[]): string | null {
  return pieces.find(({ kind }) => kind === "heading")?.text ?? null;
}

/** The date of a document: of a line that gives it, the title, the beginning, or the file name. */
function readDate(source: string, text: string, title: string): number | null {
  const head = text.split("\n", 15);
  const line = words.dateLine.exec(head.join("\n"))?.[0] ?? "";
  const early = head.filter((one) => one.trim() !== "" && one.length < 100).slice(0, 5);
  const [dated] = [line, title, ...early].flatMap((one) => findDates(one));
  const named = [line, source.split(/[\\/]/).at(-1) ?? "", title].flatMap((one) => {
    const [, y, m = "01", d = "01"] = /(?<!\d)((?:19|20)\d\d)(?:[-_.](\d{2})(?:[-_.](\d{2}))?)?(?!\d)/.exec(one) ?? [];
    return y === undefined ? [] : [Number(`${y}${m}${d}`)];
  });
  return dated ?? named[0] ?? null;
}

function findSectionDate(path: string[]): number | null {
  return path.slice(1).flatMap((heading) => findDates(heading))[0] ?? null;
}

function parseDate(date: string | null): number | null {
  return date === null ? null : Number(date.replaceAll("-", ""));
}

function measureTrust(text: string): number {
  if (words.orders.test(text)) return 0;
  return words.hearsay.test(text) ? 0.5 : 1;
}
