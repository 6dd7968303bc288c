import { readApart } from "./read-apart.ts";
import { readCsv } from "./read-csv.ts";
import { readHtml } from "./read-html.ts";

type ReadFormat = (bytes: Buffer) => string | Promise<string>;

const formats: Record<string, ReadFormat> = {
  ...Object.fromEntries("txt md markdown rst json jsonl yaml yml log".split(" ").map((ending) => [ending, decodeText])),
  html: (bytes) => readHtml(decodeText(bytes)),
  htm: (bytes) => readHtml(decodeText(bytes)),
  csv: (bytes) => readCsv(decodeText(bytes), ","),
  tsv: (bytes) => readCsv(decodeText(bytes), "\t"),
  pdf: (bytes) => readApart("pdf", bytes),
  docx: (bytes) => readApart("docx", bytes),
};

export const readableEndings = Object.keys(formats);

export async function readFormat(ending: string, bytes: Buffer): Promise<string> {
  return (formats[ending] ?? decodeText)(bytes);
}

const signatures: [begins: string, name: string][] = [
  ["\x89PNG", "a PNG image"],
  ["\xff\xd8\xff", "a JPEG image"],
  ["GIF8", "a GIF image"],
  ["RIFF", "a WebP image or a recording"],
  ["BM", "a bitmap image"],
  ["II*\0", "a TIFF image"],
  ["MM\0*", "a TIFF image"],
  ["%PDF", "a PDF; give it the ending .pdf"],
  ["PK\x03\x04", "an archive, or an office document that cannot be read"],
  ["\x1f\x8b", "a compressed file; unpack it first"],
];

function decodeText(bytes: Buffer): string {
  const head = bytes.subarray(0, 8).toString("latin1");
  const [, name] = signatures.find(([begins]) => head.startsWith(begins) && !isText(bytes)) ?? [];
  if (name !== undefined) throw new Error(`this is ${name}, not text`);
  if (!isText(bytes)) throw new Error("this is a binary file of an unknown type, not text");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error("the text is not in UTF-8; convert it first, e.g. with iconv", { cause });
  }
}

function isText(bytes: Buffer): boolean {
  const head = bytes.subarray(0, 8_000);
  const odd = head.filter((byte) => byte < 32 && ![9, 10, 12, 13, 27].includes(byte)).length;
  return !head.includes(0) && odd * 100 <= head.length;
}
