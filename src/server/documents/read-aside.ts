import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { ParleyError } from "../../contract/error.ts";

/** How long a file may take to be read, what memory that may take, and how much text it may hold. */
const longestMs = 30_000;
const mostMegabytes = 512;
const mostCharacters = 5_000_000;

type Told = { text: string } | { why: string };

/** The text of a file, read in a thread of its own: whatever the file does to its reader, the server goes on. */
export async function readAside(name: string, bytes: Uint8Array): Promise<string> {
  const told = await readInThread(extname(name).slice(1).toLowerCase(), bytes);
  if ("why" in told) throw new ParleyError("bad_input", `${name}: ${told.why}`);
  if (told.text.length > mostCharacters)
    throw new ParleyError(
      "bad_input",
      `${name}: it holds more than ${mostCharacters / 1e6} million characters of text`,
    );
  return told.text;
}

async function readInThread(ending: string, bytes: Uint8Array): Promise<Told> {
  const ownEnding = extname(new URL(import.meta.url).pathname);
  const worker = new Worker(new URL(`./document-reader${ownEnding}`, import.meta.url), {
    workerData: { ending, bytes },
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  });
  const timer = setTimeout(() => void worker.terminate(), longestMs);
  try {
    return await new Promise<Told>((done) => {
      worker.once("message", (told: Told) => done(told));
      worker.once("error", () => done({ why: "reading it takes too much memory" }));
      worker.once("exit", () => done({ why: `reading it takes longer than ${longestMs / 1000} seconds` }));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
