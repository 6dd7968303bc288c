import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { readRun } from "../../src/runs/read-run.ts";
import { sqliteStore } from "../../src/store/sqlite.ts";
import { newFolder, type Ran, runCli } from "./cli.ts";
import { startModelServer } from "./model-server.ts";
import { asksJudge, followFirst, textOfRequest } from "./model-server-answer.ts";

/** A debate of ten calls, one after the other: three speakers who never agree, three rounds, a judge. */
export const tenCalls = [
  "ask",
  "Which way?",
  "--cast",
  "compatible/m",
  "--json",
  "--set",
  "max_rounds=3",
  "--set",
  "judge=true",
  "--set",
  "same_answer=false",
];
export const callCount = 10;

/** A model that answers equal requests equally, and a debate with it. */
export type TenCalls = Awaited<ReturnType<typeof startTenCalls>>;

export async function startTenCalls() {
  const seen: string[] = [];
  let onCall: ((count: number) => void | Promise<void>) | null = null;
  const server = await startModelServer({
    respond: async (request) => {
      const text = textOfRequest(request);
      seen.push(text);
      await onCall?.(seen.length);
      const digest = createHash("sha256").update(text).digest("hex");
      const word = digest.slice(0, 6);
      // A change of answer without four new words of argument would be sent back, and be a call more.
      const letters = digest.replaceAll(/\d/g, (digit) => "ghjkmnpqrt"[Number(digit)] ?? "");
      const reasoning = `because of ${letters.match(/.{8}/g)?.join(" ") ?? ""}`;
      return {
        value: asksJudge(text)
          ? followFirst(text, reasoning)
          : { answer: `way ${word}`, reasoning, confidence: 0.5, quotes: [] },
      };
    },
  });
  const configure = (folder: string): string => {
    const endpoint = `  - name: compatible\n    base_url: ${server.baseUrl}\n    max_concurrency: 1\n`;
    writeFileSync(join(folder, "parley.config.yaml"), `endpoints:\n${endpoint}`);
    return folder;
  };
  return {
    server,
    /** The text of every request since the last `begin`. */
    seen,
    /** Forgets what was seen; `hook` is called when a call arrives, with its number, before it is answered. */
    begin(hook: typeof onCall = null): void {
      seen.length = 0;
      onCall = hook;
    },
    /** From now on nothing happens when a call arrives. */
    calm(): void {
      onCall = null;
    },
    configure,
    folder: (): string => configure(newFolder()),
    close: () => server.close(),
  };
}

/** The newest run of a folder's store with its prompts; null when there is none. */
export async function newestRun(folder: string) {
  const store = sqliteStore(join(folder, ".parley", "parley.db"));
  try {
    const [run] = await store.list({ limit: 1 });
    if (!run) return null;
    const stored = await readRun(store, run.id);
    const journal = await store.journal(run.id);
    const prompts = await Promise.all(
      stored.turns.map(async (turn) => (await journal.prompt(turn.promptHash))?.join("\n") ?? ""),
    );
    return { ...stored, prompts };
  } finally {
    await store.close();
  }
}

/** The answer that a run came to. */
export function answerOf(run: Awaited<ReturnType<typeof newestRun>>): string {
  const decision = run?.result?.decision as { answer: string | null } | undefined;
  if (!decision?.answer) throw new Error("the run came to no answer");
  return decision.answer;
}

/** Everything of a run but its id and its times. */
export function essenceOf(run: Awaited<ReturnType<typeof newestRun>>): unknown {
  const isTime = (key: string): boolean => key === "startedMs" || key === "durationMs";
  return JSON.parse(
    JSON.stringify({ result: run?.result, turns: run?.turns }, (key, value: unknown) =>
      isTime(key) ? undefined : value,
    ),
  );
}

/** What the debate comes to when nothing happens to it. */
export async function wholeDebate(ten: TenCalls): Promise<unknown> {
  ten.begin();
  const folder = ten.folder();
  const ran = await runCli(tenCalls, { cwd: folder });
  expect(ran.code, ran.err).toBe(0);
  expect(ten.seen).toHaveLength(callCount);
  return essenceOf(await newestRun(folder));
}

/**
 * Goes on after trouble, by `resume` or, when the trouble came before there was a run, from the start: the result is the
 * uninterrupted one, no recorded call is made again, and the store verifies.
 */
export async function expectGoesOn(ten: TenCalls, folder: string, whole: unknown): Promise<Ran> {
  const before = await newestRun(folder);
  const args = before ? ["resume", before.run.id, "--json"] : tenCalls;
  const ran = await runCli(args, { cwd: folder });
  expect(ran.code, ran.err).toBe(0);
  expect(essenceOf(await newestRun(folder))).toEqual(whole);
  for (const prompt of before?.prompts ?? []) expect(timesSeen(ten, prompt), "a recorded call was made again").toBe(1);
  expect(ten.seen.length).toBeLessThanOrEqual(callCount + 1);
  const verified = await runCli(["verify", "--all"], { cwd: folder });
  expect(verified.code, verified.out).toBe(0);
  return ran;
}

function timesSeen({ seen }: TenCalls, prompt: string): number {
  return seen.filter((text) => squeeze(text).startsWith(squeeze(prompt))).length;
}
const squeeze = (text: string): string => text.replaceAll(/\s+/g, "");

/** A message that a person can use: no stack. */
export function expectPlain(text: string): void {
  expect(text).not.toMatch(/\n\s+at |node:internal|Uncaught|Unhandled/);
}
