import { dirname, join } from "node:path";
import type { PassingEvent } from "../contract/api/index.ts";
import { hasCode, ParleyError } from "../contract/error.ts";
import type { CastOf } from "../runs/start.ts";
import { castOfStrings } from "../runs/cast.ts";
import type { UserConfig } from "../runs/user-config.ts";
import type { PersonPort } from "../players/person.ts";
import { splitCast } from "../fleet/leave-to-workers.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { StoredBudgets, withBudgets } from "../runs/budgets.ts";
import { dayBudget, type Store } from "../store/store.ts";
import type { Log } from "./http/log.ts";
import { createFleetRuns, LiveRuns } from "./live/live-runs.ts";
import { observeStore, type Censor, RunTails, Speaking } from "./live/run-tails.ts";
import { describePassing, heartbeat, isTelling, writeEvent } from "./live/event-stream.ts";
import { createActRoutes } from "./routes/act-on-runs.ts";
import { describeStatus, isWithheld } from "./routes/run-items.ts";
import { createPackRoutes } from "./routes/packs.ts";
import { createReadRoutes } from "./routes/read-runs.ts";
import { answerOverdue, createReviewRoutes } from "./routes/reviews.ts";
import { createStudyRoutes } from "./routes/studies.ts";
import { requireCast } from "./guard/owner-limits.ts";
import type { Handlers, Server, ServerRules } from "./setting/server.ts";

export type OpenOptions = {
  store: Store;
  config: UserConfig;
  env: Record<string, string | undefined>;
  rules: ServerRules;
  log: Log;
  /** Where the inbox and studies are kept; beside the store unless told otherwise. */
  folder?: string;
  /** Workers elsewhere that play the runs. */
  fleet?: Fleet;
  /** Follows every run, e.g. for a collector. */
  now?(): Date;
};

/** A server without its network. */
export type OpenServer = {
  server: Server;
  handlers: Handlers;
  /** Takes up runs that an earlier server left behind, at most so many; says how many. */
  resumeInterrupted(most: number): Promise<number>;
  /** Looks after runs of other processes, deadlines and sleeping connections; to be called now and then. */
  tick(): Promise<void>;
  beat(): void;
  /** Accepts no more runs, gives running ones some time to end, parks the rest, and closes the streams. */
  close(graceMs: number): Promise<void>;
};

/** How often a run may bring a server down before it is left alone. */
const mostTries = 3;

