import { homedir } from "node:os";
import { join } from "node:path";

/** Where what belongs to the user lies, and to no project: so that no folder brings its own. */
export function locateUserFolder(env: Record<string, string | undefined>): string {
  return env.PARLEY_HOME ?? join(env.XDG_CONFIG_HOME ?? join(env.HOME ?? homedir(), ".config"), "parley");
}
