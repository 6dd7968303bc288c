import { ParleyError } from "../../contract/error.ts";
import type { Store } from "../../store/store.ts";

/** The run that is meant: the one that is named, or with `--last` the one that was made last. */
export async function chooseRun(store: Store, given: string | undefined, last = false): Promise<string> {
  if (given !== undefined) return given;
  if (!last) throw new ParleyError("bad_input", "name a run, or give --last; `parley runs` lists them");
  const [run] = await store.list({ limit: 1 });
  if (!run) throw new ParleyError("unknown_run", `there are no runs in ${store.location}`);
  return run.id;
}
