import { ParleyError } from "../../contract/error.ts";
import type { AnyFinished, AnyPack } from "../../engine/pack.ts";
import type { StoredRun } from "./read-run.ts";

type Shown = Pick<StoredRun, "run" | "material" | "turns" | "result">;

/** Has a stored run shown by its pack; a run that the pack cannot read is damaged, or of another version, and is said to be. */
export function present<T>(
  pack: AnyPack,
  { run, material, turns, result }: Shown,
  show: (finished: AnyFinished) => T,
): T {
  const { input, config } = run.manifest;
  try {
    return show({ input, material, config, result: result as AnyFinished["result"], turns });
  } catch (cause) {
    if (cause instanceof ParleyError) throw cause;
    throw new ParleyError(
      "corrupt_store",
      `run ${run.id} cannot be shown: what it holds is not what the ${pack.name} pack of this version writes (${(cause as Error).message}). \`parley verify ${run.id}\` says where; \`parley export ${run.id}\` gives it as JSON`,
      { cause },
    );
  }
}
