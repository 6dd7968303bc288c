import statuses from "../../../data/statuses.json" with { type: "json" };
import type { ApiErrorBody } from "../../contract/api/index.ts";
import { type ErrorCode, ParleyError } from "../../contract/error.ts";

type RequestErrorCode = Exclude<keyof typeof statuses, ErrorCode>;

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
    return {
      status: (statuses as Partial<Record<ErrorCode, number>>)[code] ?? 500,
      body: { code, message, details },
      headers: {},
    };
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
