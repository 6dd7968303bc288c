import { setTimeout as pause } from "node:timers/promises";
import { ParleyError } from "../../contract/error.ts";
import { createLostLeaseError } from "../lease.ts";
import { retryMs } from "../patience.ts";
import type { Database } from "./database.ts";
import { explainPostgresError } from "./postgres-error.ts";

/** A write, as the database's function `write_runs` takes it. */
export type Work = { kind: "create" | "append" | "status" | "take" | "release" | "hold" | "leave" } & Record<
  string,
  unknown
>;

/** Instructions that a write needs; they are the same in many runs. */
export type Instructions = { hash: string; text: string };

/** Collects the writes of a moment; while some are on their way, the next are collected. */
export type Writes = {
  /** Resolves with the write's answer when it is durable; writes of a run are made in order, and all of one moment or none. */
  add(run: string, work: Work, needed?: Instructions): Promise<unknown>;
  /** Resolves when nothing is on its way any more. */
  idle(): Promise<void>;
};

type Pending = {
  run: string;
  work: Work;
  needed?: Instructions;
  done(answer: unknown): void;
  failed(error: unknown): void;
};
type Answer = { done: unknown[] } | { code: string; message: string };

/**
 * The round trip to the database costs more than what is in it, so everything that is written meanwhile goes with the
 * next one. When a connection breaks nobody knows whether its writes were made: they are sent again, and the database
 * tells those that it has.
 */
export function createWrites(database: Database): Writes {
  const { patience } = database;
  const known = new Set<string>();
  let pending: Pending[] = [];
  let going: Promise<void> | null = null;

  const send = async (groups: Pending[][], again: boolean): Promise<Answer[]> => {
    const fresh = groups.flat().flatMap(({ needed }) => (needed && !known.has(needed.hash) ? [needed] : []));
    if (fresh.length > 0) await storeInstructions(database, fresh);
    for (const { hash } of fresh) known.add(hash);
    const given = groups.map((group) => ({ run: group[0]?.run, again, works: group.map(({ work }) => work) }));
    const [row] = await database.run<{ answers: Answer[] }>("SELECT write_runs($1::json) AS answers", [
      JSON.stringify(given),
    ]);
    return row?.answers ?? [];
  };
  const commit = async (writes: Pending[]): Promise<void> => {
    let groups = [...Map.groupBy(writes, (write) => write.run).values()];
    for (let again = false; groups.length > 0; again = true) {
      try {
        const answers = await send(groups, again);
        patience.succeeded();
        groups = groups.filter((group, index) => !settle(database, group, answers[index]));
      } catch (error) {
        if (!patience.isWorthWaiting(error)) return fail(groups.flat(), error);
      }
      if (groups.length > 0) await pause(retryMs);
    }
  };
  const goOn = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    while (pending.length > 0) {
      const writes = pending;
      pending = [];
      await commit(writes);
    }
    going = null;
  };
  return {
    add: (run, work, needed) =>
      new Promise((done, failed) => {
        pending.push({ run, work, needed, done, failed });
        going ??= goOn();
      }),
    idle: async () => void (await going),
  };
}

/** Tells the writers of a run how it went; false when it is worth another try. */
function settle(database: Database, group: Pending[], answer: Answer | undefined): boolean {
  if (answer && "done" in answer) {
    for (const [index, { done }] of group.entries()) done(answer.done[index]);
    return true;
  }
  const error = explainAnswer(database, group[0]?.run ?? "", answer);
  if (database.patience.isWorthWaiting(error)) return false;
  fail(group, error);
  return true;
}

function fail(writes: Pending[], error: unknown): void {
  for (const { failed } of writes) failed(error);
}

function explainAnswer(
  { address }: Database,
  run: string,
  answer: Exclude<Answer, { done: unknown }> | undefined,
): unknown {
  const { code = "", message = "no answer" } = answer ?? {};
  if (code === "PL001") return new ParleyError("store_failed", `there is a run ${run} in ${address.location} already`);
  if (code === "PL002") return createLostLeaseError(run);
  if (code === "PL003") return new ParleyError("unknown_run", `no run ${run} in ${address.location}`);
  return explainPostgresError(address.location, Object.assign(new Error(message), { code }));
}

/** In the order of their names, so that two who store the same ones do not wait for each other in a circle. */
async function storeInstructions(database: Database, fresh: Instructions[]): Promise<void> {
  const sorted = fresh.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  await database.run(
    "INSERT INTO instructions (hash, text) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING",
    [sorted.map(({ hash }) => hash), sorted.map(({ text }) => JSON.stringify(text))],
  );
}
