import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { parseLogs } from "../../src/knowledge/logs/index.ts";
import { generateLines } from "./synthetic.ts";

type Cost = { wall: number; cpu: number };
type Layout = "text" | "json";

/** The logs that are timed: how long, and in which layout. */
const logs: readonly { lines: number; layout: Layout }[] = [
  ...[100_000, 200_000, 400_000, 800_000].map((lines) => ({ lines, layout: "text" as const })),
  { lines: 400_000, layout: "json" },
];

/**
 * Lines per second as a ratio to a bare read-line loop with one regular expression in the same run, by processor time (other
 * work on the machine disturbs it less) and by the clock, and whether time grows linearly.
 */
export async function measureSpeed(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"));
  const columns = ["lines", "layout", "parse s", "lines/s", "loop s", "ratio (cpu)", "ratio (clock)", "cpu s/million"];
  try {
    console.log(`\n${columns.map((name) => name.padStart(14)).join("")}`);
    for (const { lines, layout } of logs) {
      const path = join(folder, `${lines}.log`);
      await writeLines(path, { lines, layout });
      const loop = await takeBest(() => runBareLoop(path, layout));
      const parse = await takeBest(async () => void (await parseLogs([path], { nowMs: 0 })));
      const cells = [lines, layout, parse.wall.toFixed(2), Math.round(lines / parse.wall), loop.wall.toFixed(2)];
      const ratios = [loop.cpu / parse.cpu, loop.wall / parse.wall, (parse.cpu / lines) * 1e6];
      console.log(
        [...cells, ...ratios.map((ratio) => ratio.toFixed(2))].map((cell) => String(cell).padStart(14)).join(""),
      );
      await rm(path);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Peak memory of a process that parses a log of this size, written to a temporary file and deleted after. */
export async function measureMemory(bytes: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"));
  try {
    const path = join(folder, "big.log");
    await writeLines(path, { lines: Number.POSITIVE_INFINITY, layout: "text" }, bytes);
    const script = join(import.meta.dirname, "memory.ts");
    const child = spawnSync(process.execPath, [script, path], { encoding: "utf8" });
    const size = (await stat(path)).size;
    console.log(`\n${(size / 1024 ** 3).toFixed(2)} GB: ${child.stdout.trim()}${child.stderr.trim()}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function writeLines(
  path: string,
  { lines, layout }: { lines: number; layout: Layout },
  bytes = Number.POSITIVE_INFINITY,
): Promise<void> {
  const out = createWriteStream(path);
  let written = 0;
  let batch = "";
  for (const line of generateLines(lines)) {
    batch += `${layout === "json" ? writeJson(line) : line}\n`;
    if (batch.length < 1 << 20) continue;
    written += batch.length;
    if (!out.write(batch)) await once(out, "drain");
    batch = "";
    if (written >= bytes) break;
  }
  out.end(batch);
  await once(out, "finish");
}

/** The same line as a JSON object; lines of stack traces become messages of their own. */
function writeJson(line: string): string {
  const [, time = null, level = null, thread = null, logger = null, message = line] = header.exec(line) ?? [];
  return JSON.stringify({ timestamp: time?.replace(" ", "T").replace(",", "."), level, thread, logger, message });
}

const header = /^(\S+ \S+) (\w+) +\[([^\]]*)\] ([^:]+): (.*)$/;

/** The bare loop: every line through node:readline and one regular expression, or JSON.parse, that takes it apart. */
async function runBareLoop(path: string, layout: Layout): Promise<void> {
  let events = 0;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    if ((layout === "json" ? JSON.parse(line) : header.exec(line)) !== null) events += 1;
  }
  if (events === 0) throw new Error("the loop matched no line");
}

/** The least that the work took in three rounds, in seconds. */
async function takeBest(work: () => Promise<void>): Promise<Cost> {
  const least = { wall: Number.POSITIVE_INFINITY, cpu: Number.POSITIVE_INFINITY };
  for (let round = 0; round < 3; round += 1) {
    const start = performance.now();
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least.wall = Math.min(least.wall, (performance.now() - start) / 1000);
    least.cpu = Math.min(least.cpu, (user + system) / 1e6);
  }
  return least;
}
