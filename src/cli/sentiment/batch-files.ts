import { makeFolder } from "../../store/make-folder.ts";
import { once } from "node:events";
import { createWriteStream, type WriteStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../../engine/pack.ts";
import { lineFiles } from "../../packs/sentiment/artifacts/artifacts.ts";
import { type GateSample, gateDebugSummary, gateSample } from "../../packs/sentiment/artifacts/gate-debug.ts";
import type { FinalOutput } from "../../packs/sentiment/schemas/final-output.ts";
import { verifyCounts } from "../../packs/sentiment/verify/verify.ts";

/** The artifact files of a batch, written afresh and line by line. */
export type BatchFiles = {
  add(output: FinalOutput): Promise<void>;
  /** Writes what needs the whole batch, and checks that every file has a line for every case. */
  close(cases: number, extra: Record<string, string>): Promise<Finding[]>;
};

export async function openBatchFiles(folder: string): Promise<BatchFiles> {
  makeFolder(folder);
  const streams = new Map<string, WriteStream>();
  for (const name of Object.keys(lineFiles)) {
    const stream = createWriteStream(join(folder, name), { flags: "w" });
    await once(stream, "open");
    streams.set(name, stream);
  }
  const samples: GateSample[] = [];
  const written: Record<"outputs" | "scorecards" | "traces", string[]> = { outputs: [], scorecards: [], traces: [] };
  return {
    async add(output) {
      samples.push(gateSample(output));
      for (const [name, linesOf] of Object.entries(lineFiles)) {
        const lines = linesOf(output);
        for (const line of lines) await write(streams.get(name), `${JSON.stringify(line)}\n`);
        const counted = written[name.replace(".jsonl", "") as keyof typeof written];
        if (lines.length > 0) counted?.push(output.meta.text_id);
      }
    },
    async close(cases, extra) {
      await Promise.all([...streams.values()].map(finish));
      const summary = `${JSON.stringify(gateDebugSummary(samples), null, 2)}\n`;
      writeFileSync(join(folder, "override_gate_debug_summary.json"), summary);
      for (const [name, content] of Object.entries(extra)) writeFileSync(join(folder, name), content);
      return verifyCounts(written, cases);
    },
  };
}

async function write(stream: WriteStream | undefined, text: string): Promise<void> {
  if (stream && !stream.write(text)) await once(stream, "drain");
}

async function finish(stream: WriteStream): Promise<void> {
  stream.end();
  await once(stream, "finish");
}
