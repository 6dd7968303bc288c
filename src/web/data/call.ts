import type { ApiErrorBody, JsonRouteName, RouteReply } from "../../contract/api/index.ts";

/** An answer that was not a success. */
export class CallError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, { code, message }: Pick<ApiErrorBody, "code" | "message">) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Asks the server; `path` is the address of the route that is named. */
export async function call<N extends JsonRouteName>(_route: N, path: string, body?: unknown): Promise<RouteReply<N>> {
  const response = await fetch(path, {
    method: body === undefined ? "GET" : "POST",
    headers:
      body === undefined
        ? { accept: "application/json" }
        : { accept: "application/json", "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new CallError(0, { code: "offline", message: "The server does not answer; is `parley serve` running?" });
  });
  const value = (await response.json().catch(() => null)) as unknown;
  if (response.ok) return value as RouteReply<N>;
  const problem = value as Partial<ApiErrorBody> | null;
  throw new CallError(response.status, {
    code: problem?.code ?? "internal",
    message: problem?.message ?? `the server answered ${response.status}`,
  });
}

/** A query string of what is given. */
export function toQuery(values: Record<string, string | number | undefined>): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
}
