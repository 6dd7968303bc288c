import type { Journal } from "../engine/journal.ts";
import { sqliteStore } from "./sqlite.ts";
import type { BegunRun, NewRun, Store } from "./store.ts";

type Unwritten = { id: string; write(store: Store): Promise<unknown> };

/**
 * A store in memory, the library's default: an SQLite database without a file. It is opened when somebody first asks
 * for something; the runs begun before that are written into it then, so a run that nobody looks at costs nothing.
 */
export function memoryStore(): Store {
  let opened: Store | null = null;
  const unwritten: Unwritten[] = [];
  let written: Promise<unknown> | null = null;
  const open = (): Store => {
    if (opened) return opened;
    const store = sqliteStore(":memory:");
    opened = store;
    const writing = Promise.all(unwritten.splice(0).map((run) => run.write(store)));
    written = writing;
    writing.then(
      () => (written = null),
      () => undefined,
    );
    return store;
  };
  /** Each function of a part of the store, asked when every run begun before is written. */
  const defer = <P extends object, K extends keyof P>(part: (store: Store) => P, names: readonly K[]): Pick<P, K> => {
    const ask =
      (name: K) =>
      async (...given: unknown[]): Promise<unknown> => {
        const owner = part(open());
        if (written) await written;
        return (owner[name] as (...all: unknown[]) => unknown)(...given);
      };
    return Object.fromEntries(names.map((name) => [name, ask(name)])) as Pick<P, K>;
  };
  return {
    ...defer((store) => store, acts),
    location: "memory",
    begin(run, once) {
      if (opened || once || unwritten.some(({ id }) => id === run.id)) return open().begin(run, once);
      const { begun, write } = holdBack(run, open);
      unwritten.push({ id: run.id, write });
      return begun;
    },
    inbox: defer(({ inbox }) => inbox, ["see", "claim", "release", "settle"]),
    recovery: defer(({ recovery }) => recovery, ["note", "list", "forget"]),
    sessions: defer(({ sessions }) => sessions, ["find", "keep"]),
    spending: defer(({ spending }) => spending, ["setLimits", "limited", "reserve", "settle"]),
    close: async () => {},
  };
}

const acts = [
  ...(["create", "get", "list", "page", "ids", "reviewed", "problems", "setStatus"] as const),
  ...(["journal", "entriesAfter", "lock", "held", "getVectors", "putVectors"] as const),
];

/** A run whose entries wait until the store is opened. */
function holdBack(run: NewRun, open: () => Store): { begun: BegunRun } & Pick<Unwritten, "write"> {
  const said: Parameters<Journal["append"]>[] = [];
  let begun: BegunRun | null = null;
  let isReleased = false;
  return {
    async write(store) {
      begun = store.begin(run);
      await Promise.all([begun.stored, ...said.splice(0).map((entry) => begun?.journal.append(...entry))]);
      if (isReleased) await begun.lease.release();
    },
    begun: {
      stored: Promise.resolve(run.id),
      lease: {
        epoch: 1,
        async release() {
          isReleased = true;
          await begun?.lease.release();
        },
      },
      journal: {
        entries: [],
        async append(...entry) {
          if (begun) await begun.journal.append(...entry);
          else said.push(entry);
        },
        async prompt(hash) {
          open();
          return begun?.journal.prompt(hash) ?? null;
        },
      },
    },
  };
}
