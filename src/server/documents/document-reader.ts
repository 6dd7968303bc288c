import { parentPort, workerData } from "node:worker_threads";
import { readFormat } from "../../knowledge/files/index.ts";

/** The thread of `readAside`: reads one file, tells its text or what is wrong with it, and ends. */
const { ending, bytes } = workerData as { ending: string; bytes: Uint8Array };
const told = await readFormat(ending, Buffer.from(bytes)).then(
  (text) => ({ text }),
  (error: unknown) => ({ why: error instanceof Error ? error.message : String(error) }),
);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.postMessage(told);
