import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

/** How a process is started that mode bits bind: as this user, or as nobody when this user is root. */
const through = process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];

/** Null where such a process cannot be started, or cannot read Parley itself. */
export const unprivileged: string[] | null = canStart() ? through : null;

function canStart(): boolean {
  const source = resolve(import.meta.dirname, "../../src/cli/main.ts");
  const script = `require("fs").readFileSync(${JSON.stringify(source)})`;
  const [command, ...args] = [...through, process.execPath, "-e", script];
  return command !== undefined && spawnSync(command, args).status === 0;
}
