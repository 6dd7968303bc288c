import type { RunOptions } from "../setting/options.ts";
import type { Io } from "../terminal/io.ts";

type Finder = (io: Io, options: RunOptions) => string[];

/** What a pack finds in the project besides its configuration, so that `run` uses what the pack's own command uses. */
const finders: Record<string, () => Promise<Finder>> = {
  sentiment: async () => (await import("../sentiment/chosen-layers.ts")).chooseLayers,
};

/** The settings of a pack that the project itself holds, each as `key=value`; `--set` comes after them and wins. */
export async function findProjectSettings(io: Io, pack: string, options: RunOptions): Promise<string[]> {
  const load = Object.hasOwn(finders, pack) ? finders[pack] : undefined;
  return load ? (await load())(io, options) : [];
}
