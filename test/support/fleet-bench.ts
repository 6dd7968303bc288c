import { type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { migrateFleet } from "../../src/fleet/fleet.ts";
import { newFolder, type Ran, runCli, spawnCli } from "./cli.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { asksJudge, followFirst, textOfRequest } from "./model-server-answer.ts";
import { startPostgres, type TestPostgres } from "./postgres.ts";

/** A worker process of a fleet under test. */
export type TestWorker = { child: ChildProcess; ran: Promise<Ran> };

export type FleetBench = {
  postgres: TestPostgres;
  address: string;
  model: ModelServer;
  /** The text of every call that was answered whole, in order. */
  answered: string[];
  folder: string;
  /** Starts a worker; `clockMs` sets its clock off by so much. */
  startWorker(options?: { concurrency?: number; clockMs?: number; args?: string[] }): TestWorker;
  /** Runs the command line in this process, with the shared store. */
  run(args: string[], env?: Record<string, string>): Promise<Ran>;
  close(): Promise<void>;
};

export type BenchOptions = {
  /** Called when a call arrives, before it is answered, with how many came before. */
  onCall?(count: number): void | Promise<void>;
  latencyMs?: number;
  /** One call in so many goes wrong: an error, a refusal, a lost connection. */
  faultEvery?: number;
  requestsPerMinute?: number;
};

/** Debates of three speakers who never agree and a judge: four calls each. */
export const debateArgs = [
  "--cast",
  "compatible/m",
  "--set",
  "max_rounds=1",
  "--set",
  "judge=true",
  "--set",
  "same_answer=false",
];
export const callsPerDebate = 4;

/** A PostgreSQL, a model that answers equal requests equally, and a folder with a configuration. */
export async function startFleetBench(options: BenchOptions = {}): Promise<FleetBench> {
  const postgres = await startPostgres();
  const address = await postgres.newDatabase();
  await migrateFleet(address);
  const answered: string[] = [];
  let count = 0;
  const model = await startModelServer({
    latencyMs: options.latencyMs ?? 20,
    respond: async (request) => {
      const at = count++;
      await options.onCall?.(at);
      if (options.faultEvery !== undefined && at % options.faultEvery === options.faultEvery - 1) return makeFault(at);
      const text = textOfRequest(request);
      answered.push(text);
      return { value: answer(text) };
    },
  });
  const folder = newFolder();
  writeConfig(folder, model, options.requestsPerMinute);
  const env = { PARLEY_STORE: address };
  const workers: TestWorker[] = [];
  return {
    postgres,
    address,
    model,
    answered,
    folder,
    startWorker({ concurrency = 4, clockMs, args = [] } = {}) {
      const node = clockMs === undefined ? [] : ["--import", resolve(import.meta.dirname, "jumping-clock.ts")];
      const clock: Record<string, string> = clockMs === undefined ? {} : { PARLEY_TEST_CLOCK_MS: String(clockMs) };
      const worker = spawnCli(["worker", "--concurrency", String(concurrency), "--set", "grace=2m", ...args], {
        cwd: folder,
        env: { ...env, ...clock },
        node,
      });
      workers.push(worker);
      return worker;
    },
    run: (args, more) => runCli(args, { cwd: folder, env: { ...env, ...more } }),
    async close() {
      for (const { child } of workers) if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await Promise.all(workers.map(({ ran }) => ran));
      await model.close();
      await postgres.stop();
    },
  };
}

/** Writes a configuration with the model's endpoint. */
export function writeConfig(folder: string, { baseUrl }: ModelServer, requestsPerMinute?: number): string {
  const limit = requestsPerMinute === undefined ? "" : `    requests_per_minute: ${requestsPerMinute}\n`;
  const endpoint = `  - name: compatible\n    base_url: ${baseUrl}\n    max_concurrency: 32\n${limit}`;
  writeFileSync(join(folder, "parley.config.yaml"), `endpoints:\n${endpoint}`);
  return folder;
}

function makeFault(at: number) {
  const faults = [
    { raw: { status: 500, body: '{"error":{"message":"trouble"}}' } },
    { raw: { status: 429, headers: { "retry-after": "1" }, body: '{"error":{"message":"slow down"}}' } },
    { stop: { how: "reset", at: "headers" } as const },
  ];
  return faults[at % faults.length] ?? {};
}

function answer(text: string): object {
  const word = createHash("sha256").update(text).digest("hex").slice(0, 6);
  const reasoning = `because of ${word}`;
  return asksJudge(text)
    ? followFirst(text, reasoning)
    : { answer: `way ${word}`, reasoning, confidence: 0.5, quotes: [] };
}

/** Writes a file of cases. */
export function writeCases(folder: string, count: number): string {
  const lines = Array.from({ length: count }, (_, n) =>
    JSON.stringify({ id: `case ${n}`, question: `Which way, ${n}?` }),
  );
  const file = join(folder, "cases.jsonl");
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

type Row = { case_id: string; run: string; outcome: string; reasons: string[]; decision: unknown };

/** The results of a batch, by case. */
export function readResults(file: string): Row[] {
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
}
