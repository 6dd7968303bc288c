import type { IncomingMessage } from "node:http";
import { pipeline, Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/** How much of an answer is read, after unpacking, unless an endpoint's `max_reply_bytes` says otherwise. */
export const defaultMaxReplyBytes = 8 * 1024 * 1024;

/** An answer that is larger than it may be: the connection was cut, and this is what had been read. */
export class OversizeAnswer extends Error {
  override readonly name = "OversizeAnswer";
  readonly maxBytes: number;
  readonly read: string;
  constructor(maxBytes: number, read: string) {
    super(`the answer is larger than ${maxBytes} bytes and was cut; raise max_reply_bytes if that is meant`);
    this.maxBytes = maxBytes;
    this.read = read;
  }
}

/** The oversize answer behind an error, itself or one of its causes; null when it is something else. */
export function findOversize(error: unknown): OversizeAnswer | null {
  let at: unknown = error;
  for (let depth = 0; depth < 6 && typeof at === "object" && at !== null; depth += 1) {
    if (at instanceof OversizeAnswer) return at;
    at = (at as { cause?: unknown }).cause;
  }
  return null;
}

/** Reads a whole body, unpacked, and no more than it may have; of a refusal the beginning will do. */
export async function readWholeBody(answer: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of unpack(answer) as AsyncIterable<Buffer>) {
      parts.push(part.subarray(0, maxBytes - size));
      size += part.length;
      if (size > maxBytes) break;
    }
  } catch (error) {
    throw Object.assign(error as Error, { statusCode: answer.statusCode });
  }
  const body = Buffer.concat(parts);
  if (size <= maxBytes) return body;
  answer.destroy();
  if ((answer.statusCode ?? 0) >= 400) return body;
  throw new OversizeAnswer(maxBytes, body.toString("utf8"));
}

/** A body that is passed on as it arrives, unpacked; past its limit the connection is cut and the stream fails. */
export function streamBody(answer: IncomingMessage, maxBytes: number): ReadableStream {
  let size = 0;
  const counted = new Transform({
    transform(part: Buffer, _encoding, done) {
      size += part.length;
      if (size <= maxBytes) return done(null, part);
      answer.destroy();
      done(new OversizeAnswer(maxBytes, ""));
    },
  });
  // The reader of `counted` hears of every error; there is nothing else to do about one here.
  return Readable.toWeb(pipeline(unpack(answer), counted, () => undefined)) as ReadableStream;
}

const unpackers: Record<string, () => Transform> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

function unpack(answer: IncomingMessage): Readable {
  const create = unpackers[(answer.headers["content-encoding"] ?? "").trim().toLowerCase()];
  return create ? pipeline(answer, create(), () => undefined) : answer;
}
