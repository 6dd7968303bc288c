import { resolve } from "node:path";
import { formatCount } from "../../text/number-text.ts";
import type { BatchResult } from "../../runs/batch/batch.ts";
import { openDraft } from "../../store/replace-file.ts";
import { throwIfStopped, type Io } from "../terminal/io.ts";
import { listSpent, type BatchCount, type BatchEnd, type BatchOutput } from "./run-file.ts";

/** The results of any pack as JSON Lines: to `--out`, else to stdout. */
export function openResults(io: Io, out: string | undefined): BatchOutput {
  return out === undefined ? openStdout(io) : openFile(resolve(io.cwd, out));
}

function openStdout(io: Io): BatchOutput {
  return {
    async add(result) {
      io.out(writeLine(result));
      await io.drained();
      throwIfStopped(io);
    },
    finish: describeEnd,
    abandon: () => undefined,
  };
}

/** Results are lines of FILE.partial until the last one is there; so an earlier FILE is never replaced by half of a later one. */
function openFile(file: string): BatchOutput {
  const draft = openDraft(file, ".partial", {
    what: `${file} is being written`,
    advice: "wait for it, then the same line finds all done; or choose another --out",
  });
  return {
    add: (result) => draft.write(writeLine(result)),
    finish(count) {
      draft.finish();
      return describeEnd(count);
    },
    abandon: () => draft.abandon(true),
  };
}

function writeLine(result: BatchResult): string {
  return `${JSON.stringify(result)}\n`;
}

function describeEnd(count: BatchCount): BatchEnd {
  const { done, reused, failed, others, notRun } = count;
  const parts = [formatCount(done, "case")];
  if (reused > 0) parts.push(`${reused} done before`);
  for (const [outcome, times] of others) parts.push(`${times} ${outcome.replaceAll("_", " ")}`);
  if (failed > 0) parts.push(`${failed} failed`);
  if (notRun > 0) parts.push(`${notRun} not run`);
  return { closing: [...parts, ...listSpent(count)].join(" · "), problems: [] };
}
