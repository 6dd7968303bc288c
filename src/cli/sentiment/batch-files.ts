import { join } from "node:path";
import type { Finding } from "../../engine/pack.ts";
import {
  type FinalOutput,
  summariseGate,
  toGateSample,
  type GateSample,
  lineFiles,
  toJsonLines,
  verifyCounts,
} from "../../packs/sentiment/index.ts";
import { type Draft, openDraft, replaceFile } from "../../store/replace-file.ts";

/** The artifact files of a batch, written afresh and line by line as NAME.partial; they get their names when all is there. */
export type BatchFiles = {
  add(output: FinalOutput): void;
  /** Writes what needs the whole batch, and checks that every file has a line for every case. */
  close(cases: number, extra: Record<string, string>): Finding[];
  /** Leaves what there is as NAME.partial. */
  abandon(): void;
};

export function openBatchFiles(folder: string): BatchFiles {
  const drafts = new Map<string, Draft>();
  const held = {
    what: `${folder} is being written`,
    advice: "wait for it, then the same line finds all done; or choose another --out",
  };
  // Whoever has the first file has them all.
  for (const [index, name] of Object.keys(lineFiles).entries())
    drafts.set(name, openDraft(join(folder, name), ".partial", index === 0 ? held : undefined));
  const samples: GateSample[] = [];
  const written: Record<"outputs" | "scorecards" | "traces", string[]> = { outputs: [], scorecards: [], traces: [] };
  return {
    add(output) {
      samples.push(toGateSample(output));
      for (const [name, linesOf] of Object.entries(lineFiles)) {
        const lines = linesOf(output);
        if (lines.length > 0) drafts.get(name)?.write(toJsonLines(lines));
        const counted = written[name.replace(".jsonl", "") as keyof typeof written];
        if (lines.length > 0) counted?.push(output.meta.text_id);
      }
    },
    close(cases, extra) {
      for (const draft of drafts.values()) draft.finish();
      const summary = `${JSON.stringify(summariseGate(samples), null, 2)}\n`;
      replaceFile(join(folder, "override_gate_debug_summary.json"), summary);
      for (const [name, content] of Object.entries(extra)) replaceFile(join(folder, name), content);
      return verifyCounts(written, cases);
    },
    abandon() {
      for (const draft of drafts.values()) draft.abandon(true);
    },
  };
}
