import { noCost } from "../contract/budget.ts";
import { hasCode, ParleyError } from "../contract/error.ts";
import type { AttemptBody } from "../contract/journal.ts";
import { turnIdOf, type TurnKey } from "../contract/turn.ts";
import { hashValue } from "../engine/hash.ts";
import type { AnyPack } from "../engine/pack.ts";
import type { Player } from "../engine/player.ts";
import { recordingPlayer } from "../players/offline-players.ts";
import { listAttempts, requirePrompt, type StoredRun } from "./read-run.ts";
import { replay } from "./redecide.ts";
import { withSettings } from "./settings.ts";
import {
  continueRun,
  type FinishedRun,
  type FirstEntries,
  pickSealedFacts,
  prepareRun,
  type RunRequest,
  type RunSetting,
} from "./start.ts";

/** Where a branch starts, and the cast or settings it changes. */
export type BranchRequest = { from: string; cast?: string; settings: readonly string[]; seed?: number };

/** Starts a run that keeps another run's turns up to a step and continues from there. */
export async function branchRun(
  setting: RunSetting,
  pack: AnyPack,
  stored: StoredRun,
  request: BranchRequest,
): Promise<FinishedRun> {
  return continueRun(setting, pack, await prepareBranch(setting, pack, stored, request));
}

export async function prepareBranch(
  setting: RunSetting,
  pack: AnyPack,
  stored: StoredRun,
  request: BranchRequest,
): Promise<string> {
  const { from, settings } = request;
  const shared = takeAttemptsBefore(stored, from);
  await checkShared(pack, stored, shared, request);
  const parent = await setting.store.journal(stored.run.id);
  const prompts = await Promise.all(
    shared.map((body) => requirePrompt(parent, stored.run.id, { ...body, key: body.turn })),
  );
  const again = repeatRequest(pack, stored, from);
  const branch = {
    ...again,
    config: withSettings(again.config, settings),
    cast: request.cast ?? again.cast,
    seed: request.seed ?? again.seed,
  };
  return prepareRun(setting, branch, shareTurns(stored, shared, prompts));
}

export function repeatRequest(pack: AnyPack, { run }: StoredRun, from: string) {
  const { input, given: config, cast, seed, budget } = run.manifest;
  return {
    pack,
    input,
    config,
    cast,
    seed,
    budget,
    caseId: run.caseId,
    parent: { run: run.id, from },
  } satisfies RunRequest;
}

export function takeAttemptsBefore(stored: StoredRun, from: string): AttemptBody[] {
  const attempts = listAttempts(stored.entries);
  const starts = attempts.filter(({ turn }) => isStep(turn, from));
  if (starts.length === 0)
    throw new ParleyError("bad_input", `run ${stored.run.id} has no step "${from}".\n${listSteps(stored)}`);
  const first = Math.min(...starts.map((body) => body.place));
  return attempts.filter((body) => body.place < first);
}

function isStep(turn: TurnKey, from: string): boolean {
  const round = /^(?:round-)?(\d+)\/?$/.exec(from)?.[1];
  if (round !== undefined) return turn.round === Number(round);
  const names = [turn.step, turn.role, `${turn.round}/${turn.step}`, `${turn.round}/${turn.role}`, turnIdOf(turn)];
  return names.includes(from);
}

function listSteps({ run, turns }: StoredRun): string {
  if (turns.length === 0) return "It has no turns; start a new run instead.";
  const steps = [...new Set(turns.map(({ key }) => `${key.round}/${key.step}`))];
  const rounds = [...Map.groupBy(steps, (step) => step.split("/")[0] ?? "")];
  const lines = rounds.map(([round, inside]) => `  round-${round}: ${inside.join(", ")}`);
  return `It has these, and the turns that \`parley show ${run.id} --turn\` lists:\n${lines.join("\n")}`;
}

/** Plays the shared turns with the new settings before anything is stored: a turn whose prompt would change cannot be shared. */
async function checkShared(
  pack: AnyPack,
  { run, material, turns }: StoredRun,
  shared: readonly AttemptBody[],
  { settings, seed }: BranchRequest,
): Promise<void> {
  const names = new Set(shared.map(({ turn }) => turnIdOf(turn)));
  const config = withSettings(run.manifest.given, settings);
  const kept = turns.filter(({ key }) => names.has(turnIdOf(key)));
  const manifest = { ...run.manifest, seed: seed ?? run.manifest.seed };
  const again = { run: { ...run, manifest }, material, turns: kept };
  const asked = new Set<string>();
  const recorded = recordingPlayer(kept);
  const player: Player = {
    ...recorded,
    play(role, input, turn) {
      asked.add(turnIdOf(turn.key));
      return recorded.play(role, input, turn);
    },
  };
  try {
    await replay(pack, again, config, { player });
  } catch (error) {
    if (!hasCode(error, "not_recorded")) throw error;
    const turn = String(error.details.turn);
    if (names.has(turn)) throw createNotSharedError(turn, "would be asked something else");
  }
  const unasked = kept.map(({ key }) => turnIdOf(key)).find((turn) => !asked.has(turn));
  if (unasked !== undefined) throw createNotSharedError(unasked, "would not be asked there");
}

function createNotSharedError(turn: string, why: string): ParleyError {
  return new ParleyError(
    "bad_input",
    `with these settings ${turn} ${why}, so it cannot be shared; branch from it (--from ${turn}) or from an earlier step`,
  );
}

export function shareTurns({ entries }: StoredRun, shared: AttemptBody[], prompts: string[][]): FirstEntries {
  const prepared = entries.map(({ body }) => body).filter((body) => body.kind === "material");
  return (run, writer) => [
    writer.write({ kind: "begin", version: 1, manifestHash: hashValue(pickSealedFacts(run)) }),
    ...prepared.map((body) => writer.write(body)),
    ...shared.map((body, index) => writer.write({ ...body, spent: noCost }, prompts[index] ?? [])),
  ];
}
