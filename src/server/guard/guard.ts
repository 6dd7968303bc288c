import type { HonoRequest } from "hono";
import { RequestError } from "../http/request.ts";
import type { Budget } from "../../contract/budget.ts";
import { ParleyError } from "../../contract/error.ts";
import type { NamesFiles } from "../../contract/run.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { shortenText } from "../../text/format.ts";

type RequestFacts = Pick<HonoRequest, "method" | "url" | "header">;

/** Against DNS rebinding: the Host header must be one of ours. */
export function requireHost(request: RequestFacts, hosts: ReadonlySet<string>): void {
  const given = request.header("host")?.toLowerCase();
  const asked = new URL(request.url).host.toLowerCase();
  if (given !== undefined && hosts.has(given) && hosts.has(asked)) return;
  throw new RequestError("wrong_host", "this server is not known by that name; use the address that it printed");
}

/** Refuses requests from other sites' pages, as declared by the browser. */
export function requireOwnPage(request: RequestFacts, hosts: ReadonlySet<string>): void {
  const site = request.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin" && site !== "none")
    throw new RequestError("wrong_origin", "another site's page sent this request; only this server's own may");
  const origin = request.header("origin");
  if (origin !== undefined && !isOwnOrigin(origin, hosts))
    throw new RequestError(
      "wrong_origin",
      "this request comes from another origin; only this server's own pages may act",
    );
}

function isOwnOrigin(origin: string, hosts: ReadonlySet<string>): boolean {
  const host = /^https?:\/\/([^/]+)$/.exec(origin.toLowerCase())?.[1];
  return host !== undefined && hosts.has(host);
}

/** Another site's form cannot send JSON without a preflight, which would be refused. */
export function requireJson(request: RequestFacts): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  const type = request.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json")
    throw new RequestError("wrong_type", "send the request as JSON, with content-type: application/json");
}

export function listOwnHosts(address: string, port: number, others: readonly string[] = []): Set<string> {
  const name = address.includes(":") ? `[${address}]` : address;
  const names = isLoopback(address) ? ["127.0.0.1", "localhost", "[::1]"] : [name];
  const withPort = [name, ...names].map((one) => `${one}:${port}`);
  const bare = port === 80 ? [name, ...names] : [];
  return new Set([...withPort, ...bare, ...others].map((one) => one.toLowerCase()));
}

export function isLoopback(address: string): boolean {
  return address === "localhost" || address === "::1" || /^127(?:\.\d{1,3}){3}$/.test(address);
}

export type Rate = { burst: number; perSecond: number };

const mostNames = 10_000;

export class RateLimit {
  readonly #rate: Rate;
  readonly #nowMs: () => number;
  readonly #buckets = new Map<string, { left: number; atMs: number }>();

  constructor(rate: Rate, nowMs: () => number = performance.now.bind(performance)) {
    this.#rate = rate;
    this.#nowMs = nowMs;
  }

  take(name: string): void {
    const left = this.#leftOf(name);
    this.#buckets.delete(name);
    this.#buckets.set(name, { left: left >= 1 ? left - 1 : left, atMs: this.#nowMs() });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > mostNames && oldest !== undefined) this.#buckets.delete(oldest);
    this.#requireOne(left);
  }

  check(name: string): void {
    this.#requireOne(this.#leftOf(name));
  }

  #leftOf(name: string): number {
    const { burst, perSecond } = this.#rate;
    const before = this.#buckets.get(name);
    return before ? Math.min(burst, before.left + ((this.#nowMs() - before.atMs) / 1000) * perSecond) : burst;
  }

  #requireOne(left: number): void {
    if (left >= 1) return;
    const seconds = Math.max(1, Math.ceil((1 - left) / this.#rate.perSecond));
    throw new RequestError("too_many", `too many requests; try again in ${seconds} s`, { "retry-after": `${seconds}` });
  }
}

const limits = ["calls", "tokens", "usd", "wallMs"] as const;

/** Applies the requested budget within the owner's; exceeding it is refused, not lowered silently. */
export function limitBudget(owner: Budget = {}, asked: Budget = {}): Budget {
  for (const name of limits) {
    const [most, wanted] = [owner[name], asked[name]];
    if (most !== undefined && wanted !== undefined && wanted > most)
      throw new ParleyError(
        "bad_input",
        `budget.${name}: ${wanted} is more than the ${most} that the owner allows here`,
      );
  }
  return { ...owner, ...asked };
}

/** Refuses a client's config that names a file which the owner has not named. */
export function requireOwnFiles<T>(pack: AnyPack, own: unknown, asked: T): T {
  const list = (config: unknown): string[] => {
    const { filesOf } = (pack.config.meta() ?? {}) as Partial<NamesFiles<unknown>>;
    const parsed = pack.config.safeParse(config);
    return (parsed.success && filesOf?.(parsed.data)) || [];
  };
  const known = list(own);
  const other = list(asked).find((file) => !known.includes(file));
  if (other === undefined) return asked;
  throw new ParleyError(
    "bad_config",
    `config: ${shortenText(other)} is a file, and only the owner may name files here`,
  );
}

export function requireCast(casts: readonly string[], given: string | undefined): string {
  const wanted = (given ?? casts[0] ?? "expert").trim();
  if (casts.includes(wanted)) return wanted;
  throw new ParleyError(
    "bad_cast",
    `the cast "${shortenText(wanted)}" may not be used here; allowed: ${casts.join(" · ")}. Whoever runs the server adds others with --allow-cast`,
  );
}
