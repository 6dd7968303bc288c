import { ParleyError } from "../../contract/error.ts";
import type { DebateResult } from "../../contract/result.ts";
import { loadPackOf } from "../../packs/registry.ts";
import { readRun } from "../../runs/record/read-run.ts";
import { type Judgement, makeRuling } from "../../runs/review/review-labels.ts";
import { ruleOnRun } from "../../runs/review/review-run.ts";
import type { Store } from "../../store/store.ts";
import { printResult } from "../run/print-result.ts";
import { reportText } from "../run/report-text.ts";
import { type Io, throwIfStopped } from "../terminal/io.ts";
import type { ReviewOptions } from "./answer-turn.ts";

type SettleOptions = ReviewOptions & { reviewer: string };

/** Settles an escalated run with what was given, or by asking here; false when it is left as it is. */
export async function settleRun(io: Io, store: Store, id: string, options: SettleOptions): Promise<boolean> {
  const stored = await readRun(store, id);
  const pack = await loadPackOf(stored.run.manifest);
  const { input, config } = stored.run.manifest;
  const finished = { input, material: stored.material, config, result: stored.result as never, turns: stored.turns };
  const report = reportText({ width: io.width, color: false }, pack, { runId: id, finished });
  const judgement = readJudgement(options) ?? (await askJudgement(io, report, options));
  if (!judgement) {
    io.err(`run ${id} stays escalated\n`);
    return false;
  }
  const ruling = makeRuling(pack, stored.result as DebateResult, judgement, false);
  const result = await ruleOnRun(store, id, ruling);
  printResult(io, options, pack, { runId: id, finished: { ...finished, result } });
  return true;
}

function readJudgement({ uphold, replace, gold, reviewer }: SettleOptions): Judgement | null {
  const right = gold === undefined ? {} : { gold: parseGold(gold) };
  if (uphold !== undefined) return { verdict: "uphold", why: uphold, reviewer, ...right };
  return replace === undefined ? null : { verdict: "correct", why: replace, reviewer, ...right };
}

function parseGold(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ParleyError("bad_input", `--gold is not valid JSON: ${(cause as Error).message}`, { cause });
  }
}

async function askJudgement(io: Io, report: string, options: SettleOptions): Promise<Judgement | null> {
  if (!io.interactive)
    throw new ParleyError("bad_input", "there is no terminal to ask at; give --uphold WHY or --replace RULING");
  const clack = await import("@clack/prompts");
  io.err(`${report}\n`);
  const choices = [
    { value: "uphold" as const, label: "let the decision stand" },
    { value: "correct" as const, label: "rule otherwise" },
    { value: "later" as const, label: "leave it for later" },
  ];
  const verdict = await clack.select({
    message: "This run was escalated. What do you rule?",
    options: choices,
    output: process.stderr,
    signal: io.signal,
  });
  if (clack.isCancel(verdict) || verdict === "later") return returnNothing(io);
  const why = await clack.text({ message: "Your ruling, and why", output: process.stderr, signal: io.signal });
  if (clack.isCancel(why)) return returnNothing(io);
  return !why ? null : { verdict, why, reviewer: options.reviewer };
}

/** Leaving a question is no ruling; being stopped is an interruption. */
function returnNothing(io: Io): null {
  throwIfStopped(io);
  return null;
}
