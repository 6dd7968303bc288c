import { Worker } from "node:worker_threads";
import type { Answer, PackedEnding } from "./read-apart.ts";
import { readDocx, readXlsx } from "./read-docx.ts";
import { readPdf } from "./read-pdf.ts";

const readers = { pdf: readPdf, docx: readDocx, xlsx: readXlsx };

/** The heap limit does not count buffers, and decompression does not yield, so another thread watches. */
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
