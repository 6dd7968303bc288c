import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { LongLine } from "./limit-lines.ts";

const id = String.raw`"id"\s*:\s*(\d{1,15}|"[\w-]{1,80}")`;
const version = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
const atHead = new RegExp(String.raw`^\s*\{\s*(?:${version}\s*,\s*)?${id}\s*,`);
const atTail = new RegExp(String.raw`,\s*${id}\s*(?:,\s*${version}\s*)?\}\s*$`);

/** The error that answers a message which was too long to be read; null when it does not say which one it is. */
export function answerLongMessage({ head, tail, bytes }: LongLine, maxBytes: number): JSONRPCMessage | null {
  const found = (atHead.exec(head) ?? atTail.exec(tail))?.[1];
  if (found === undefined) return null;
  const message = `the message has ${bytes} bytes, and at most ${maxBytes} are taken here; give a shorter case`;
  return { jsonrpc: "2.0", id: JSON.parse(found) as string | number, error: { code: -32_600, message } };
}
