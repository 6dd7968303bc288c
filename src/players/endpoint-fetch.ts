import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { pipeline, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { ParleyError } from "../contract/error.ts";
import { scrubError, scrubSecrets } from "./secrets.ts";
import type { FailureFacts } from "./with-retry.ts";

export const defaultMaxReplyBytes = 8 * 1024 * 1024;

/**
 * `fetch` for model endpoints over `node:http`: half the cost of the built-in one, no limit on thinking time, proxies
 * from the environment. It does not follow redirects, because a key belongs to one address, and cuts the connection
 * past `maxBytes`.
 */
export function createEndpointFetch(maxBytes = defaultMaxReplyBytes): typeof fetch {
  return async (input, init = {}) => {
    const headers = flattenHeaders(init.headers);
    const url = typeof input === "object" && "url" in input ? input.url : input;
    const answer = await send(new URL(url), init, headers);
    const body = readBody(answer, maxBytes);
    const isStream =
      headers.accept === "text/event-stream" && /event-stream/i.test(answer.headers["content-type"] ?? "");
    if (isStream && (answer.statusCode ?? 0) < 400) return response(Readable.toWeb(Readable.from(body)), answer);
    const whole = await buffer(body);
    if (headers.accept === "text/event-stream") requireEvents(whole, answer);
    return response(whole, answer);
  };
}

/** The SDKs pass a plain object; converting it to `Headers` would cost as much as the rest of this file. */
function flattenHeaders(given: RequestInit["headers"] = {}): Record<string, string> {
  const pairs = Symbol.iterator in given ? [...given] : Object.entries(given);
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
}

function send(url: URL, init: RequestInit, headers: Record<string, string>): Promise<IncomingMessage> {
  const body = typeof init.body === "string" ? init.body : "";
  const options: RequestOptions = {
    method: init.method ?? "GET",
    headers: { ...headers, "content-length": String(Buffer.byteLength(body)) },
    ...(init.signal ? { signal: init.signal } : {}),
  };
  return new Promise((done, failed) => {
    const request = openRequest(url, options, done);
    request.on("error", failed);
    request.end(body);
  });
}

const agents: Record<string, Agent> = {};

function openRequest(url: URL, options: RequestOptions, done: (answer: IncomingMessage) => void): ClientRequest {
  const { Agent, request } =
    url.protocol === "https:" ? process.getBuiltinModule("node:https") : process.getBuiltinModule("node:http");
  // A proxy could not reach this machine's own addresses.
  const isLocal = /^(?:localhost|\[::1\]|127\..*)$/.test(url.hostname);
  const proxy = isLocal ? {} : { proxyEnv: process.env };
  const agent = (agents[`${url.protocol} ${isLocal}`] ??= new Agent({ keepAlive: true, ...proxy }));
  return request(url, { ...options, agent }, done);
}

/** The decompressed body as it arrives, up to `maxBytes`; errors on the way keep the status. */
async function* readBody(answer: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  const isPacked = /gzip/i.test(answer.headers["content-encoding"] ?? "");
  const unpacked = isPacked ? pipeline(answer, createGunzip(), () => undefined) : answer;
  let size = 0;
  try {
    for await (const part of unpacked as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes and was cut`);
      yield part;
    }
  } catch (error) {
    throw Object.assign(error as Error, { statusCode: answer.statusCode });
  }
}

/** An endpoint may answer a streaming request with an HTML page or a JSON error with status 200; the SDK would read that as a stream without events. */
function requireEvents(body: Buffer, { statusCode = 0 }: IncomingMessage): void {
  const responseBody = body.toString("utf8");
  if (statusCode >= 400 || /^data:/m.test(responseBody)) return;
  const error = new Error("a streamed request was not answered with an event stream");
  throw Object.assign(error, { statusCode, responseBody });
}

function response(body: unknown, answer: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct)) {
    if (name === "content-encoding" || name === "content-length") continue;
    for (const value of values ?? []) headers.append(name, value);
  }
  const { statusCode: status = 0, statusMessage: statusText = "" } = answer;
  return new Response(body as BodyInit, { status, statusText, headers });
}

export type FailedCall = {
  endpoint: string;
  model: string;
  keyName: string | null;
  secrets: readonly string[];
  nowMs(): number;
};

export function createTimeoutFailure(call: FailedCall, ms: number, waitingFor: string): ParleyError {
  const what = `no ${waitingFor} within ${ms} ms; raise timeout_ms or chunk_timeout_ms of this endpoint if it is just slow`;
  return failure(call, what, { status: null, retryable: false, retryAfterMs: null, spent: "unknown" });
}

export function createFailure(call: FailedCall, error: unknown): ParleyError {
  const thrown: ThrownBySdk = causesOf(error).find((one) => typeof one.statusCode === "number") ?? {};
  const status = thrown.statusCode ?? null;
  if (status !== null && status >= 300) return refusal(call, thrown, status, error);
  const network = findNetworkCode(error);
  if (network !== null) return createConnectionFailure(call, network, status, error);
  const body = thrown.responseBody;
  const what =
    body === undefined
      ? `the call failed: ${messageOf(causesOf(error).at(-1) ?? error)}`
      : body.trim() === ""
        ? "the answer is empty"
        : `the answer is not a chat completion: ${cutExcerpt(body)}`;
  return failure(call, what, { status, retryable: false, retryAfterMs: null, spent: "unknown" }, error);
}

function causesOf(error: unknown): Record<string, unknown>[] {
  const chain: Record<string, unknown>[] = [];
  for (let at = error; typeof at === "object" && at !== null && chain.length < 6; at = chain.at(-1)?.cause)
    chain.push(at as Record<string, unknown>);
  return chain;
}

type ThrownBySdk = {
  statusCode?: number;
  responseBody?: string;
  responseHeaders?: Record<string, string>;
  message?: string;
  data?: unknown;
};

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
  if (certificate.test(code)) {
    const what = /^EPROTO|SSL/.test(code)
      ? `the TLS handshake failed (${code}); is it https?`
      : `its certificate is refused (${code}); for your own certificate authority, set NODE_EXTRA_CA_CERTS`;
    return failure(call, what, { status, retryable: false, retryAfterMs: null, spent: "nothing" }, cause);
  }
  const reached = !neverReached.has(code);
  const what =
    status === null && !reached ? `cannot be reached (${code}); is it running?` : `the connection was lost (${code})`;
  const spent = reached ? "unknown" : "nothing";
  return failure(call, what, { status, retryable: status === null, retryAfterMs: null, spent }, cause);
}

/** TLS errors that Node does not accept; retrying would not help. */
const certificate =
  /^(?:CERT_|CRL_|UNABLE_TO_|INVALID_|PATH_LENGTH|HOSTNAME_MISMATCH|.*SELF_SIGNED|EPROTO|ERR_SSL_|ERR_TLS_)/;

const neverReached = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

function findNetworkCode(error: unknown): string | null {
  const codes = causesOf(error).map(({ code }) => code);
  const isNetwork = (code: unknown): code is string =>
    typeof code === "string" && (/^(?:E[A-Z]|UND_)/.test(code) || certificate.test(code));
  return codes.find(isNetwork) ?? null;
}

/** `Retry-After` (seconds or an HTTP date) in milliseconds from now, by the sender's clock if known; null when absent or unreadable. */
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

/** An endpoint's message on one line: the beginning of a page, or nearly all of a JSON error, whose wrong key comes last. */
function cutExcerpt(text: string, most = text.trimStart().startsWith("{") ? longMessage : shortMessage): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= most) return line;
  return most === shortMessage ? `${line.slice(0, most)}…` : `${line.slice(0, most / 2)} … ${line.slice(-most / 2)}`;
}

const shortMessage = 200;
const longMessage = 800;
