import { dirname, join } from "node:path";
import { hasCode, ParleyError } from "../contract/error.ts";
import type { CastOf } from "../runs/start.ts";
import { castOfStrings } from "../runs/cast.ts";
import type { UserConfig } from "../runs/settings.ts";
import type { PersonPort } from "../players/person.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { playedByWorkers } from "../fleet/run-worker.ts";
import { StoredBudgets, withBudgets } from "../runs/budgets.ts";
import { dayBudget, type Store } from "../store/store.ts";
import { type Log, RequestError } from "./http/request.ts";
import { createFleetRuns, LiveRuns } from "./live/live-runs.ts";
import { RunTails } from "./live/run-tails.ts";
import { requireCast } from "./guard/guard.ts";
import type { Server, ServerRules } from "./setting/server.ts";

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
  readonly #options: OpenOptions;
  readonly #budgets: StoredBudgets;
  /** Resolves when the daily limit is stored; null without one. */
  readonly #dayLimit: Promise<void> | null;
  readonly #namedEndpoints = new Set<string>();
  #isClosed = false;

  constructor(options: OpenOptions) {
    const { store, config, env, rules, fleet, now = () => new Date() } = options;
    const { maxUsdPerDay } = rules;
    this.#options = options;
    this.#budgets = new StoredBudgets(store.spending);
    this.#dayLimit = maxUsdPerDay === null ? null : store.spending.setLimits(dayBudget, { usd: maxUsdPerDay });
    this.#dayLimit?.catch(() => undefined); // Reported to whoever makes a cast.
    const players = this.#castWith(null);
    const castOf: CastOf = (text, ...rest) => players(requireCast(rules.casts, text), ...rest);
    const here = new LiveRuns({
      store,
      castOf,
      maxRuns: rules.maxRuns,
      maxQueued: rules.maxQueued,
      onEvent: (event, { id }) => this.server.tails.hear(id, event),
      onStopped: (id, error) => this.#describeStopped(id, error),
    });
    const live = fleet ? createFleetRuns(here, { store, castOf, fleet }) : here;
    this.server = {
      rules,
      store,
      config,
      studiesFolder: join(options.folder ?? dirname(store.location), "studies"),
      env,
      castOf,
      castWith: (person) => this.#castWith(person),
      live,
      tails: new RunTails({ store, isLive: (id) => live.has(id), blind: rules.blind }),
      mcpRuns: rules.mcpAllRuns ? null : new Set(),
      fleet: fleet ?? null,
      now,
    };
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

  async close(graceMs: number): Promise<void> {
    const { live, tails } = this.server;
    this.#isClosed = true;
    await live.close(graceMs);
    tails.close();
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

  #describeStopped(id: string, error: ParleyError | null): void {
    const { log } = this.#options;
    if (error) log("run stopped", { run: id, code: error.code });
    else log("run ended", { run: id });
    // If this is lost, followers learn it at the next tick.
    this.server.tails.tell(id, error?.message ?? null).catch(() => undefined);
  }
}
