import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { ParleyError } from "../../contract/error.ts";
import { sha256 } from "../../engine/hash.ts";

/** A file's text, unpacked and decoded, and the hash of its text. */
export type SourceText = { path: string; text: string; hash: string };

/** Reads a dataset file as UTF-8 (or UTF-16 with a mark), unpacking gzip; anything else is refused by name. */
export function readText(path: string): SourceText {
  const bytes = unpack(path, readBytes(path));
  if (bytes.length === 0) throw new ParleyError("bad_input", `${path} is empty; a dataset has at least one row`);
  const text = decode(path, bytes);
  return { path, text, hash: sha256(text) };
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new ParleyError("bad_input", `cannot read the dataset ${path}: ${(cause as Error).message}`, { cause });
  }
}

function unpack(path: string, bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes);
  } catch (cause) {
    throw new ParleyError("bad_input", `${path} is a damaged or cut off gzip file: ${(cause as Error).message}`, {
      cause,
    });
  }
}

function decode(path: string, bytes: Buffer): string {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : null;
  try {
    const text = new TextDecoder(utf16 ?? "utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch (cause) {
    throw new ParleyError("bad_input", `${path} is not UTF-8 text; save it as UTF-8 and try again`, { cause });
  }
  throw new ParleyError("bad_input", `${path} has zero bytes in it; it looks like a binary file, not a dataset`);
}
