import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ParleyError } from "../contract/error.ts";
import type { PageRenderer } from "../contract/api/page.ts";

type Part = "web" | "page";

const root = fileURLToPath(new URL("../..", import.meta.url));
const entries: Record<Part, string> = { web: "index.html", page: "page.js" };

/** The folder of a built part of the viewer. A checkout rebuilds it when sources are newer; a package includes it. */
export function findViewerBuild(part: Part): string {
  const folder = join(root, "dist", part);
  const entry = join(folder, entries[part]);
  const isCheckout = existsSync(join(root, "src/web/page.tsx"));
  if (isCheckout && isOlder(entry)) build(part, folder);
  if (!existsSync(entry)) throw new ParleyError("bad_input", `the viewer is not built: ${entry} is not there`);
  return folder;
}

function isOlder(entry: string): boolean {
  const builtMs = statSync(entry, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return ["src/web", "src/contract", "data/words"].some((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).some(
      (file) => file.isFile() && statSync(join(file.parentPath, file.name)).mtimeMs > builtMs,
    ),
  );
}

/** Builds in a separate folder and renames it into place, so that several processes can build at once. */
function build(part: Part, folder: string): void {
  const vite = join(root, "node_modules/vite/bin/vite.js");
  if (!existsSync(vite))
    throw new ParleyError("bad_input", "the viewer is not built, and Vite is not installed: run npm ci");
  if (process.stderr.isTTY) process.stderr.write("Building the viewer, which takes a few seconds…\n");
  mkdirSync(join(root, "dist"), { recursive: true });
  const made = mkdtempSync(join(root, "node_modules/.viewer-"));
  const options = [...(part === "page" ? ["--ssr", "page.tsx"] : []), "--outDir", made, "--logLevel", "error"];
  const { status, stderr } = spawnSync(process.execPath, [vite, "build", ...options], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production" },
    encoding: "utf8",
  });
  if (status !== 0) throw new ParleyError("bad_input", `the viewer could not be built: ${stderr.trim()}`);
  chmodSync(made, 0o755);
  const before = `${made}-before`;
  if (existsSync(folder)) renameSync(folder, before);
  try {
    renameSync(made, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
  for (const left of [made, before]) rmSync(left, { recursive: true, force: true });
}

let renderer: Promise<PageRenderer> | null = null;

export function loadPageRenderer(): Promise<PageRenderer> {
  renderer ??= import(pathToFileURL(join(findViewerBuild("page"), entries.page)).href) as Promise<PageRenderer>;
  return renderer;
}
