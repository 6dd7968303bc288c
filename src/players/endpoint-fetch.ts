import type { AgentOptions, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { pipeline, Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { ParleyError } from "../contract/error.ts";
import { scrubError, scrubSecrets } from "./secrets.ts";
import type { FailureFacts } from "./with-retry.ts";

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

/** A lazy HTTP client: its Node modules are loaded with the first request, since many runs make none. */
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

/** Where the failed call went, and how to name it. */
export type FailedCall = {
  endpoint: string;
  model: string;
  keyName: string | null;
  secrets: readonly string[];
  nowMs(): number;
};

/** A call that took longer than it may. */
export function createTimeoutFailure(call: FailedCall, ms: number, waitingFor: string): ParleyError {
  const what = `no ${waitingFor} within ${ms} ms; raise timeout_ms or chunk_timeout_ms of this endpoint if it is just slow`;
  return failure(call, what, { status: null, retryable: false, retryAfterMs: null, spent: "unknown" });
}

/** Turns whatever the AI SDK threw into a clear error without secrets. */
export function createFailure(call: FailedCall, error: unknown): ParleyError {
  const thrown = answered(error);
  const status = thrown.statusCode ?? null;
  if (status !== null && status >= 300) return refusal(call, thrown, status, error);
  const oversize = findOversize(error);
  if (oversize !== null)
    return failure(call, oversize.message, { status: 200, retryable: false, retryAfterMs: null, spent: "unknown" });
  const network = findNetworkCode(error);
  if (network !== null) return createConnectionFailure(call, network, status, error);
  const what = status === null ? `the call failed: ${messageOf(error)}` : explainNoCompletion(thrown.responseBody);
  return failure(call, what, { status, retryable: false, retryAfterMs: null, spent: "unknown" }, error);
}

/** The part of an error that knows of an answer: itself or one of its causes. */
function answered(error: unknown): ThrownBySdk {
  let at: unknown = error;
  for (let depth = 0; depth < 6 && typeof at === "object" && at !== null; depth += 1) {
    if (typeof (at as ThrownBySdk).statusCode === "number") return at;
    at = (at as { cause?: unknown }).cause;
  }
  return {};
}

type ThrownBySdk = {
  statusCode?: number;
  responseBody?: string;
  responseHeaders?: Record<string, string>;
  message?: string;
  /** The error as the provider's own JSON, when the body is that. */
  data?: unknown;
};

function explainNoCompletion(body: string | undefined): string {
  if (body === undefined) return "the answer is not a chat completion";
  return body.trim() === "" ? "the answer is empty" : `the answer is not a chat completion: ${cutExcerpt(body)}`;
}

function refusal(call: FailedCall, thrown: ThrownBySdk, status: number, cause: unknown): ParleyError {
  const said =
    thrown.data === undefined ? cutExcerpt(thrown.responseBody ?? "") : cutExcerpt(thrown.message ?? "", longMessage);
  const theirMs = Date.parse(thrown.responseHeaders?.date ?? "");
  const retryAfterMs = retryAfter(
    thrown.responseHeaders?.["retry-after"],
    Number.isNaN(theirMs) ? call.nowMs() : theirMs,
  );
  const what = `status ${status}${findAdvice(call, status, said, thrown.responseHeaders?.location)}${said === "" ? "" : `: ${said}`}`;
  const retryable = isRetryable(status) && !/insufficient_quota/.test(thrown.responseBody ?? "");
  return failure(call, what, { status, retryable, retryAfterMs, spent: "nothing" }, cause);
}

function findAdvice(call: FailedCall, status: number, said: string, location = "elsewhere"): string {
  if (status < 400) return ` (it redirects to ${location}; name that address instead)`;
  if (status === 401 || status === 403) return call.keyName === null ? "" : ` (is ${call.keyName} set and right?)`;
  if (status === 404) return ` (does it have the model "${call.model}"?)`;
  if (status < 500 && /response_format|json_schema|structured|grammar/i.test(said))
    return " (if it has no structured output, set structured_output: false for it)";
  if (status < 500 && /max(?:_completion|_output)?_tokens|maxOutputTokens/i.test(said))
    return " (lower max_output_tokens and max_output_tokens_ceiling for it)";
  return "";
}

function isRetryable(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 505);
}

function createConnectionFailure(call: FailedCall, code: string, status: number | null, cause: unknown): ParleyError {
  const certificate = explainCertificate(code);
  if (certificate !== null)
    return failure(call, certificate, { status, retryable: false, retryAfterMs: null, spent: "nothing" }, cause);
  const reached = !neverReached.has(code);
  const what =
    status === null && !reached ? `cannot be reached (${code}); is it running?` : `the connection was lost (${code})`;
  const retryable = status === null && !patienceCodes.has(code);
  const spent = reached ? "unknown" : "nothing";
  return failure(call, what, { status, retryable, retryAfterMs: null, spent }, cause);
}

/** The request cannot have been answered: there was no connection. */
const neverReached = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);
/** The endpoint took the request and kept silent: asking again would only wait, and maybe pay, again. */
const patienceCodes = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);

