import { Worker } from "node:worker_threads";
import type { Answer, PackedEnding } from "./read-apart.ts";
import { readDocx } from "./read-docx.ts";
import { readPdf } from "./read-pdf.ts";

const readers = { pdf: readPdf, docx: readDocx };

/** The limit on the heap does not count buffers, and a reader that unpacks does not yield: another thread looks on. */
const mostBytes = 768 * 2 ** 20;
const watch = `setInterval(() => process.memoryUsage.rss() > ${mostBytes} && process.kill(process.pid, "SIGKILL"), 20)`;
new Worker(watch, { eval: true }).unref();

process.on("disconnect", () => process.exit());
process.on("message", ({ ending, bytes }: { ending: PackedEnding; bytes: Uint8Array }) => {
  void readers[ending](Buffer.from(bytes))
    .then((text): Answer => ({ text }))
    .catch((error: unknown): Answer => ({ why: error instanceof Error ? error.message : String(error) }))
    .then((answer) => process.send?.(answer));
});
