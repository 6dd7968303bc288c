import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

type Chunk = { type: string; moduleIds?: readonly string[] };
type Emit = { emitFile(file: { type: "asset"; fileName: string; source: string }): unknown };

/** A plugin of the builds: what is bundled of other packages comes with their licences, in one file. */
export function writeNotices(fileName: string) {
  return {
    name: "write-notices",
    generateBundle(this: Emit, _options: unknown, bundle: Record<string, Chunk>) {
      const folders = new Set(
        Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds.flatMap((id) => findPackage(id) ?? [])),
      );
      const source = [...folders].sort().map(readNotice).join("\n\n");
      if (folders.size > 0) this.emitFile({ type: "asset", fileName, source: `${source}\n` });
    },
  };
}

/** The folder of the package that a module belongs to; null for our own. */
function findPackage(id: string): string | null {
  return /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? null;
}

function readNotice(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    name: string;
    version: string;
    license?: string;
  };
  const file = existsSync(folder) ? readdirSync(folder).find((one) => /^licen[cs]e/i.test(one)) : undefined;
  const text =
    file === undefined ? `License: ${license ?? "unknown"}` : readFileSync(join(folder, file), "utf8").trim();
  return `${name} ${version}\n${"-".repeat(72)}\n${text}`;
}
