import { readCsv } from "./read-csv.ts";
import { readDocx } from "./read-docx.ts";
import { readHtml } from "./read-html.ts";
import { readPdf } from "./read-pdf.ts";

/** Makes text of a file's bytes; what is wrong with them is thrown as an error that says it in a few words. */
type ReadFormat = (bytes: Buffer) => string | Promise<string>;

/** The kinds of files that can be read, by their endings. */
const formats: Record<string, ReadFormat> = {
  ...Object.fromEntries("txt md markdown rst json jsonl yaml yml log".split(" ").map((ending) => [ending, decodeText])),
  html: (bytes) => readHtml(decodeText(bytes)),
  htm: (bytes) => readHtml(decodeText(bytes)),
  csv: (bytes) => readCsv(decodeText(bytes), ","),
  tsv: (bytes) => readCsv(decodeText(bytes), "\t"),
  pdf: readPdf,
  docx: readDocx,
};

/** The endings of files that can be read. */
export const readableEndings = Object.keys(formats);

/** Reads a file by the ending of its name; without a known ending it is read as text. */
export async function readFormat(ending: string, bytes: Buffer): Promise<string> {
  return (formats[ending] ?? decodeText)(bytes);
}

function decodeText(bytes: Buffer): string {
  if (bytes.subarray(0, 8_000).includes(0)) throw new Error("that is a binary file, not a text");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error("not UTF-8; convert it first, e.g. with iconv", { cause });
  }
}
