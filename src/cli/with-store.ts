import type { UserConfig } from "../runs/user-config.ts";
import type { Store } from "../store/store.ts";
import type { Io } from "./io.ts";
import { openStore, userConfig } from "./setting.ts";

/** Does some work on the store and closes it, however the work ends. */
export async function withStore(
  io: Io,
  options: { store?: string; config?: string },
  work: (store: Store, config: UserConfig) => Promise<void>,
): Promise<void> {
  const config = userConfig(io, options);
  const store = openStore(io, options, config);
  try {
    await work(store, config);
  } finally {
    await store.close();
  }
}
