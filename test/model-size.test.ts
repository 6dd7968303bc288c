import { spawnSync } from "node:child_process";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createGzip, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import * as z from "zod";
import type { Turn } from "../src/contract/turn.ts";
import { definePack } from "../src/engine/define-pack.ts";
import { createMemoryJournal } from "../src/engine/journal.ts";
import { defineRole } from "../src/engine/role.ts";
import { runDebate } from "../src/engine/run-debate.ts";
import { buildCast, parseCast } from "../src/players/cast.ts";
import type { CastOptions } from "../src/players/endpoints.ts";
import { createRateLimiters } from "../src/players/rate-limiter.ts";

const speaker = defineRole({
  name: "speaker",
  reply: z.strictObject({ answer: z.string() }),
  prompt: () => ({ instructions: "Answer.", blocks: [{ label: "QUESTION", text: "How many?" }], own: [] }),
});
const talk = definePack({
  name: "talk",
  summary: "One speaker answers.",
  input: z.strictObject({}),
  config: z.strictObject({}),
  decision: z.string().nullable(),
  roles: () => [speaker],
  async protocol(debate) {
    const reply = await debate.tryAsk(speaker, {});
    return { outcome: reply ? "decided" : "undecided", reasons: [], decision: reply?.answer ?? null };
  },
  examples: [],
  sections: () => [],
});

let server: Server | null = null;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

/** Debates over an endpoint that answers so; also what it was asked, and how much it could send. */
async function debate(answer: (response: ServerResponse) => void, settings: CastOptions["settings"] = {}) {
  const asked: string[] = [];
  const sockets: IncomingMessage["socket"][] = [];
  const listener: RequestListener = (request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      asked.push(Buffer.concat(parts).toString());
      sockets.push(request.socket);
      answer(response);
    });
  };
  server = createServer(listener);
  await new Promise<void>((done) => server?.listen(0, "127.0.0.1", done));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const options = { env: { PARLEY_BASE_URL: baseUrl }, settings, retry: { sleep: async () => undefined } };
  const cast = buildCast(parseCast("compatible/m", ["speaker"]), { ...options, limiters: createRateLimiters() });
  const finished = await runDebate({ pack: talk, input: {}, config: {}, cast, journal: createMemoryJournal([]) });
  const sent = sockets.reduce((sum, socket) => sum + socket.bytesWritten, 0);
  return { ...finished, turn: finished.turns[0] as Turn, asked, sent };
}

/** Writes pieces for ever, as fast as they are taken. */
function writeForEver(piece: string, opening = "") {
  return (response: ServerResponse): void => {
    response.writeHead(200, { "content-type": "application/json" });
    pour(response, piece, opening);
  };
}

function pour(stream: NodeJS.WritableStream, piece: string, opening: string): void {
  const go = (): void => {
    while (!(stream as ServerResponse).destroyed) if (!stream.write(piece)) return;
  };
  stream.on("drain", go);
  stream.on("error", () => undefined);
  stream.write(opening);
  go();
}

const small = { maxReplyBytes: 256 * 1024 };
const piece = "nothing but words ".repeat(500);

const tooLarge = {
  outcome: "failed",
  reasons: [expect.stringMatching(/larger than 262144 bytes and was cut/)],
};

describe("a reply without an end", () => {
  test("is cut at its size and said to be too large", async () => {
    const { result, sent } = await debate(writeForEver(piece, '{"choices":[{"message":{"content":"'), small);
    expect(result).toMatchObject(tooLarge);
    expect(sent).toBeLessThan(small.maxReplyBytes + 8_000_000);
  });

  test("is cut when it is streamed", async () => {
    const event = `data: ${JSON.stringify({ choices: [{ delta: { content: "again and " } }] })}\n\n`.repeat(50);
    const answer = (response: ServerResponse): void => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      pour(response, event, "");
    };
    expect((await debate(answer, { ...small, stream: "on" })).result).toMatchObject(tooLarge);
  });

  test("is cut after unpacking: 200 MB in 200 KB are not unpacked", async () => {
    const answer = (response: ServerResponse): void => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      const packed = createGzip();
      packed.pipe(response);
      response.on("close", () => packed.destroy());
      pour(packed, piece, "{");
    };
    expect((await debate(answer, small)).result).toMatchObject(tooLarge);
  });

  test("of a refused request ends in the failure that its status says", async () => {
    const answer = (response: ServerResponse): void => {
      response.writeHead(400, { "content-type": "text/plain" });
      pour(response, piece, "");
    };
    const { result } = await debate(answer, small);
    expect(result).toMatchObject({ outcome: "failed" });
    expect(result.reasons.join(" ")).toMatch(/status 400/);
  });
});

test("a packed answer that fits is unpacked and read", async () => {
  const completion = { choices: [{ index: 0, message: { role: "assistant", content: '{"answer":"seven"}' } }] };
  const { result } = await debate((response) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
    response.end(gzipSync(JSON.stringify({ id: "x", model: "m", created: 1, ...completion })));
  });
  expect(result.decision).toBe("seven");
});

test("answers of 200 MB and without an end stay within 300 MB of memory", () => {
  const script = new URL("./support/endless-answers.ts", import.meta.url).pathname;
  const { stdout, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  expect(stderr).toBe("");
  const { peakMb, codes } = JSON.parse(stdout) as { peakMb: number; codes: string[] };
  expect(codes).toEqual(["oversize", "oversize", "oversize"]);
  expect(peakMb).toBeLessThan(300);
});
