import { Readable } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

export function openStdio(maxBytes: number, warn: (line: string) => void): Transport {
  const lines = limitLines(process.stdin, maxBytes, (line) => {
    warn(`a message of ${line.bytes} bytes was skipped; at most ${maxBytes} are taken`);
    const answer = answerLongMessage(line, maxBytes);
    if (answer) void transport.send(answer);
  });
  const transport = new StdioServerTransport(lines, process.stdout, { maxBufferSize: 2 * maxBytes });
  return transport;
}

export type LongLine = { head: string; tail: string; bytes: number };

const keptBytes = 4_096;

/** Splits a stream into lines; one longer than `maxBytes` is reported and skipped without being buffered. */
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

function takePart(line: Line, part: Buffer, maxBytes: number): void {
  line.bytes += part.length;
  line.parts.push(part);
  if (line.head.length < keptBytes)
    line.head = Buffer.concat([line.head, part.subarray(0, keptBytes - line.head.length)]);
  line.tail = Buffer.concat([line.tail, part.subarray(-keptBytes)]).subarray(-keptBytes);
  if (line.bytes > maxBytes) line.parts = [];
}

const id = String.raw`"id"\s*:\s*(\d{1,15}|"[\w-]{1,80}")`;
const version = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
const atHead = new RegExp(String.raw`^\s*\{\s*(?:${version}\s*,\s*)?${id}\s*,`);
const atTail = new RegExp(String.raw`,\s*${id}\s*(?:,\s*${version}\s*)?\}\s*$`);

export function answerLongMessage({ head, tail, bytes }: LongLine, maxBytes: number): JSONRPCMessage | null {
  const found = (atHead.exec(head) ?? atTail.exec(tail))?.[1];
  if (found === undefined) return null;
  const message = `the message has ${bytes} bytes, and at most ${maxBytes} are taken here; give a shorter case`;
  return { jsonrpc: "2.0", id: JSON.parse(found) as string | number, error: { code: -32_600, message } };
}
