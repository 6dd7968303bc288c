import type { Answer, PackedEnding } from "./read-apart.ts";
import { readDocx } from "./read-docx.ts";
import { readPdf } from "./read-pdf.ts";

const readers = { pdf: readPdf, docx: readDocx };

process.on("disconnect", () => process.exit());
process.on("message", ({ ending, bytes }: { ending: PackedEnding; bytes: Uint8Array }) => {
  void readers[ending](Buffer.from(bytes))
    .then((text): Answer => ({ text }))
    .catch((error: unknown): Answer => ({ why: error instanceof Error ? error.message : String(error) }))
    .then((answer) => process.send?.(answer));
});