/** Opens a server on a store. */
export function openServer(options: OpenOptions): OpenServer {
  const { store, config, env, rules, log, now = () => new Date() } = options;
  const folder = options.folder ?? dirname(store.location);
  let isClosed = false;
  const budgets = new StoredBudgets(store.spending);
  const { maxUsdPerDay } = rules;
  const dayLimited = maxUsdPerDay === null ? null : store.spending.setLimits(dayBudget, { usd: maxUsdPerDay });
  dayLimited?.catch(() => undefined); // Whoever makes a cast hears of it.
  const { endpoints, prices } = config;
  const told = new Set<string>();
  const castWith = (person: PersonPort | null) => {
    const people = person && options.fleet ? splitCast(person) : { person };
    const plain = castOfStrings(store, { env, endpoints, prices, ...people, live: true }, (asked) => {
      if (!told.has(asked)) log("asks", { endpoint: asked });
      told.add(asked);
    });
    const limited = maxUsdPerDay === null ? plain : withBudgets(plain, [budgets.level([dayBudget])]);
    const castOfDay: CastOf = async (text, roles, limits) => {
      await dayLimited;
      return limited(requireCast(rules.casts, text), roles, {
        ...limits,
        usd: limits.usd ?? maxUsdPerDay ?? undefined,
      });
    };
    return castOfDay;
  };
  const castOf = castWith(null);
  const censor: Censor = async (id, event) => {
    if (event.type !== "ended" && event.type !== "turn") return event;
    const run = rules.blind ? await store.get(id) : null;
    if (!run || !isWithheld({ rules }, run)) return event;
    return event.type === "ended"
      ? { ...event, result: null }
      : { type: "attempt", seq: event.seq, key: event.turn.key, attempt: event.turn.attempts.length };
  };
  const speaking = new Speaking();
  const mayPass = (event: PassingEvent): boolean => !(rules.blind && isTelling(event));
  const tails = new RunTails(store, censor, (id) => speaking.tell(id).filter(mayPass));
  const observed = observeStore(store, (id) => void tails.grow(id).catch((error: unknown) => logFailure(log, error)));
  const here = new LiveRuns({
    store: observed,
    castOf,
    maxRuns: rules.maxRuns,
    maxQueued: rules.maxQueued,
    onEvent(event, run) {
      const passing = describePassing(event);
      speaking.hear(run.id, event);
      if (passing && mayPass(passing)) tails.pass(run.id, passing);
    },
    onStopped: (id, error) => void tellStopped(id, error).catch((cause: unknown) => logFailure(log, cause)),
  });
  const { fleet } = options;
  const live = fleet ? createFleetRuns(here, { store: observed, castOf, fleet }) : here;
  const tellStopped = async (id: string, error: ParleyError | null): Promise<void> => {
    speaking.forget(id);
    if (error) log("run stopped", { run: id, code: error.code });
    else log("run ended", { run: id });
    await tellStatus(id, error?.message ?? null);
  };
  const tellStatus = async (id: string, message: string | null): Promise<void> => {
    await tails.grow(id);
    const run = await store.get(id);
    if (!run) return;
    tails.pass(id, describeStatus(run, live.has(id), message));
    if (run.status === "finished" && !live.has(id)) tails.end(id);
  };
  const studiesFolder = join(folder, "studies");
  const server: Server = {
    rules,
    store: observed,
    config,
    studiesFolder,
    env,
    castOf,
    castWith,
    live,
    tails,
    fleet: fleet ?? null,
    now,
  };
  return {
    server,
    handlers: createHandlers(server),
    resumeInterrupted: (most) => resumeInterrupted(server, most, () => isClosed),
    async tick() {
      for (const id of tails.runs()) if (!live.has(id)) await tellStatus(id, null);
      await answerOverdue(server);
    },
    beat: () => tails.tellAll(heartbeat, false),
    async close(graceMs) {
      isClosed = true;
      await live.close(graceMs);
      tails.tellAll(writeEvent({ type: "closing", message: "the server is going down; come back later" }), true);
      await budgets.idle();
    },
  };
}

function createHandlers(server: Server): Handlers {
  return {
    openSession: async (_, { role, reviewer }) => ({ role, reviewer }),
    readSession: async (_, { role, reviewer }) => ({ role, reviewer }),
    ...createReadRoutes(server),
    ...createActRoutes(server),
    ...createPackRoutes(server),
    ...createReviewRoutes(server),
    ...createStudyRoutes(server),
  };
}

/** How often a run that another process still seems to hold is tried again, until its lease is over. */
const tryAgainMs = 2_000;

/** A run that was under way when its server died goes on; one that waits for a person, or brought servers down, does not. */
async function resumeInterrupted(
  { store, live, rules }: Server,
  most: number,
  isClosed: () => boolean,
): Promise<number> {
  let resumed = 0;
  const takeUp = (id: string): void => {
    if (isClosed() || live.has(id)) return;
    live.resume(id).done.catch((error: unknown) => {
      if (hasCode(error, "run_locked")) setTimeout(() => takeUp(id), tryAgainMs).unref();
    });
  };
  for (const { run: id, tries } of await store.recovery.list()) {
    const run = await store.get(id);
    const isOpen = run !== null && (run.status === "running" || run.status === "interrupted");
    if (!isOpen || tries >= mostTries || !rules.casts.includes(run.manifest.cast)) await store.recovery.forget(id);
    else if (resumed < most) {
      takeUp(id);
      resumed += 1;
    }
  }
  return resumed;
}

function logFailure(log: Log, error: unknown): void {
  const code = error instanceof ParleyError ? error.code : "internal";
  if (!hasCode(error, "interrupted")) log("error", { code });
}
