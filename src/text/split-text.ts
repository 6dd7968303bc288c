/** A quotable piece of a text: a heading, a table row, a list item, a "name: value" line, a sentence. */
export type Piece = {
  text: string;
  kind: "heading" | "row" | "item" | "entry" | "sentence" | "question";
  level: number;
  paragraph: number;
  isHead?: boolean;
};

const itemMark = /^\s*(?:[-*+•]\s+|\(?\d{1,3}[.)]\s+|\(?[a-z][.)]\s+)/i;
const entryForm = /^[^.!?:|]{1,48}:\s+\S/;
const rowForm = /^\s*\|.*\|\s*$/;
const ruleForm = /^[\s|:+-]*-[\s|:+-]*$/;
/** Lines such as "Who - what - where". */
const partsForm = /\S\s+[-–—]\s+\S.*\S\s+[-–—]\s+\S|\t/;
const underline = /^\s*(?:={3,}|-{3,}|~{3,})\s*$/;

/** Splits a text into pieces in order, joining sentences that span lines (question spec §4.3). */
export function splitText(text: string): Piece[] {
  const pieces: Piece[] = [];
  const lines = text.split("\n");
  const isFull = (line: string): boolean => line.trim() !== "";
  const [first, last] = [lines.findIndex(isFull), lines.findLastIndex(isFull)];
  let [running, paragraph] = ["", 0];
  let runningKind: "item" | "sentence" = "sentence";
  const push = (piece: Omit<Piece, "paragraph">): void => {
    const plain = tidy(piece.text);
    if (/[\p{L}\p{N}]/u.test(plain)) pieces.push({ ...piece, text: plain, paragraph });
  };
  const close = (): void => {
    if (running !== "")
      for (const sentence of segmentSentences(running))
        push({
          text: sentence,
          kind: /[?？][*_\s"”]*$/.test(sentence)
            ? "question"
            : entryForm.test(sentence) && runningKind === "sentence" && running.length < 160
              ? "entry"
              : runningKind,
          level: 0,
        });
    running = "";
  };
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1] ?? "";
    if (!isFull(line)) {
      close();
      paragraph += 1;
    } else if (rowForm.test(line)) {
      close();
      if (!isRule(line)) push({ text: line, kind: "row", level: 0, ...(isRule(next) && { isHead: true }) });
    } else if (underline.test(line)) close();
    else {
      const isLed = !isFull(lines[index - 1] ?? "");
      const level = levelOf(line, next, { isLed, isFirst: index === first, isLast: index === last });
      if (level > 0) {
        close();
        push({ text: line, kind: "heading", level });
        paragraph += 1;
        continue;
      }
      if (running !== "" && !runsOn(lines[index - 1] ?? "", line)) close();
      if (running === "") runningKind = itemMark.test(line) ? "item" : "sentence";
      running = running === "" ? line.replace(itemMark, "") : `${running} ${line.trim()}`;
    }
  }
  close();
  return pieces;
}

function isRule(line: string): boolean {
  return rowForm.test(line) && ruleForm.test(line);
}

type Stand = { isLed: boolean; isFirst: boolean; isLast: boolean };

/** The level of a heading: marked, underlined, numbered, in capitals, or a first line that stands as a title. */
function levelOf(line: string, next: string, { isLed, isFirst, isLast }: Stand): number {
  const marked = /^\s*(#{1,6})\s/.exec(line)?.[1]?.length;
  if (marked !== undefined) return marked;
  if (underline.test(next) && !itemMark.test(line) && line.trim().length < 100)
    return next.trim().startsWith("=") ? 1 : 2;
  const text = line.trim();
  const isShort = text.length < 90 && !/[.!?;,:]$/.test(text) && !entryForm.test(text) && !partsForm.test(text);
  // A short line above a paragraph, numbered or not: "2. Slab room".
  const isAbove =
    isLed && text.length < 40 && /^\s*\p{Lu}.*[.!?:;]/u.test(next) && !itemMark.test(next) && !entryForm.test(next);
  if (isShort && isAbove && next.length > text.length) return 3;
  if (!isShort || itemMark.test(line)) return 0;
  const isAlone = !isLast && isLed && next.trim() === "";
  if (isFirst && (isAlone || !/^\s*\p{Ll}/u.test(next))) return 1;
  if (/^(?:§+|section|article|chapter|part|pasal|bab|제)\s*\d/i.test(text) && !/[.]\s/.test(text)) return 2;
  return isAlone && text.length < 60 && !/\d{3}/.test(text) ? 3 : 0;
}

/** True when a sentence continues on the next line: neither begins an item or entry, and the first does not end a sentence. */
function runsOn(line: string, next: string): boolean {
  if ([itemMark, entryForm, rowForm, partsForm].some((form) => form.test(next))) return false;
  if (/[.!?。…;:][*_"”’)\]]*\s*$/.test(line)) return false;
  if (/^\s*\p{Ll}/u.test(next) || /,\s*$/.test(line)) return true;
  return line.trim().length > 60 && !entryForm.test(line);
}

function tidy(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replace(/^[\s#*_>]+/, "")
    .replace(/(?<![\s*_])[\s*_]+$/, "");
}

export function splitCells(row: string): string[] {
  return row
    .trim()
    .replace(/^\|/, "")
    .replace(/\|$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll(/\*\*|__/g, ""));
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** English and Indonesian abbreviations before names; no sentence ends with them or with initials. */
const titles = "mr mrs ms dr prof st gen gov rev vs cf e.g i.e approx bpk sdr hj kh jo".split(" ");
const beforeName = new RegExp(`(?:^|[\\s("“])(?:${titles.join("|").replaceAll(".", "\\.")}|\\p{Lu})\\.\\s*$`, "iu");
/** Enough for any of them; searching a growing text again and again takes minutes. */
const longestEnd = 40;
const beforeNumber = /(?:^|[\s("“])(?:no|nos|art|fig|psl|hlm|pp?)\.\s*$/iu;

/** The sentences of a text, each with its trailing space; "Ms. Vermeer asked." is one. */
export function* segmentSentences(text: string): Generator<string> {
  let open = "";
  let end = "";
  for (const { segment } of segmenter.segment(text)) {
    const goesOn = beforeName.test(end) || (beforeNumber.test(end) && /^\d/.test(segment));
    if (open !== "" && !goesOn) {
      yield open;
      open = end = "";
    }
    open += segment;
    end = (end + segment).slice(-longestEnd);
  }
  if (open !== "") yield open;
}

/**
 * A text of the same length without runs that no word is as long as: readers of words take minutes for a long one, and
 * places in the text stay right.
 */
export function breakRuns(text: string, longest = 300): string {
  return text.replaceAll(new RegExp(`\\S{${longest}}`, "g"), (run) => `${run.slice(0, -1)} `);
}
