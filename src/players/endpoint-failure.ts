import { ParleyError } from "../contract/error.ts";
import { scrubError, scrubSecrets } from "./secrets.ts";
import type { FailureFacts } from "./with-retry.ts";
import { findOversize } from "./endpoint-fetch.ts";

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
