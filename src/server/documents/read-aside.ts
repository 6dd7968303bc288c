import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { ParleyError } from "../../contract/error.ts";

/** How long a file may take to be read, what memory that may take, and how much text it may hold. */
const longestMs = 30_000;
const mostMegabytes = 768;
const mostCharacters = 5_000_000;

type Told = { text: string } | { why: string };

let last: Promise<unknown> = Promise.resolve();

/**
 * The text of a file, read by a process of its own: whatever the file does to its reader, the server goes on, and the
 * memory comes back. Files are read one at a time.
 */
export async function readAside(name: string, bytes: Uint8Array): Promise<string> {
  const turn = last.then(() => readInProcess(extname(name).slice(1).toLowerCase(), bytes));
  last = turn.catch(() => undefined);
  const told = await turn;
  if ("why" in told) throw new ParleyError("bad_input", `${name}: ${told.why}`);
  if (told.text.length > mostCharacters)
    throw new ParleyError(
      "bad_input",
      `${name}: it holds more than ${mostCharacters / 1e6} million characters of text`,
    );
  return told.text;
}

async function readInProcess(ending: string, bytes: Uint8Array): Promise<Told> {
  const ownEnding = extname(new URL(import.meta.url).pathname);
  const reader = fileURLToPath(new URL(`./document-reader${ownEnding}`, import.meta.url));
  const options = ["--max-old-space-size=512", "--disable-warning=ExperimentalWarning"];
  const child = spawn(process.execPath, [...options, reader, ending], { stdio: ["pipe", "pipe", "ignore"] });
  let why = "reading it takes too much memory";
  const timer = setTimeout(() => {
    why = `reading it takes longer than ${longestMs / 1000} seconds`;
    child.kill("SIGKILL");
  }, longestMs);
  const watch = setInterval(() => void (measureMegabytes(child) > mostMegabytes && child.kill("SIGKILL")), 20);
  try {
    child.stdin.on("error", () => undefined); // One that ended early has said why.
    child.stdin.end(bytes);
    return await new Promise<Told>((done, failed) => {
      const parts: Buffer[] = [];
      child.stdout.on("data", (part: Buffer) => parts.push(part));
      child.once("error", failed);
      child.once("close", (code) => done(code === 0 ? (JSON.parse(Buffer.concat(parts).toString()) as Told) : { why }));
    });
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    child.kill("SIGKILL");
  }
}

/** What a process holds, where that can be read; elsewhere only its own limit holds. */
function measureMegabytes({ pid }: ChildProcess): number {
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4_096) / 1e6;
  } catch {
    return 0;
  }
}
