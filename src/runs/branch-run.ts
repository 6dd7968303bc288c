import { ParleyError } from "../contract/error.ts";
import type { AttemptBody } from "../contract/journal.ts";
import { turnId } from "../contract/turn.ts";
import { openJournal } from "../engine/journal.ts";
import { hashOf } from "../engine/hash.ts";
import type { AnyPack } from "../engine/pack.ts";
import { piecesFromTexts } from "../engine/prompt-pieces.ts";
import type { StoredRun } from "./read-run.ts";
import { withSettings } from "./read-settings.ts";
import { continueRun, type FinishedRun, prepareRun, type RunSetting, sealed } from "./start-run.ts";

/** What a branch changes: from which step on, and who plays or which settings. */
export type BranchRequest = { from: string; cast?: string; settings: readonly string[]; seed?: number };

/** Starts a run that shares another's turns up to a step and goes on from there on its own. */
export async function branchRun(
  setting: RunSetting,
  pack: AnyPack,
  stored: StoredRun,
  request: BranchRequest,
): Promise<FinishedRun> {
  const { manifest, id: parentId } = stored.run;
  const shared = attemptsBefore(stored, request.from);
  const id = await prepareRun(setting, {
    pack,
    input: manifest.input,
    config: withSettings(manifest.given, request.settings),
    cast: request.cast ?? manifest.cast,
    seed: request.seed ?? manifest.seed,
    budget: manifest.budget,
    caseId: stored.run.caseId,
    parent: { run: parentId, from: request.from },
  });
  await copyAttempts(setting, parentId, id, shared);
  return continueRun(setting, pack, id);
}

/** The recorded attempts of the turns that were asked before a step: `round-2`, `2/critique` or a whole turn name. */
export function attemptsBefore(stored: StoredRun, from: string): AttemptBody[] {
  const attempts = stored.entries.map((entry) => entry.body).filter((body) => body.kind === "attempt");
  const round = /^round-(\d+)$/.exec(from)?.[1];
  const wanted = round === undefined ? from : `${round}/`;
  const starts = attempts.filter(
    ({ turn }) => turnId(turn) === wanted || turnId(turn).startsWith(wanted.endsWith("/") ? wanted : `${wanted}/`),
  );
  if (starts.length === 0) {
    const steps = [...new Set(attempts.map(({ turn }) => `${turn.round}/${turn.step}`))];
    throw new ParleyError(
      "bad_input",
      `run ${stored.run.id} has no step "${from}"; it has round-N and ${steps.join(", ")}`,
    );
  }
  const first = Math.min(...starts.map((body) => body.place));
  return attempts.filter((body) => body.place < first);
}

/** Writes shared turns into the new run's journal, with their prompts; they cost it nothing. */
async function copyAttempts({ store }: RunSetting, parentId: string, id: string, shared: AttemptBody[]): Promise<void> {
  const run = await store.get(id);
  if (!run) throw new ParleyError("unknown_run", `no run ${id}`);
  const parent = await store.journal(parentId);
  const writer = openJournal(await store.journal(id));
  await writer.write({ kind: "begin", version: 1, manifestHash: hashOf(sealed(run)) });
  for (const body of shared) {
    const texts = (await parent.prompt(body.promptHash)) ?? [];
    await writer.write({ ...body, spent: { calls: 0, tokens: 0, usd: 0 } }, piecesFromTexts(texts));
  }
}
