import type { Store } from "../../store/store.ts";

/** The store, telling of each run whose journal has grown once that is durable. */
export function observeStore(store: Store, onGrown: (run: string) => void): Store {
  return {
    ...store,
    async journal(id, lease) {
      const journal = await store.journal(id, lease);
      return {
        ...journal,
        async append(body, pieces) {
          await journal.append(body, pieces);
          onGrown(id);
        },
      };
    },
  };
}
