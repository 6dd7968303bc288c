import { resolve } from "node:path";
import type { AnyPack } from "../../engine/pack.ts";
import { type FinishedRun, startRun } from "../../runs/start/start-run.ts";
import { openFollowers } from "../terminal/followers.ts";
import type { Io } from "../terminal/io.ts";
import { openWorkers } from "../fleet/open-fleet.ts";
import type { RunOptions } from "../setting/options.ts";
import { requireWritable } from "./require-writable.ts";
import { printResult } from "./print-result.ts";
import { openStore, makeRequest, makeRunSetting, loadUserConfig } from "../setting/setting.ts";

/** Runs one case of a pack, prints it and gives it back, unless it was only counted: what `ask`, `run`, `law`, `sentiment` and `rca` come down to. */
export async function runCase(io: Io, options: RunOptions, pack: AnyPack, input: unknown): Promise<FinishedRun | null> {
  if (options.dryRun) {
    await (await import("./dry-run.ts")).printDryRun(io, options, pack, input);
    return null;
  }
  if (options.out !== undefined) requireWritable(resolve(io.cwd, options.out));
  const config = loadUserConfig(io, options);
  const store = await openStore(io, options, config);
  const followers = await openFollowers(io, { quiet: options.quiet, telemetry: config.telemetry });
  const workers = await openWorkers(io, options, config);
  try {
    const own = makeRunSetting(io, store, config, io.live && !options.quiet);
    const setting = { ...own, onEvent: followers.onEvent, elsewhere: workers?.elsewhere };
    const done = await startRun(setting, { ...makeRequest(io, options, config, pack), input });
    followers.progress.clear();
    printResult(io, options, pack, done);
    return done;
  } finally {
    await workers?.close();
    await followers.close();
    await store.close();
  }
}
