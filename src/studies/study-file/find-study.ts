import { existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ParleyError } from "../../contract/error.ts";
import { suggestName } from "../../text/nearest-name.ts";

const bundledFolder = fileURLToPath(new URL("../../../studies/", import.meta.url));

/** The names of the studies that come with Parley. */
export function bundledStudies(): string[] {
  if (!existsSync(bundledFolder)) return [];
  return readdirSync(bundledFolder)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => name.slice(0, -".yaml".length))
    .sort();
}

/** The path of a study that comes with Parley, by its name; null when none has it. */
export function findBundledStudy(name: string): string | null {
  return bundledStudies().includes(name) ? resolve(bundledFolder, `${name}.yaml`) : null;
}

/** The path of a study file: a file of the user's, or one that comes with Parley by its name. */
export function findStudyFile(name: string, cwd: string): string {
  const own = resolve(cwd, name);
  if (existsSync(own)) return own;
  const bundled = resolve(bundledFolder, name.endsWith(".yaml") ? name : `${name}.yaml`);
  if (!/[\\/]/.test(name) && existsSync(bundled)) return bundled;
  throw new ParleyError(
    "bad_input",
    `there is no study file ${name}, and none of that name comes with Parley${suggestName(name, bundledStudies())}`,
  );
}
