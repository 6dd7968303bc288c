/** Two thousand sentences through the sentiment command with its experts, as a user runs it: time, and what the store takes. */
import { spawnSync } from "node:child_process";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Figure, figureOf, progress, report } from "./figure.ts";
import { withFolder } from "./with-folder.ts";

const sentences = 2_000;
const bin = new URL("../../bin/parley.js", import.meta.url).pathname;

const subjects = [
  "battery",
  "screen",
  "camera",
  "keyboard",
  "delivery",
  "packaging",
  "staff",
  "room",
  "breakfast",
  "app",
];
const praises = ["lasts all day", "is bright and sharp", "was a pleasant surprise", "works better than I hoped"];
const complaints = ["broke after a week", "is far too slow", "was a disappointment", "never does what it should"];

/** A sentence with two opinions, no two alike. */
function sentenceOf(n: number): string {
  const subject = (at: number): string => subjects[at % subjects.length] ?? "";
  const good = praises[n % praises.length];
  const bad = complaints[Math.floor(n / 4) % complaints.length];
  return `The ${subject(n)} ${good}, but the ${subject(n + 3)} of order ${n} ${bad}.`;
}

/** The seconds that it takes. */
function runBatch(folder: string): number {
  const input = join(folder, "texts.jsonl");
  const lines = Array.from({ length: sentences }, (_, n) =>
    JSON.stringify({ id: `s${n}`, text: sentenceOf(n), lang: "en" }),
  );
  writeFileSync(input, lines.join("\n"));
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [bin, "sentiment", input, "--out", join(folder, "out")], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`parley sentiment ended with ${status}: ${stderr}`);
  return (performance.now() - started) / 1000;
}

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

async function measure(folder: string): Promise<Figure[]> {
  progress("sentences");
  const seconds = runBatch(folder);
  return [
    figureOf("sentences a second, experts, one process", [sentences / seconds], {
      unit: "",
      target: { atLeast: 200 },
      note: `${sentences} sentences with two opinions each in ${seconds.toFixed(1)} s`,
    }),
    figureOf("store for 2,000 sentences, in MB", [sizeOf(join(folder, ".parley")) / 1e6], {
      unit: "",
      target: { atMost: 25 },
      note: "all files of the store after the batch",
    }),
  ];
}

report(await withFolder(measure));
