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
  const ask =
    <T, A extends unknown[]>(question: (store: Store) => (...given: A) => Promise<T>) =>
    (...given: A): Promise<T> => {
      const answer = question(open());
      return written ? written.then(() => answer(...given)) : answer(...given);
    };
  const part = <K extends "inbox" | "recovery" | "sessions" | "spending">(name: K) =>
    new Proxy({} as Store[K], {
      get: (_, act) => ask((store) => Reflect.get(store[name], act) as () => Promise<unknown>),
    });
  return {
    location: "memory",
    begin(run, once) {
      if (opened || once || unwritten.some(({ id }) => id === run.id)) return open().begin(run, once);
      const { begun, write } = holdBack(run, open);
      unwritten.push({ id: run.id, write });
      return begun;
    },
    create: ask((store) => store.create),
    get: ask((store) => store.get),
    list: ask((store) => store.list),
    page: ask((store) => store.page),
    ids: ask((store) => store.ids),
    reviewed: ask((store) => store.reviewed),
    problems: ask((store) => store.problems),
    setStatus: ask((store) => store.setStatus),
    journal: ask((store) => store.journal),
    entriesAfter: ask((store) => store.entriesAfter),
    lock: ask((store) => store.lock),
    held: ask((store) => store.held),
    getVectors: ask((store) => store.getVectors),
    putVectors: ask((store) => store.putVectors),
    inbox: part("inbox"),
    recovery: part("recovery"),
    sessions: part("sessions"),
    spending: part("spending"),
    close: async () => {},
  };
}

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
