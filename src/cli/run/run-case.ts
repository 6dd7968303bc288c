import type { AnyPack } from "../../engine/pack.ts";
import { startRun } from "../../runs/start-run.ts";
import { openFollowers } from "../terminal/followers.ts";
import type { Io } from "../terminal/io.ts";
import type { RunOptions } from "../setting/options.ts";
import { printResult } from "./print-result.ts";
import { openStore, makeRequest, makeRunSetting, loadUserConfig } from "../setting/setting.ts";

/** Runs one case of a pack and prints it: what `ask`, `run`, `law`, `sentiment` and `rca` come down to. */
export async function runCase(io: Io, options: RunOptions, pack: AnyPack, input: unknown): Promise<void> {
  if (options.dryRun) return (await import("./dry-run.ts")).printDryRun(io, options, pack, input);
  const config = loadUserConfig(io, options);
  const store = await openStore(io, options, config);
  const followers = await openFollowers(io, options.quiet);
  try {
    const setting = { ...makeRunSetting(io, store, config, io.live && !options.quiet), onEvent: followers.onEvent };
    const done = await startRun(setting, { ...makeRequest(options, config, pack), input });
    followers.progress.clear();
    printResult(io, options, pack, done);
  } finally {
    await followers.close();
    await store.close();
  }
}
