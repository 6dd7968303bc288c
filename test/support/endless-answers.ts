/** Asks an endpoint that answers with 200 MB, without an end, and with a packed body; prints how it ended and the peak of this process. */
import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createGzip } from "node:zlib";
import { generateReply } from "../../src/players/call-model.ts";
import { compatible, defaultSettings } from "../../src/players/providers.ts";

const piece = "nothing but words ".repeat(3_640);
if (process.argv[2] === "serve") serve();
else await ask();

function serve(): void {
  const server = createServer((request, response) => {
    response.on("error", () => undefined);
    const isPacked = request.url?.startsWith("/packed") ?? false;
    response.writeHead(200, {
      "content-type": "application/json",
      ...(isPacked ? { "content-encoding": "gzip" } : {}),
    });
    const out = isPacked ? createGzip() : response;
    if (isPacked) out.pipe(response);
    response.on("close", () => out.destroy());
    write(out as ServerResponse, request.url?.startsWith("/large") ? 3_200 : Infinity);
  });
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
}

function write(out: ServerResponse, pieces: number): void {
  let left = pieces;
  const go = (): void => {
    while (!out.destroyed && left > 0) {
      left -= 1;
      if (!out.write(piece)) return;
    }
    if (left <= 0) out.end();
  };
  out.on("drain", go);
  out.on("error", () => undefined);
  go();
}

async function ask(): Promise<void> {
  const child = fork(new URL(import.meta.url), ["serve"]);
  const port = await new Promise<number>((done) => child.once("message", (message) => done(Number(message))));
  const codes: string[] = [];
  for (const way of ["endless", "large", "packed"]) codes.push(await askOnce(`http://127.0.0.1:${port}/${way}`));
  child.kill();
  console.log(JSON.stringify({ peakMb: readPeakMb(), codes }));
}

/** The peak of this process alone: what the system counts for a process begins with the size of the one that started it. */
function readPeakMb(): number {
  const [, kilobytes = "0"] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

async function askOnce(baseUrl: string): Promise<string> {
  const { maxReplyBytes, totalTimeoutMs: totalMs, chunkTimeoutMs: chunkMs } = defaultSettings;
  const { model } = await compatible.load({ model: "m", baseUrl, key: null, structuredOutput: true, maxReplyBytes });
  const call = { endpoint: baseUrl, model: "m", keyName: null, secrets: [], nowMs: Date.now };
  const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "Answer." }] }];
  const patience = { signal: new AbortController().signal, totalMs, chunkMs };
  return generateReply(model, { prompt }, call, patience).then(
    () => "read",
    (error: Error) => (error.message.includes("larger than") ? "oversize" : error.message),
  );
}
