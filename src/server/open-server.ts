import { dirname, join } from "node:path";
import type { DurableEvent, PassingEvent } from "../contract/api/index.ts";
import { hasCode, ParleyError } from "../contract/error.ts";
import type { DebateEvent } from "../contract/journal.ts";
import type { Run } from "../contract/run.ts";
import type { CastOf } from "../runs/start.ts";
import { castOfStrings } from "../runs/cast.ts";
import type { UserConfig } from "../runs/user-config.ts";
import type { PersonPort } from "../players/person.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { playedByWorkers } from "../fleet/run-worker.ts";
import { StoredBudgets, withBudgets } from "../runs/budgets.ts";
import { dayBudget, type Store } from "../store/store.ts";
import { type Log, RequestError } from "./http/request.ts";
import { createFleetRuns, LiveRuns } from "./live/live-runs.ts";
import { observeStore, RunTails, Speaking } from "./live/run-tails.ts";
import { describePassing, heartbeat, isTelling, writeEvent } from "./live/event-stream.ts";
import { createActRoutes } from "./routes/act-on-runs.ts";
import { describeStatus, isWithheld, createReadRoutes } from "./routes/read-runs.ts";
import { createPackRoutes, createStudyRoutes } from "./routes/packs.ts";
import { createReviewRoutes } from "./routes/reviews.ts";
import { requireCast } from "./guard/guard.ts";
import type { Handlers, Server, ServerRules } from "./setting/server.ts";

export type OpenOptions = {
  store: Store;
  config: UserConfig;
  env: Record<string, string | undefined>;
  rules: ServerRules;
  log: Log;
  folder?: string;
  fleet?: Fleet;
  now?(): Date;
};

/** How often a run may crash the server before it is left alone. */
const mostTries = 3;

/** Retry interval for a run that another process still seems to hold. */
const tryAgainMs = 2_000;

export class OpenServer {
  readonly server: Server;
  readonly handlers: Handlers;
  readonly #options: OpenOptions;
  readonly #budgets: StoredBudgets;
  /** Resolves when the daily limit is stored; null without one. */
  readonly #dayLimit: Promise<void> | null;
  readonly #speaking = new Speaking();
  readonly #namedEndpoints = new Set<string>();
  #isClosed = false;

