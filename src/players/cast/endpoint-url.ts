import type { Provider } from "../model/providers.ts";

/**
 * The address to call for one that a person gave: `host:port` and addresses to listen on become addresses to call, a bare
 * host gets what its provider adds to it. Null when it is not an http(s) address.
 */
export function resolveCallableUrl(text: string, { bareHost }: Provider): string | null {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (bareHost !== null && url.port === "" && !text.startsWith("https:")) url.port = bareHost.port;
  if (bareHost !== null && url.pathname === "/") url.pathname = bareHost.path;
  return url.href.replace(/\/$/, "");
}

/** The address without what may be secret in it. */
export function shortenUrl(baseUrl: string): string {
  const url = new URL(baseUrl);
  return `${url.origin}${url.pathname}`.replace(/\/$/, "");
}
