import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ParleyError } from "../../../src/contract/error.ts";
import type { Manifest } from "../../../src/contract/run.ts";
import type { AnyPack } from "../../../src/engine/pack.ts";
import type { Io } from "../../../src/cli/io.ts";
import type { RunOptions } from "../../../src/cli/options.ts";
import { makeRequest, loadUserConfig } from "../../../src/cli/settings.ts";
import { castOfStrings } from "../../../src/runs/cast.ts";
import { prepareRun, type RunSetting } from "../../../src/runs/start.ts";
import { judgeTrust } from "../../../src/runs/trust.ts";
import { memoryStore } from "../../../src/store/sqlite.ts";
import { newFolder } from "../cli.ts";

const folder = newFolder();

/** What a configuration came to: the manifest it was accepted as, or the error it was refused with. */
export type Verdict = { manifest: Manifest; error: null } | { manifest: null; error: ParleyError };

/** Takes a configuration file and options the way that every command which runs debates takes them; a crash passes through. */
export async function configure(pack: AnyPack, text: string, options: Partial<RunOptions> = {}): Promise<Verdict> {
  const file = join(folder, "parley.config.yaml");
  writeFileSync(file, text);
  const store = memoryStore();
  try {
    judgeTrust({ PARLEY_HOME: folder }, file);
    const io = { cwd: folder, env: { PARLEY_TRUST: "1" } as Io["env"] } as Io;
    const config = loadUserConfig(io, { config: file });
    const { endpoints, prices } = config;
    const setting: RunSetting = { store, castOf: castOfStrings(store, { env: {}, endpoints, prices }) };
    const request = makeRequest(io, { set: [], ...options }, config, pack);
    const id = await prepareRun(setting, { ...request, input: pack.examples[0]?.input });
    return { manifest: (await store.get(id))?.manifest as Manifest, error: null };
  } catch (error) {
    if (error instanceof ParleyError) return { manifest: null, error };
    throw new Error(`crashed on ${JSON.stringify(text.slice(0, 2_000))} ${JSON.stringify(options).slice(0, 2_000)}`, {
      cause: error,
    });
  }
}
