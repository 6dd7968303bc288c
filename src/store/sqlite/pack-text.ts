import type { SQLOutputValue } from "node:sqlite";
import { constants, zstdCompressSync, zstdDecompressSync } from "../node-parts.ts";

/** Below this many characters a text is kept as it is: what compression would gain is not worth its cost. */
const shortest = 1_500;
/** Texts are small: with the buffers for large ones, making them costs more than using them. */
const options = {
  chunkSize: 4_000,
  params: {
    [constants.ZSTD_c_compressionLevel]: 1,
    [constants.ZSTD_c_windowLog]: 17,
    [constants.ZSTD_c_hashLog]: 13,
  },
};

/** A text as it is stored: compressed when that pays, against a dictionary if one is given. */
export function packText(text: string, dictionary?: Uint8Array): string | Uint8Array {
  if (text.length < shortest) return text;
  return zstdCompressSync(encodeText(text), dictionary ? { ...options, dictionary } : options);
}

/** Where texts are encoded before they are compressed: buffers of their own would be collected late. */
const scratch = Buffer.allocUnsafeSlow(256 * 1024);

function encodeText(text: string): Uint8Array {
  return text.length * 3 > scratch.length ? Buffer.from(text) : scratch.subarray(0, scratch.write(text));
}

/** The text of what was stored; throws when it is not as it was written. */
export function unpackText(data: SQLOutputValue | Uint8Array, dictionary?: Uint8Array): string {
  return typeof data === "string" ? data : zstdDecompressSync(data as Uint8Array, { dictionary }).toString();
}
