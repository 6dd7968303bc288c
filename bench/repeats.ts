/**
 * Kills a batch at random moments under load and takes it up again: how many replies that had been given are asked for
 * once more, and how long before the death they had been given. `node bench/repeats.ts [TRIALS]`
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { newFolder, spawnCli } from "../test/support/cli.ts";
import { debateArgs, readResults, writeCases, writeConfig } from "../test/support/fleet-bench.ts";
import { startModelServer } from "../test/support/model-server.ts";
import { followFirst, textOfRequest } from "../test/support/model-server-answer.ts";

const trials = Number(process.argv[2] ?? 12);
const debates = 60;
/** A process that has just begun is slow at everything: it is killed once it has had so many replies. */
const warm = 60;
const answeredMs = new Map<string, number>();
const repeatedMs: number[] = [];
let killedMs: number | null = null;
let answered = 0;

const server = await startModelServer({
  latencyMs: 20,
  respond: (request) => {
    const text = textOfRequest(request);
    const before = answeredMs.get(text);
    if (killedMs !== null && before !== undefined && before < killedMs) repeatedMs.push(killedMs - before);
    answeredMs.set(text, performance.now() + 20);
    const word = createHash("sha256").update(text).digest("hex").slice(0, 6);
    const speech = { answer: `way ${word}`, reasoning: `because of ${word}`, confidence: 0.5 };
    return {
      value: text.includes("You are the judge") ? followFirst(text, speech.reasoning) : { ...speech, quotes: [] },
    };
  },
});

const busy = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ["-e", "for (;;);"]));
const stop = (): void => {
  for (const child of busy) child.kill("SIGKILL");
};
process.once("SIGTERM", () => {
  stop();
  process.exit(143);
});
const cases: number[] = [];
try {
  for (let trial = 0; trial < trials; trial += 1) cases.push(await killAndGoOn());
} finally {
  stop();
  await server.close();
}
const sorted = repeatedMs.toSorted((a, b) => a - b);
const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0);
console.log(
  `${trials} kills under a load of ${loadavg()[0]?.toFixed(0)}: ${answered} replies given before them, ` +
    `${sorted.length} asked for again (${((100 * sorted.length) / Math.max(1, answered)).toFixed(1)} %); ` +
    `given ${at(0)} to ${at(1)} ms before the kill, median ${at(0.5)} ms; all ${cases.reduce((a, b) => a + b, 0)} cases decided`,
);

/** One batch, killed at a random moment once it is warm; says how many cases were decided in the end. */
async function killAndGoOn(): Promise<number> {
  answeredMs.clear();
  killedMs = null;
  const cwd = writeConfig(newFolder(), server);
  const out = join(cwd, "results.jsonl");
  const args = ["run", "question", "--input", writeCases(cwd, debates), ...debateArgs];
  const line = [...args, "--concurrency", "16", "--quiet", "--out", out];
  const first = spawnCli(line, { cwd });
  while (answeredMs.size < warm) await pause(5);
  await pause(Math.random() * 600);
  killedMs = performance.now();
  first.child.kill("SIGKILL");
  await first.ran;
  const moment = killedMs;
  answered += [...answeredMs.values()].filter((time) => time < moment).length;
  const second = await spawnCli(line, { cwd }).ran;
  if (second.code !== 0) throw new Error(second.err);
  return readResults(out).filter(({ outcome }) => outcome === "decided").length;
}
