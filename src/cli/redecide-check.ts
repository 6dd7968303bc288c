import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { resolve, join } from "node:path";
import type { Budget } from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import { loadPack } from "../packs/registry.ts";
import { parseProof } from "../runs/proof.ts";
import { readRun, type StoredRun } from "../runs/read-run.ts";
import { type Replayed, type ReplayOptions, replayRecording } from "../runs/check-recordings.ts";
import type { UserConfig } from "../runs/user-config.ts";
import { castOfStrings } from "../runs/cast.ts";
import { memoryStore } from "../store/memory-store.ts";
import { replaceFile } from "../store/replace-file.ts";
import type { Store } from "../store/store.ts";
import { shortenText } from "../text/short-text.ts";
import { type Io, pauseBetweenSteps } from "./io.ts";
import { loadUserConfig, tellKeyUse } from "./settings.ts";
import { openStoreFile } from "./stores.ts";

export type CheckOptions = {
  check?: string;
  calls: "never" | "allow";
  budget?: Budget;
  junit?: string;
  json?: boolean;
  config?: string;
};

/** Replays recorded runs after a change of rules, prompts or packs, and reports the decisions that flip. */
export async function checkRecordings(io: Io, target: string, options: CheckOptions): Promise<void> {
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
  else io.out(writeCheckText(rows));
  if (rows.some(({ status }) => status !== "same" && status !== "moved")) io.exit.code = 1;
}

type Surroundings = { io: Io; config: UserConfig; tell(line: string): void };

async function replayOne(
  { io, config, tell }: Surroundings,
  stored: StoredRun,
  options: CheckOptions,
): Promise<Replayed> {
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

/** Recorded runs, one after another: those of a store's folder, or of proofs (`*.json`) in a folder. */
export async function* readRecordings(io: Io, target: string): AsyncGenerator<StoredRun> {
  const path = resolve(io.cwd, target);
  if (!existsSync(path))
    throw new ParleyError("bad_input", `${target} does not exist; name a store folder, or a folder of proofs`);
  if (!statSync(path).isDirectory()) {
    yield parseProof(readFileSync(path, "utf8"), target);
    return;
  }
  const file = [path, join(path, ".parley")].map((folder) => join(folder, "parley.db")).find((one) => existsSync(one));
  if (file === undefined) yield* readProofs(path, target);
  else yield* readStore(openStoreFile(io, file));
}

function* readProofs(path: string, target: string): Generator<StoredRun> {
  const names = readdirSync(path)
    .filter((name) => name.endsWith(".json"))
    .sort();
  if (names.length === 0)
    throw new ParleyError(
      "bad_input",
      `${target} holds no runs: neither a store (parley.db) nor proofs (\`parley export RUN --proof FILE.json\`)`,
    );
  for (const name of names) yield parseProof(readFileSync(join(path, name), "utf8"), join(target, name));
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

/** What is wrong with a replay, line by line: the flips first, then the rules that did it. */
export function explainReplayed({ status, flips, rules, asked, why }: Replayed): string[] {
  if (status === "refused") return [`cannot be replayed: ${why}`];
  if (status === "needs_calls") return [`${why} (--calls allow makes it)`];
  const because =
    rules.length > 0 ? rules.slice(0, 4).map((rule) => `by ${shortenText(rule, 160)}`) : ["by what the turns now say"];
  const more = rules.length > 4 ? [`and ${rules.length - 4} more rules decided otherwise`] : [];
  const anew = asked.length > 0 ? [`asked anew: ${asked.join(", ")}`] : [];
  return [
    ...flips.map(({ name, before, after }) => `${name}: ${shortenText(before, 90)} → ${shortenText(after, 90)}`),
    ...because,
    ...more,
    ...anew,
  ];
}

/** The replays in words: only what a reader must look at, then the sums. */
export function writeCheckText(rows: readonly Replayed[]): string {
  const shown = rows.filter(({ status }) => status !== "same" && status !== "moved");
  const lines = shown.flatMap((row) => [
    `${row.status === "flipped" ? "FLIPPED" : "NOT REPLAYED"}  ${row.run}  ${row.pack}${row.case === null ? "" : `  ${row.case}`}`,
    ...explainReplayed(row).map((line) => `  ${line}`),
  ]);
  return `${[...lines, ...(lines.length > 0 ? [""] : []), sumUp(rows)].join("\n")}\n`;
}

function sumUp(rows: readonly Replayed[]): string {
  const count = (status: Replayed["status"]) => rows.filter((row) => row.status === status).length;
  const calls = rows.reduce((sum, row) => sum + row.calls, 0);
  const parts = [
    `${rows.length} runs replayed`,
    `${count("flipped")} flipped`,
    ...(count("moved") > 0 ? [`${count("moved")} differ in reasons or numbers only`] : []),
    ...(count("needs_calls") > 0 ? [`${count("needs_calls")} need calls`] : []),
    ...(count("refused") > 0 ? [`${count("refused")} cannot be replayed`] : []),
    calls === 0 ? "no call was made" : `${calls} calls`,
  ];
  return parts.join(" · ");
}

/** The replays as JUnit XML, which pipelines draw: a flip is a failure, what could not be replayed an error. */
export function writeJunit(rows: readonly Replayed[]): string {
  const failures = rows.filter(({ status }) => status === "flipped").length;
  const errors = rows.filter(({ status }) => status === "needs_calls" || status === "refused").length;
  const head = `<testsuite name="parley redecide --check" tests="${rows.length}" failures="${failures}" errors="${errors}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${rows.map(writeCase).join("\n")}\n</testsuite>\n`;
}

function writeCase(row: Replayed): string {
  const head = `  <testcase classname="${escapeXml(row.pack)}" name="${escapeXml(row.case ?? row.run)}"`;
  const tag = { flipped: "failure", needs_calls: "error", refused: "error", moved: null, same: null }[row.status];
  if (tag === null) return `${head}/>`;
  const lines = explainReplayed(row);
  return `${head}>\n    <${tag} message="${escapeXml(lines[0] ?? row.status)}">${escapeXml(lines.join("\n"))}</${tag}>\n  </testcase>`;
}

/** Text as XML can hold it: its marks escaped, characters that XML does not know left out. */
export function escapeXml(text: string): string {
  const known = text.toWellFormed().replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "");
  return known.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