function findNetworkCode(error: unknown): string | null {
  let at: unknown = error;
  for (let depth = 0; depth < 6 && typeof at === "object" && at !== null; depth += 1) {
    const code = (at as { code?: unknown }).code;
    if (typeof code === "string" && (/^(?:E[A-Z]|UND_)/.test(code) || explainCertificate(code) !== null)) return code;
    at = (at as { cause?: unknown }).cause;
  }
  return error instanceof TypeError && error.message === "terminated" ? "terminated" : null;
}

/** `Retry-After` in seconds or as an HTTP date, in milliseconds from now, best by the clock of who wrote it; null when absent or unreadable. */
export function retryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined || header.trim() === "") return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

function failure(call: FailedCall, what: string, facts: Omit<FailureFacts, "endpoint">, cause?: unknown): ParleyError {
  const message = scrubSecrets(`${call.endpoint}, ${call.model}: ${what}`, call.secrets);
  const details = { endpoint: call.endpoint, ...facts };
  return new ParleyError("endpoint_failed", message, {
    details,
    ...(cause === undefined ? {} : { cause: scrubError(cause, call.secrets) }),
  });
}

function messageOf(error: unknown): string {
  const message = (error as { message?: unknown } | null)?.message;
  return typeof message === "string" ? cutExcerpt(message) : cutExcerpt(JSON.stringify(error) ?? String(error));
}

/** What an endpoint said, on one line: of a page the beginning, of JSON nearly all, since the key that is wrong stands at the end. */
function cutExcerpt(text: string, most = text.trimStart().startsWith("{") ? longMessage : shortMessage): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= most) return line;
  return most === shortMessage ? `${line.slice(0, most)}…` : `${line.slice(0, most / 2)} … ${line.slice(-most / 2)}`;
}

const shortMessage = 200;
const longMessage = 800;

/** Why a certificate was not accepted, by the code that Node gives; the rest is told by the code alone. */
const reasons: [RegExp, string][] = [
  [/^CERT_HAS_EXPIRED$/, "it has expired"],
  [/^CERT_NOT_YET_VALID$/, "it is not valid yet; is this machine's clock right?"],
  [/^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, "it is another host's"],
  [/^(?:DEPTH_ZERO_)?SELF_SIGNED_CERT/, "it is self-signed"],
  [/^UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/, "its issuer is not known here"],
  [/^CERT_(?:REVOKED|REJECTED|UNTRUSTED)$/, "it was revoked or is not trusted"],
  [/^(?:CERT_|CRL_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/, "it cannot be checked"],
];

/** What is wrong with the other side's certificate or TLS, when this code says so; asking again would not mend it. */
export function explainCertificate(code: string): string | null {
  const reason = reasons.find(([pattern]) => pattern.test(code))?.[1];
  if (reason !== undefined)
    return `its certificate is refused: ${reason} (${code}); for an authority of your own set NODE_EXTRA_CA_CERTS`;
  return /^(?:EPROTO|ERR_SSL_|ERR_TLS_)/.test(code)
    ? `it does not speak TLS as it should (${code}); is it https?`
    : null;
}
