import { dirname, join } from "node:path";
import type { Budget } from "../../contract/budget.ts";
import { hasCode, ParleyError } from "../../contract/error.ts";
import { loadPack } from "../../packs/registry.ts";
import type { CastOf } from "../../runs/start.ts";
import type { Store } from "../../store/store.ts";
import {
  findBundledStudy,
  readStudy,
  runStudy,
  type Study,
  type StudyProgress,
  writeReports,
} from "../../studies/index.ts";
import { capBudget } from "../guard/owner-limits.ts";
import { RequestError } from "../http/request.ts";

/** The studies that a server runs, one of a name at a time. */
export type LiveStudies = {
  start(name: string, changes: Partial<Pick<Study, "cast" | "seeds" | "budget">>, limit?: number): Promise<void>;
  cancel(name: string): boolean;
  has(name: string): boolean;
  progress(name: string): StudyProgress | null;
  /** Why the last session of a study stopped, when it did. */
  stopped(name: string): string | null;
  close(): Promise<void>;
};

type Session = { stop: AbortController; progress: StudyProgress | null; done: Promise<void> };
/** `runBudget` is the most that a run may use, whatever a study says. */
type StudySetting = { store: Store; castOf: CastOf; folder: string; maxStudies: number; runBudget?: Budget };

export function createLiveStudies({ store, castOf, folder, maxStudies, runBudget }: StudySetting): LiveStudies {
  const sessions = new Map<string, Session>();
  const reasons = new Map<string, string>();
  let isClosed = false;
  const play = async (study: Study, file: string, session: Session): Promise<void> => {
    const pack = await loadPack(study.pack);
    const out = join(folder, study.study);
    const runs = { store, castOf, signal: session.stop.signal };
    const onProgress = (now: StudyProgress): void => void (session.progress = now);
    const done = await runStudy({ study, pack, folder: dirname(file), out, runs, onProgress });
    await writeReports(out, done, pack);
    if (done.exhausted) reasons.set(study.study, "its budget is used up");
    else if (done.waiting > 0) reasons.set(study.study, `${done.waiting} of its runs wait for a person`);
  };
  return {
    async start(name, changes, limit) {
      if (isClosed) throw new RequestError("shutting_down", "the server is going down and takes no more studies");
      const file = findBundledStudy(name);
      if (file === null) throw new RequestError("not_found", `no study "${name}" comes with Parley`);
      const plain = readStudy(file);
      const dataset = limit === undefined ? plain.dataset : { ...plain.dataset, limit };
      const study: Study = { ...plain, ...changes, dataset, run_budget: capBudget(runBudget, plain.run_budget) };
      if (sessions.has(study.study))
        throw new RequestError("conflict", `the study ${study.study} is under way already`);
      if (sessions.size >= maxStudies)
        throw new RequestError("too_many", `${sessions.size} studies are under way; try again when one has ended`);
      const session: Session = { stop: new AbortController(), progress: null, done: Promise.resolve() };
      sessions.set(study.study, session);
      reasons.delete(study.study);
      session.done = play(study, file, session)
        .catch((error: unknown) => void reasons.set(study.study, explainStop(error)))
        .finally(() => void sessions.delete(study.study));
    },
    cancel(name) {
      sessions.get(name)?.stop.abort();
      return sessions.has(name);
    },
    has: (name) => sessions.has(name),
    progress: (name) => sessions.get(name)?.progress ?? null,
    stopped: (name) => reasons.get(name) ?? null,
    async close() {
      isClosed = true;
      for (const { stop } of sessions.values()) stop.abort();
      await Promise.all([...sessions.values()].map(({ done }) => done));
    },
  };
}

function explainStop(error: unknown): string {
  if (hasCode(error, "interrupted")) return "it was stopped; what is done is kept";
  return error instanceof ParleyError ? error.message : "an error of Parley's own; the server's log says more";
}
