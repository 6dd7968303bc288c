import { resolve } from "node:path";
import { Command, Option } from "commander";
import type { Budget } from "../../contract/budget.ts";
import { ParleyError } from "../../contract/error.ts";
import { loadPack } from "../../packs/registry.ts";
import { castOfStrings } from "../../runs/start/cast-of.ts";
import type { StoredRun } from "../../runs/record/read-run.ts";
import { replayRecording, type Replayed, type ReplayOptions } from "../../runs/regression/replay-recording.ts";
import type { UserConfig } from "../../runs/settings/user-config.ts";
import { memoryStore } from "../../store/memory-store.ts";
import { replaceFile } from "../../store/replace-file.ts";
import { writeCiText } from "../ci/ci-text.ts";
import { writeJunit } from "../ci/junit.ts";
import { readRecordings } from "../ci/read-recordings.ts";
import { parseBudget } from "../setting/options.ts";
import { loadUserConfig, tellKeyUse } from "../setting/setting.ts";
import { pauseBetweenSteps, type Io } from "../terminal/io.ts";

type Options = { calls: "never" | "allow"; budget?: Budget; junit?: string; json?: boolean; config?: string };

const examples = `
Examples:
  parley ci .parley                           do today's rules, prompts and packs decide as recorded?
  parley ci recordings/ --junit ci.xml        for a pipeline; recordings are proofs (\`parley export RUN --proof FILE\`)
  parley ci recordings/ --calls allow --budget usd=0.50    pay for the turns that are asked something else now

Exit codes: 0 no decision flipped, 1 a decision flipped or a run could not be replayed.`;

/** `parley ci RECORDINGS` */
export function command(io: Io): Command {
  return new Command("ci")
    .description(
      "Replays recorded runs after a change of rules, prompts or packs, and reports the decisions that flip.",
    )
    .argument("<recordings>", "a store folder, a folder of proofs, or one proof")
    .addOption(
      new Option("--calls <when>", "may models be asked again where a request changed?")
        .choices(["never", "allow"])
        .default("never"),
    )
    .option("--budget <limits>", "with --calls allow: limits of each replay, e.g. calls=20,usd=0.10", parseBudget)
    .option("--junit <file>", "write JUnit XML here")
    .option("--config <file>", "configuration file with endpoints and prices")
    .option("--json", "every run as JSON Lines")
    .addHelpText("after", examples)
    .action(async (target: string, options: Options) => {
      const config = loadUserConfig(io, options);
      const rows: Replayed[] = [];
      const tell = tellKeyUse(io);
      for await (const stored of readRecordings(io, target)) {
        await pauseBetweenSteps(io);
        rows.push(await replayOne({ io, config, tell }, stored, options));
        if (io.live) io.draw(`${rows.length} runs replayed`);
      }
      if (io.live) io.draw("");
      if (rows.length === 0) throw new ParleyError("bad_input", `${target} holds no run that has ended`);
      if (options.junit !== undefined) replaceFile(resolve(io.cwd, options.junit), writeJunit(rows));
      if (options.json) for (const row of rows) io.out(`${JSON.stringify(row)}\n`);
      else io.out(writeCiText(rows));
      if (rows.some(({ status }) => status !== "same" && status !== "moved")) io.exit.code = 1;
    });
}

type Surroundings = { io: Io; config: UserConfig; tell(line: string): void };

async function replayOne({ io, config, tell }: Surroundings, stored: StoredRun, options: Options): Promise<Replayed> {
  const pack = await loadPack(stored.run.manifest.pack);
  const replay: ReplayOptions = { live: null, budget: options.budget, signal: io.signal };
  if (options.calls === "allow") {
    const { endpoints, prices } = config;
    const castOf = castOfStrings(memoryStore(), { env: io.env, endpoints, prices, person: null }, tell);
    const { cast, config: settings } = stored.run.manifest;
    replay.live = await castOf(cast, pack.roles(settings), options.budget ?? {});
  }
  return replayRecording(pack, stored, replay);
}