  constructor(options: OpenOptions) {
    const { store, config, env, rules, fleet, now = () => new Date() } = options;
    const { maxUsdPerDay } = rules;
    this.#options = options;
    this.#budgets = new StoredBudgets(store.spending);
    this.#dayLimit = maxUsdPerDay === null ? null : store.spending.setLimits(dayBudget, { usd: maxUsdPerDay });
    this.#dayLimit?.catch(() => undefined); // Reported to whoever makes a cast.
    const tails = new RunTails(
      store,
      (id, event) => this.#censor(id, event),
      (id) => this.#speaking.eventsOf(id).filter((event) => this.#mayPass(event)),
    );
    const observed = observeStore(store, (id) => this.#inBackground(tails.grow(id)));
    const players = this.#castWith(null);
    const castOf: CastOf = (text, ...rest) => players(requireCast(rules.casts, text), ...rest);
    const here = new LiveRuns({
      store: observed,
      castOf,
      maxRuns: rules.maxRuns,
      maxQueued: rules.maxQueued,
      onEvent: (event, run) => this.#describeEvent(event, run),
      onStopped: (id, error) => this.#inBackground(this.#describeStopped(id, error)),
    });
    this.server = {
      rules,
      store: observed,
      config,
      studiesFolder: join(options.folder ?? dirname(store.location), "studies"),
      env,
      castOf,
      castWith: (person) => this.#castWith(person),
      live: fleet ? createFleetRuns(here, { store: observed, castOf, fleet }) : here,
      tails,
      mcpRuns: rules.mcpAllRuns ? null : new Set(),
      fleet: fleet ?? null,
      now,
    };
    this.handlers = createHandlers(this.server);
  }

  /** Resumes up to `most` runs of an earlier server, except those that wait for a person or crashed servers. */
  async resumeInterrupted(most: number): Promise<number> {
    const { store, rules } = this.server;
    let resumed = 0;
    for (const { run: id, tries } of await store.recovery.list()) {
      const run = await store.get(id);
      const isOpen = run !== null && (run.status === "running" || run.status === "interrupted");
      if (!isOpen || tries >= mostTries || !rules.casts.includes(run.manifest.cast)) await store.recovery.forget(id);
      else if (resumed < most) {
        void this.#takeUp(id);
        resumed += 1;
      }
    }
    return resumed;
  }

  async tick(): Promise<void> {
    const { tails, live } = this.server;
    for (const id of tails.runs()) if (!live.has(id)) await this.#sendStatus(id, null);
  }

  beat(): void {
    this.server.tails.describeAll(heartbeat, false);
  }

  async close(graceMs: number): Promise<void> {
    const { live, tails } = this.server;
    this.#isClosed = true;
    await live.close(graceMs);
    tails.describeAll(writeEvent({ type: "closing", message: "the server is shutting down; try again later" }), true);
    await this.#budgets.idle();
  }

  /** Any cast, within the daily limit. Answering a waiting turn needs no permission to start its cast. */
  #castWith(person: PersonPort | null): CastOf {
    const { store, config, env, rules, fleet, log } = this.#options;
    const { endpoints, prices } = config;
    const { maxUsdPerDay } = rules;
    const people = { person, ...(person && fleet && { others: playedByWorkers }) };
    const plain = castOfStrings(store, { env, endpoints, prices, ...people, live: true }, (asked) => {
      if (!this.#namedEndpoints.has(asked)) log("asks", { endpoint: asked });
      this.#namedEndpoints.add(asked);
    });
    if (maxUsdPerDay === null) return plain;
    const limited = withBudgets(plain, [this.#budgets.level([dayBudget])]);
    return async (text, roles, limits) => {
      await this.#dayLimit;
      return limited(text, roles, { ...limits, usd: limits.usd ?? maxUsdPerDay });
    };
  }

  async #takeUp(id: string): Promise<void> {
    const { live } = this.server;
    if (this.#isClosed || live.has(id)) return;
    try {
      await live.resume(id).done;
    } catch (error) {
      const isFull = error instanceof RequestError && error.code === "too_many";
      if (isFull || hasCode(error, "run_locked")) setTimeout(() => void this.#takeUp(id), tryAgainMs).unref();
    }
  }

  async #censor(id: string, event: DurableEvent): Promise<DurableEvent> {
    const { rules, store } = this.#options;
    if (event.type !== "ended" && event.type !== "turn") return event;
    const run = rules.blind ? await store.get(id) : null;
    if (!run || !isWithheld({ rules }, run)) return event;
    return event.type === "ended"
      ? { ...event, result: null }
      : { type: "attempt", seq: event.seq, key: event.turn.key, attempt: event.turn.attempts.length };
  }

  #mayPass(event: PassingEvent): boolean {
    return !(this.#options.rules.blind && isTelling(event));
  }

  #describeEvent(event: DebateEvent, { id }: Run): void {
    const passing = describePassing(event);
    this.#speaking.hear(id, event);
    if (passing && this.#mayPass(passing)) this.server.tails.pass(id, passing);
  }

  async #describeStopped(id: string, error: ParleyError | null): Promise<void> {
    const { log } = this.#options;
    this.#speaking.forget(id);
    if (error) log("run stopped", { run: id, code: error.code });
    else log("run ended", { run: id });
    await this.#sendStatus(id, error?.message ?? null);
  }

  async #sendStatus(id: string, message: string | null): Promise<void> {
    const { store, tails, live } = this.server;
    await tails.grow(id);
    const run = await store.get(id);
    if (!run) return;
    tails.pass(id, describeStatus(run, live.has(id), message));
    if (run.status === "finished" && !live.has(id)) tails.end(id);
  }

  #inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => {
      const code = error instanceof ParleyError ? error.code : "internal";
      if (code !== "interrupted") this.#options.log("error", { code });
    });
  }
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
