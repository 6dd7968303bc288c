import type { AgentOptions, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { pipeline, Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/**
 * `fetch` for model endpoints, over `node:http`: half the cost of the built-in one, no limit of its own on how long an
 * endpoint may think, proxies from the environment. It does not follow redirects: a key belongs to one address. Answers
 * have a size: past it the connection is cut.
 */
export function createEndpointFetch(maxBytes = defaultMaxReplyBytes): typeof fetch {
  return async (input, init = {}) => {
    const headers = flattenHeaders(init.headers);
    const url = typeof input === "object" && "url" in input ? input.url : input;
    const answer = await send(new URL(url), init, headers);
    const status = answer.statusCode ?? 0;
    if (headers.accept !== "text/event-stream" || status >= 400)
      return response(await readWholeBody(answer, maxBytes), answer);
    if (/event-stream/i.test(answer.headers["content-type"] ?? ""))
      return response(streamBody(answer, maxBytes), answer);
    return readEventStream(await readWholeBody(answer, maxBytes), answer);
  };
}

/** The SDKs hand over a plain object; making it a `Headers` only to read it again costs as much as the rest of this file. */
function flattenHeaders(given: RequestInit["headers"] = {}): Record<string, string> {
  const pairs = Symbol.iterator in given ? [...given] : Object.entries(given);
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
}

/** Where requests of one kind go out; what it needs of Node is loaded with its first request, since many runs make none. */
type Door = { request(url: URL, options: RequestOptions, done: (answer: IncomingMessage) => void): ClientRequest };

const doors = {
  /** A proxy could not reach this machine's own addresses. */
  loopback: openOnce(() => openHttp({ keepAlive: true })),
  http: openOnce(() => openHttp({ keepAlive: true, proxyEnv: process.env })),
  https: openOnce(() => {
    const { Agent, request } = process.getBuiltinModule("node:https");
    const agent = new Agent({ keepAlive: true, proxyEnv: process.env });
    return { request: (url, options, done) => request(url, { ...options, agent }, done) };
  }),
};

function openHttp(kept: AgentOptions): Door {
  const { Agent, request } = process.getBuiltinModule("node:http");
  const agent = new Agent(kept);
  return { request: (url, options, done) => request(url, { ...options, agent }, done) };
}

function openOnce(open: () => Door): () => Door {
  let door: Door | null = null;
  return () => (door ??= open());
}

function chooseDoor(url: URL): Door {
  if (url.protocol === "https:") return doors.https();
  return isLoopback(url) ? doors.loopback() : doors.http();
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
}

function send(url: URL, init: RequestInit, headers: Record<string, string>): Promise<IncomingMessage> {
  const body = typeof init.body === "string" ? init.body : "";
  const options: RequestOptions = {
    method: init.method ?? "GET",
    headers: { ...headers, "content-length": String(Buffer.byteLength(body)) },
    ...(init.signal ? { signal: init.signal } : {}),
  };
  return new Promise((done, failed) => {
    const request = chooseDoor(url).request(url, options, done);
    request.on("error", failed);
    request.end(body);
  });
}

/**
 * An endpoint may answer a streamed request with something other than an event stream (an HTML page, a JSON error with
 * status 200): the SDK would read it as a stream without a single event.
 */
function readEventStream(body: Buffer, answer: IncomingMessage): Response {
  if (/^data:/m.test(body.toString("utf8"))) return response(body, answer);
  const error = new Error("a streamed request was not answered with an event stream");
  throw Object.assign(error, { statusCode: answer.statusCode, responseBody: body.toString("utf8") });
}

function response(body: Buffer | ReadableStream, answer: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct)) {
    if (name === "content-encoding" || name === "content-length") continue;
    for (const value of values ?? []) headers.append(name, value);
  }
  return new Response(body as BodyInit, {
    status: answer.statusCode ?? 0,
    statusText: answer.statusMessage ?? "",
    headers,
  });
}

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
