import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { answerLongMessage } from "./answer-long-message.ts";
import { limitLines } from "./limit-lines.ts";

/** MCP over stdin and stdout. A message that is too long is answered with an error, and the next one is read. */
export function openStdio(maxBytes: number, warn: (line: string) => void): Transport {
  const lines = limitLines(process.stdin, maxBytes, (line) => {
    warn(`a message of ${line.bytes} bytes was not read; at most ${maxBytes} are taken`);
    const answer = answerLongMessage(line, maxBytes);
    if (answer) void transport.send(answer);
  });
  const transport = new StdioServerTransport(lines, process.stdout, { maxBufferSize: 2 * maxBytes });
  return transport;
}
