import table from "../../../data/api.json" with { type: "json" };
import type { ApiErrorBody, JsonRouteName, RouteName, RouteReply, RouteRequest } from "./routes.ts";
import type { AccessRole } from "./runs.ts";

type Address = { method: "get" | "post"; path: `/api/${string}`; access: AccessRole; summary: string };

/** The routes by name. The client needs nothing else of them, so pages stay small. */
export const addresses = table as Record<keyof typeof table, Address>;

class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, unknown>;

  constructor(
    status: number,
    { code = "internal", message = `the server answered ${status}`, details = {} }: Partial<ApiErrorBody>,
  ) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

type Given = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown };

/** The address of a route with its parameters, also for links, downloads and event sources. */
function buildPath<N extends RouteName>(name: N, request: RouteRequest<N>): string {
  const { params = {}, query = {} } = request as Given;
  const path = addresses[name].path.replaceAll(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(params[key])));
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const search = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString();
  return search === "" ? path : `${path}?${search}`;
}

type ClientOptions = { base?: string; token?: string; fetch?: typeof fetch; signal?: AbortSignal };

export async function callApi<N extends JsonRouteName>(
  name: N,
  request: RouteRequest<N>,
  { base = "", token, fetch: send = fetch, signal }: ClientOptions = {},
): Promise<RouteReply<N>> {
  const { method } = addresses[name];
  const headers: Record<string, string> = { accept: "application/json" };
  if (method === "post") headers["content-type"] = "application/json";
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  const body = method === "post" ? JSON.stringify((request as Given).body ?? {}) : undefined;
  const response = await send(`${base}${buildPath(name, request)}`, {
    method: method.toUpperCase(),
    headers,
    body,
    signal,
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new ApiError(0, { code: "offline", message: "The server does not answer; is `parley serve` running?" });
  });
  const value: unknown = await response.json().catch(() => null);
  if (response.ok) return value as RouteReply<N>;
  throw new ApiError(response.status, value ?? {});
}
