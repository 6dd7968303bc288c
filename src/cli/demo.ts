import type { Command } from "commander";
import realPanel from "../../data/question/demo-panel.json" with { type: "json" };
import type { AnyPack } from "../engine/pack.ts";
import { listPackNames, loadPack } from "../packs/registry.ts";
import { castOfStrings } from "../runs/cast.ts";
import { startRun } from "../runs/start.ts";
import { memoryStore } from "../store/sqlite.ts";
import { formatCount, formatDuration } from "../text/format.ts";
import { wrap } from "../text/layout.ts";
import { defineCommand } from "./command.ts";
import { type Io, pauseBetweenSteps, readData } from "./io.ts";
import { reportOf } from "./run-case.ts";

/** `npm run demo` runs where `parley` is not on the path. */
const inCheckout = "In this checkout, type `npm run -s parley -- new` instead of `parley new`.\n";

export function command(io: Io): Command {
  return defineCommand({
    name: "demo",
    arguments: { "[pack]": "only this pack: its name, or the file of a pack of your own" },
    async action(_, pack: string | undefined) {
      const started = performance.now();
      const names = pack === undefined ? listPackNames() : [pack];
      for (const name of names) {
        await pauseBetweenSteps(io);
        await showExample(io, await loadPack(name));
      }
      if (pack === undefined) await showDebate(io, await loadPack("question"), realPanel);
      const debates = formatCount(names.length + (pack === undefined ? 1 : 0), "debate");
      const took = formatDuration(performance.now() - started);
      io.out(`${"─".repeat(Math.min(io.width, 80))}\n${debates} in ${took}, no key, no network.\n`);
      if (pack === undefined) io.out(`\n${readData("demo-next.txt")}`);
      if (io.env.npm_lifecycle_event === "demo") io.out(inCheckout);
    },
  });
}

export async function showExample(io: Io, pack: AnyPack): Promise<void> {
  const [example] = pack.examples;
  if (example) await showDebate(io, pack, { title: pack.name, about: pack.summary, cast: "expert", ...example });
}

type Shown = { title: string; about: string; input: unknown; config?: unknown; cast: string };

async function showDebate(io: Io, pack: AnyPack, { title, about, input, config, cast }: Shown): Promise<void> {
  const store = memoryStore();
  const setting = { store, castOf: castOfStrings(store), signal: io.signal };
  const { runId, finished } = await startRun(setting, { pack, input, config, cast });
  const rule = "─".repeat(Math.max(0, Math.min(io.width, 80) - title.length - 4));
  const summary = wrap(about, io.width).join("\n");
  io.painted(`── ${title} ${rule}\n${summary}\n\n${reportOf(io, pack, { runId, finished })}\n`);
}
