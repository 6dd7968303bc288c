import { Readable } from "node:stream";

/** A line that was longer than it may be: its beginning and its end. */
export type LongLine = { head: string; tail: string; bytes: number };

/** How much of the beginning and the end of a line that is too long is kept. */
const keptBytes = 4_096;

/** The lines of a stream, one by one with their ends; one that is longer than `maxBytes` is told and left out, and takes no room. */
export function limitLines(source: Readable, maxBytes: number, onLongLine: (line: LongLine) => void): Readable {
  return Readable.from(readLines(source, maxBytes, onLongLine), { objectMode: false });
}

async function* readLines(
  source: Readable,
  maxBytes: number,
  onLongLine: (line: LongLine) => void,
): AsyncGenerator<Buffer> {
  let line = startLine();
  for await (const chunk of source as AsyncIterable<Buffer>) {
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      takePart(line, rest.subarray(0, end + 1), maxBytes);
      if (line.bytes <= maxBytes) yield Buffer.concat(line.parts);
      else onLongLine({ head: line.head.toString(), tail: line.tail.toString(), bytes: line.bytes });
      line = startLine();
      rest = rest.subarray(end + 1);
    }
    takePart(line, rest, maxBytes);
  }
}

type Line = { parts: Buffer[]; bytes: number; head: Buffer; tail: Buffer };

const startLine = (): Line => ({ parts: [], bytes: 0, head: Buffer.alloc(0), tail: Buffer.alloc(0) });

/** Adds a part to a line; of one that has become too long only the beginning and the end are kept. */
function takePart(line: Line, part: Buffer, maxBytes: number): void {
  line.bytes += part.length;
  line.parts.push(part);
  if (line.head.length < keptBytes)
    line.head = Buffer.concat([line.head, part.subarray(0, keptBytes - line.head.length)]);
  line.tail = Buffer.concat([line.tail, part.subarray(-keptBytes)]).subarray(-keptBytes);
  if (line.bytes > maxBytes) line.parts = [];
}
