import type { UserConfig } from "../../runs/settings/user-config.ts";
import type { Store } from "../../store/store.ts";
import type { Io } from "../terminal/io.ts";
import { openExistingStore, openStore, loadUserConfig } from "./setting.ts";

type StoreOptions = { store?: string; config?: string };
type Work = (store: Store, config: UserConfig) => Promise<void>;

/** Does some work on what the store holds and closes it, however the work ends; makes no store where there is none. */
export async function withStore(io: Io, options: StoreOptions, work: Work): Promise<void> {
  const config = loadUserConfig(io, options);
  await closeAfter(await openExistingStore(io, options, config), config, work);
}

/** As `withStore`, but makes the store where there is none. */
export async function withNewStore(io: Io, options: StoreOptions, work: Work): Promise<void> {
  const config = loadUserConfig(io, options);
  await closeAfter(await openStore(io, options, config), config, work);
}

async function closeAfter(store: Store, config: UserConfig, work: Work): Promise<void> {
  try {
    await work(store, config);
  } finally {
    await store.close();
  }
}
