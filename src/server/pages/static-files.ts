import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { escapeHtml } from "../../text/layout.ts";

export type StaticFile = { content: Uint8Array<ArrayBuffer>; type: string; isForever: boolean };

/** The viewer's files by their address; what a request names is looked up here and never on the disk. */
export type StaticFiles = { find(path: string): StaticFile | null };

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".woff": "font/woff",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
};

export function readStaticFiles(folder: string | null): StaticFiles {
  const files = new Map<string, StaticFile>();
  for (const path of folder === null ? [] : listFiles(folder)) {
    const address = `/${relative(folder ?? "", path)
      .split(sep)
      .join("/")}`;
    const type = types[extname(path)] ?? "application/octet-stream";
    files.set(address, {
      content: new Uint8Array(readFileSync(path)),
      type,
      isForever: address.startsWith("/assets/"),
    });
  }
  const index = files.get("/index.html") ?? makePage("The viewer is not built", notBuilt);
  return {
    find: (path) => files.get(path) ?? (extname(path) === "" ? index : null),
  };
}

const notBuilt =
  "This server works, and its API is at /api (described by /api/openapi.json), but the viewer's files are not there. Build them with: npm run build";

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

export function makePage(title: string, text: string): StaticFile {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)}</title><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></html>\n`;
  return { content: new TextEncoder().encode(html), type: "text/html; charset=utf-8", isForever: false };
}
