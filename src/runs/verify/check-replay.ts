import { ParleyError } from "../../contract/error.ts";
import { formatDifference, diffJson } from "../../text/json-diff.ts";
import { jsonCopy } from "../../text/json-copy.ts";
import type { DebateResult } from "../../contract/result.ts";
import type { Turn } from "../../contract/turn.ts";
import { sumUsage } from "../../engine/budget.ts";
import type { AnyFinished, AnyPack, Finding } from "../../engine/pack.ts";
import { bad, good } from "../record/finding.ts";
import type { StoredRun } from "../record/read-run.ts";
import { findDebatedResult, replay } from "../redecide/redecide.ts";
import { applyRuling } from "../review/review-run.ts";
import { version } from "../settings/version.ts";

/** The rules, run again over the recorded turns, must come to the recorded end; only this version's own rules can tell. */
export async function checkReplay(pack: AnyPack, stored: StoredRun): Promise<Finding[]> {
  const { run } = stored;
  const result = findDebatedResult(stored);
  if (!result) return [];
  if (run.manifest.parley !== version)
    return [good("replay", run.id, `not replayed: made by Parley ${run.manifest.parley}, this is ${version}`)];
  try {
    const again = await replay(pack, stored, run.manifest.config, findStop(result));
    const [problem] = [
      ...listDifferences("", endOf(result), endOf(again.result)),
      ...compareTurns(stored.turns, again.turns),
      ...listDifferences("usage", result.usage, sumUsage(stored.turns.map((turn) => turn.usage))),
      ...compareRuling(stored, result),
    ];
    if (problem !== undefined) return [bad("replay", run.id, `${otherwise}: ${problem}`)];
    return [good("replay", run.id, "the rules come to the recorded decision again")];
  } catch (error) {
    if (error instanceof ParleyError) return [bad("replay", run.id, error.message)];
    return [bad("replay", run.id, `its turns cannot be played again: ${(error as Error).message}`)];
  }
}

const otherwise = "the rules, run again over the recorded turns, come to something else than what is recorded";

/** Where a run that stopped early stops again: at the turn that it never got. */
function findStop({ outcome, reasons }: DebateResult): ParleyError | null {
  const code = ({ failed: "endpoint_failed", budget_exhausted: "budget_exhausted" } as const)[outcome as "failed"];
  return code === undefined ? null : new ParleyError(code, reasons[0] ?? outcome);
}

/** What rules make of turns. What they cost, and how long they took, no rule can tell. */
function endOf({ outcome, reasons, decision, quorum, notes }: DebateResult) {
  return { outcome, reasons, decision, quorum, notes };
}

function compareTurns(recorded: readonly Turn[], again: AnyFinished["turns"]): string[] {
  const said = ({ key, status, reply, problems, requestHash }: Turn) => ({
    key,
    status,
    reply,
    requestHash,
    // How a problem is worded may change; what it is may not.
    problems: problems.map(({ code, severity, path }) => ({ code, severity, path })),
  });
  return listDifferences("turns", recorded.map(said), again.map(said));
}

/** A run that a person settled ends as its ruling says; the decision stays as it was debated. */
function compareRuling({ entries, result }: StoredRun, debated: DebateResult): string[] {
  const review = entries.map((entry) => entry.body).findLast((body) => body.kind === "review");
  return review ? listDifferences("after the ruling", result, applyRuling(debated, review)) : [];
}

function listDifferences(what: string, before: unknown, after: unknown): string[] {
  return diffJson(before, jsonCopy(after), what).map(formatDifference);
}
