import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { ParleyError } from "../contract/error.ts";
import type { Run } from "../contract/run.ts";
import type { AnyPack } from "../engine/pack.ts";
import { loadPack, loadPackOf, requirePackName } from "../packs/registry.ts";
import { parseProof } from "../runs/proof.ts";
import { readRun, type StoredRun } from "../runs/read-run.ts";
import { buildRedecidedSections } from "../runs/compare-runs.ts";
import { redecide, type Replayed, replayRecording } from "../runs/redecide.ts";
import { placeIn } from "../store/replace-file.ts";
import type { Store } from "../store/store.ts";
import { diffJson, jsonCopy } from "../text/json.ts";
import { shortenText } from "../text/format.ts";
import { defineCommand, flag, type Given, text } from "./command.ts";
import { exitCodeOf, type Io, pauseBetweenSteps, resolveOut } from "./io.ts";
import { promiseOptions, setOption, storeOption } from "./options.ts";
import { createProgress } from "./progress.ts";
import { writeArtifacts } from "./run-case.ts";
import { readCertified } from "./settings.ts";
import { chooseRun, findStoreFile, openStoreFile, withStore } from "./stores.ts";

const options = {
  last: flag("the latest run"),
  ...setOption,
  prepare: flag("prepare the case again with the current code, and list what changed"),
  check: text("<recordings>", "replay a store folder, a folder of proofs or one proof: which decisions flip today?"),
  pack: text("<name>", "with --check: only runs of this pack (its name, or the file of a pack of your own)"),
  out: text("<folder>", "write the artifacts of the new decision here"),
  json: flag("print the changes as JSON; with --check as JSON Lines"),
  ...storeOption,
  ...promiseOptions,
};
type RedecideOptions = Given<typeof options>;

export function command(io: Io): Command {
  return defineCommand({
    name: "redecide",
    arguments: { "[run]": "a run's id, or the first characters of it" },
    options,
    async action(given, target: string | undefined) {
      if (given.check !== undefined) return checkRecordings(io, given.check, given);
      await withStore(io, given, async (store) =>
        redecideOne(io, store, await chooseRun(store, target, given.last), given),
      );
    },
  });
}

async function redecideOne(io: Io, store: Store, id: string, options: RedecideOptions): Promise<void> {
  const recorded = await readRun(store, id);
  const { run } = recorded;
  const pack = await loadPackOf(run.manifest);
  const material = options.prepare ? await prepareAnew(pack, run) : recorded.material;
  const { act_above } = readCertified(io, options, pack.name);
  if (act_above !== undefined) options.set.push(`act_above=${act_above}`);
  const done = await redecide(pack, { ...recorded, material }, options.set);
  const { finished, ...changes } = done;
  const prepared = options.prepare ? diffJson(recorded.material, material) : undefined;
  if (options.json) io.json({ run: run.id, ...changes, ...(prepared && { prepared }), result: finished.result });
  else io.show(buildRedecidedSections(run.id, { ...done, prepared }));
  if (options.out !== undefined) writeArtifacts(pack, finished, resolveOut(io, { out: options.out }, true));
  io.exit.code = exitCodeOf(finished.result.outcome);
}

async function prepareAnew(pack: AnyPack, { manifest: { input, config } }: Run): Promise<unknown> {
  return jsonCopy(await pack.prepare(pack.input.parse(input), pack.config.parse(config), { embed: null }));
}

async function checkRecordings(io: Io, target: string, options: RedecideOptions): Promise<void> {
  if (options.maxWrong !== undefined && options.pack === undefined)
    throw new ParleyError("bad_input", "over a folder, --max-wrong needs --pack");
  const wanted = options.pack === undefined ? null : requirePackName(options.pack);
  const { act_above } = wanted === null ? {} : readCertified(io, options, wanted);
  const settings = [...options.set, ...(act_above === undefined ? [] : [`act_above=${act_above}`])];
  const rows: Replayed[] = [];
  const progress = createProgress(io);
  for await (const stored of readRecordings(io, target)) {
    const { pack } = stored.run.manifest;
    if (wanted !== null && pack !== wanted) continue;
    await pauseBetweenSteps(io);
    rows.push(await replayRecording(await loadPack(pack), stored, { settings, signal: io.signal }));
    progress.line(`${rows.length} runs replayed`);
  }
  progress.clear();
  if (rows.length === 0) throw new ParleyError("bad_input", `${target} holds no run that has ended`);
  if (options.json) io.jsonLines(rows);
  else io.out(writeCheckText(rows));
  if (rows.some(({ status }) => status !== "same" && status !== "moved")) io.exit.code = 1;
}

/** The ended runs of a store folder, or the proofs of a folder or a file. */
async function* readRecordings(io: Io, target: string): AsyncGenerator<StoredRun> {
  const path = resolve(io.cwd, target);
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found)
    throw new ParleyError("bad_input", `${target} does not exist; name a store folder, or a folder of proofs`);
  const file = findStoreFile(path);
  if (file !== undefined) yield* readStore(openStoreFile(io, file));
  const names =
    file !== undefined ? [] : found.isDirectory() ? readdirSync(path).filter((name) => name.endsWith(".json")) : [""];
  if (file === undefined && names.length === 0)
    throw new ParleyError(
      "bad_input",
      `${target} holds no runs: neither a store (parley.db) nor proofs (\`parley export RUN --proof FILE.json\`)`,
    );
  for (const name of names.sort())
    yield parseProof(readFileSync(name === "" ? path : placeIn(path, name), "utf8"), join(target, name));
}

async function* readStore(store: Store): AsyncGenerator<StoredRun> {
  try {
    for (const id of await store.ids()) {
      const stored = await readRun(store, id);
      if (stored.result) yield stored;
    }
  } finally {
    await store.close();
  }
}

function explainReplayed({ status, flips, rules, asked, why }: Replayed): string[] {
  if (status === "refused") return [`cannot be replayed: ${why}`];
  if (status === "needs_calls") return [why ?? ""];
  const more = rules.length > 4 ? [`and ${rules.length - 4} more rules decided differently`] : [];
  return [
    ...flips.map(({ name, before, after }) => `${name}: ${shortenText(before, 90)} → ${shortenText(after, 90)}`),
    ...(rules.length > 0 ? rules.slice(0, 4) : ["what the turns now say"]).map(
      (rule) => `by ${shortenText(rule, 160)}`,
    ),
    ...more,
    ...(asked.length > 0 ? [`asked anew: ${asked.join(", ")}`] : []),
  ];
}

function writeCheckText(rows: readonly Replayed[]): string {
  const shown = rows.filter(({ status }) => status !== "same" && status !== "moved");
  const lines = shown.flatMap((row) => [
    `${row.status === "flipped" ? "FLIPPED" : "NOT REPLAYED"}  ${row.run}  ${row.pack}${row.case === null ? "" : `  ${row.case}`}`,
    ...explainReplayed(row).map((line) => `  ${line}`),
  ]);
  const count = (status: Replayed["status"]) => rows.filter((row) => row.status === status).length;
  const sums = [
    `${rows.length} runs replayed`,
    `${count("flipped")} flipped`,
    ...(count("moved") > 0 ? [`${count("moved")} differ in reasons or numbers only`] : []),
    ...(count("needs_calls") > 0 ? [`${count("needs_calls")} need calls`] : []),
    ...(count("refused") > 0 ? [`${count("refused")} cannot be replayed`] : []),
    "no call was made",
  ].join(" · ");
  return `${[...lines, ...(lines.length > 0 ? [""] : []), sums].join("\n")}\n`;
}
