import { hasCode } from "../../contract/error.ts";
import { stopWhenLeft } from "../../fleet/leave-to-workers.ts";
import type { Fleet } from "../../fleet/fleet.ts";
import { type CastOf, type FinishedRun, prepareRun } from "../../runs/start/start-run.ts";
import type { Store } from "../../store/store.ts";
import type { LiveRuns } from "./live-runs.ts";

type FleetRunsOptions = { store: Store; castOf: CastOf; fleet: Fleet };

/**
 * The runs of a server whose workers are elsewhere: they are stored here and played there. Only an answer of a person is
 * taken here; the run then goes on with a worker, so that nothing is held while somebody thinks.
 */
export function createFleetRuns(here: LiveRuns, { store, castOf, fleet }: FleetRunsOptions): LiveRuns {
  const closing = new AbortController();
  const elsewhere = fleet.elsewhere({ signal: closing.signal });
  const handOver = (id: string, given: Parameters<LiveRuns["resume"]>[1] = {}): Promise<FinishedRun> => {
    const done = elsewhere.play(id, { budget: given.budget });
    // Whoever waits for it hears of it; nobody has to.
    done.catch(() => undefined);
    return done;
  };
  return {
    ...here,
    async start(request) {
      const id = await prepareRun({ store, castOf, elsewhere }, request);
      return { id, done: handOver(id) };
    },
    resume(id, given) {
      if (!given?.castOf) return { done: handOver(id, given) };
      const { castOf: asked } = given;
      const split: CastOf = async (...cast) => stopWhenLeft(await asked(...cast), () => here.cancel(id));
      const { done } = here.resume(id, { ...given, castOf: split });
      const left = done.catch(async (error: unknown) => {
        const run = hasCode(error, "interrupted") ? await store.get(id) : null;
        if (run) await fleet.queue.enqueue({ id, pack: run.manifest.pack });
        throw error;
      });
      return { done: left };
    },
    async close(graceMs) {
      closing.abort();
      await here.close(graceMs);
    },
  };
}
