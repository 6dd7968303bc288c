import type { ApiErrorBody } from "../../contract/api/index.ts";
import { type ErrorCode, ParleyError } from "../../contract/error.ts";

const statuses = {
  unauthorized: 401,
  forbidden: 403,
  wrong_host: 421,
  wrong_origin: 403,
  not_found: 404,
  wrong_method: 405,
  wrong_type: 415,
  too_large: 413,
  too_many: 429,
  conflict: 409,
  shutting_down: 503,
  internal: 500,
};

type RequestErrorCode = keyof typeof statuses;

const statusesOfRuns: Partial<Record<ErrorCode, number>> = {
  bad_input: 400,
  bad_config: 400,
  bad_cast: 400,
  missing_key: 400,
  not_trusted: 403,
  unknown_run: 404,
  duplicate_turn: 409,
  drifted: 409,
  not_recorded: 409,
  budget_exhausted: 409,
  parked: 409,
  run_locked: 409,
  lost_lease: 409,
  interrupted: 409,
  cancelled: 409,
  endpoint_failed: 502,
  store_failed: 503,
};

export class RequestError extends Error {
  readonly code: RequestErrorCode;
  readonly headers: Record<string, string>;

  constructor(code: RequestErrorCode, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.name = "RequestError";
    this.code = code;
    this.headers = headers;
  }
}

/** Responds to an error. Unexpected errors are bugs, and their message is not sent. */
export function describeError(error: unknown): { status: number; body: ApiErrorBody; headers: Record<string, string> } {
  if (error instanceof RequestError) {
    const { code, message, headers } = error;
    return { status: statuses[code], body: { code, message, details: {} }, headers };
  }
  if (error instanceof ParleyError) {
    const { code, message, details } = error;
    return { status: statusesOfRuns[code] ?? 500, body: { code, message, details }, headers: {} };
  }
  const message = "something went wrong inside the server; its log says more";
  return { status: 500, body: { code: "internal", message, details: {} }, headers: {} };
}

export async function readJsonBody(request: Request, maxBytes: number): Promise<unknown> {
  const tooLarge = (): RequestError =>
    new RequestError("too_large", `the body is larger than ${maxBytes} bytes, the limit of this server`);
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)));
  } catch (cause) {
    if (cause instanceof RequestError) throw cause;
    const why = (cause as Error).message.slice(0, 200);
    throw new ParleyError("bad_input", `the body is not whole, valid JSON in UTF-8: ${why}`, { cause });
  }
}

/** Names and numbers only, never the text of a case, a reply or a token. */
type LogLine = Record<string, string | number | boolean | null>;

export type Log = (event: string, line?: LogLine) => void;

export function createLog(write: (text: string) => void, now: () => Date): Log {
  return (event, line = {}) => write(`${JSON.stringify({ time: now().toISOString(), event, ...line })}\n`);
}
