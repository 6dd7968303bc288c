import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { version } from "../../runs/settings/version.ts";

/** Which code made a result: the package's version and, in a checkout, the commit. */
export function readCodeVersion(): { parley: string; commit: string | null } {
  return { parley: version, commit: readCommit(fileURLToPath(new URL("../../../", import.meta.url))) };
}

/** The commit of a checkout or linked worktree; null where there is none. */
function readCommit(root: string): string | null {
  try {
    const folder = findGitFolder(join(root, ".git"));
    const head = readFileSync(join(folder, "HEAD"), "utf8").trim();
    if (!head.startsWith("ref: ")) return head;
    const ref = head.slice(5);
    const common = existsSync(join(folder, "commondir"))
      ? join(folder, readFileSync(join(folder, "commondir"), "utf8").trim())
      : folder;
    const loose = join(common, ref);
    return existsSync(loose) ? readFileSync(loose, "utf8").trim() : readPackedRef(common, ref);
  } catch {
    return null;
  }
}

function findGitFolder(path: string): string {
  const link = existsSync(join(path, "HEAD")) ? null : /^gitdir: (.+)$/m.exec(readFileSync(path, "utf8"));
  return link?.[1] ?? path;
}

function readPackedRef(folder: string, ref: string): string | null {
  const line = readFileSync(join(folder, "packed-refs"), "utf8")
    .split("\n")
    .find((one) => one.endsWith(` ${ref}`));
  return line?.split(" ")[0] ?? null;
}
