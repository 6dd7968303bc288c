import type { SQLOutputValue } from "node:sqlite";
import { constants, createZstdCompress, zstdCompressSync, zstdDecompressSync } from "../node-parts.ts";

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
  const bytes = encodeText(text);
  if (dictionary) return zstdCompressSync(bytes, { ...options, dictionary });
  packer ??= createPacker();
  return packer(bytes);
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

type Packer = (bytes: Uint8Array) => Uint8Array;

let packer: Packer | null = null;

const packAlone: Packer = (bytes) => zstdCompressSync(bytes, options);

/** The most bytes that are packed with the kept context; longer texts are worth one of their own. */
const longest = 32 * 1024;
/** More than any text of that length can become. */
const room = 2 * longest;

/** What a stream of Node's packs with; neither is documented. */
type Inside = {
  _handle?: {
    writeSync(flush: number, ...inputAndOutput: [Uint8Array, number, number, Uint8Array, number, number]): void;
  };
  /** How much room was left in the output, and how much of the input was left. */
  _writeState?: Uint32Array;
};

/**
 * Packs texts with one zstd context. Node's own call makes a context for each text, which takes about as long as packing
 * one; a stream keeps its context, and can be asked directly. Where a Node does not let one do that, as a first try tells,
 * or the context has met an error, each text is packed by Node's own call.
 */
export function createPacker(stream: Inside = openStream()): Packer {
  const output = Buffer.allocUnsafeSlow(room);
  let isSound = true;
  const packKept: Packer = (bytes) => {
    const { _handle: handle, _writeState: state } = stream;
    if (!handle || !state) throw new Error("the context is gone");
    handle.writeSync(constants.ZSTD_e_end, bytes, 0, bytes.length, output, 0, room);
    const [left = 0, unread = 1] = state;
    if (left === 0 || unread !== 0) throw new Error("a text was not packed whole");
    return Buffer.from(output.subarray(0, room - left));
  };
  const tryKept = (bytes: Uint8Array): Uint8Array | null => {
    try {
      return packKept(bytes);
    } catch {
      isSound = false;
      return null;
    }
  };
  // Twice: the context must begin anew with each text.
  for (const sample of ["first ".repeat(500), "second ".repeat(500)]) {
    const packed = tryKept(Buffer.from(sample));
    isSound &&= packed !== null && isPacked(packed, sample);
  }
  return (bytes) => (isSound && bytes.length <= longest ? tryKept(bytes) : null) ?? packAlone(bytes);
}

function isPacked(packed: Uint8Array, text: string): boolean {
  try {
    return zstdDecompressSync(packed).toString() === text;
  } catch {
    return false;
  }
}

/** A stream that is never written to in the documented way; an error closes it, and is met by its user. */
function openStream(): Inside {
  return createZstdCompress(options).on("error", () => undefined) as unknown as Inside;
}
