import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

/** Compressed formats, in which a small file can need much memory or time. */
export type PackedEnding = "pdf" | "docx" | "xlsx";

export type Answer = { text: string } | { why: string };

const longestMs = 60_000;
const mostMegabytes = 512;

let reader: ChildProcess | null = null;
let before: Promise<unknown> = Promise.resolve();

/** Reads a PDF, Word or Excel document in a separate process, one at a time; the process has no secrets and can be killed. */
export function readApart(ending: PackedEnding, bytes: Buffer, timeoutMs = longestMs): Promise<string> {
  const reading = before.then(() => askReader(ending, bytes, timeoutMs));
  before = reading.catch(() => undefined);
  return reading;
}

async function askReader(ending: PackedEnding, bytes: Buffer, timeoutMs: number): Promise<string> {
  const child = (reader ??= startReader());
  hold(child, true);
  const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
  const started = performance.now();
  const done = new AbortController();
  const ended = once(child, "exit", done).then(() => {
    const isSlow = performance.now() - started >= timeoutMs;
    throw new Error(isSlow ? `reading it took longer than ${timeoutMs / 1000} s` : "reading it takes too much memory");
  });
  ended.catch(() => undefined);
  child.send({ ending, bytes });
  try {
    const [answer] = (await Promise.race([once(child, "message", done), ended])) as [Answer];
    if ("why" in answer) throw new Error(answer.why);
    return answer.text;
  } finally {
    clearTimeout(timer);
    done.abort();
    hold(child, false);
  }
}

function startReader(): ChildProcess {
  const place = import.meta.url;
  const child = fork(fileURLToPath(new URL(`./reader-process${extname(place)}`, place)), {
    serialization: "advanced",
    env: {},
    execArgv: [`--max-old-space-size=${mostMegabytes}`, "--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  for (const event of ["exit", "error"]) child.on(event, () => (reader = null));
  return child;
}

/** A reader keeps this process alive only while somebody waits for it. */
function hold(child: ChildProcess, isWaitedFor: boolean): void {
  const act = isWaitedFor ? "ref" : "unref";
  child[act]();
  child.channel?.[act]();
}
