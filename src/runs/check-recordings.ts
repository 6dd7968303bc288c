import { hasCode, ParleyError } from "../contract/error.ts";
import type { DebateResult } from "../contract/result.ts";
import { turnIdOf } from "../contract/turn.ts";
import type { AnyFinished, AnyPack } from "../engine/pack.ts";
import type { Cast, Player } from "../engine/player.ts";
import { runDebate } from "../engine/run-debate.ts";
import { expertPlayer, recordingPlayer } from "../players/offline-players.ts";
import { diffJson, jsonCopy } from "../text/json.ts";
import type { StoredRun } from "./read-run.ts";
import { compareHeadlines, compareRules, findDebatedResult, type Flip, formatRuleChanges, isFlip } from "./redecide.ts";
import { checkValue, withSettings } from "./settings.ts";
import { present } from "./show-run.ts";

/** What became of a recorded run under the rules, prompts and packs of today. */
export type Replayed = {
  run: string;
  case: string | null;
  pack: string;
  /**
   * `same`: as recorded; `moved`: reasons or numbers differ, a reader acts as before; `flipped`: a reader would act otherwise;
   * `needs_calls`: a model is asked something else now; `refused`: the pack of today does not take the case or its settings.
   */
  status: "same" | "moved" | "flipped" | "needs_calls" | "refused";
  flips: Flip[];
  /** The rules that decided otherwise, in words. */
  rules: string[];
  /** The turns that were asked something else than what was recorded. */
  asked: string[];
  /** Why it could not be replayed. */
  why: string | null;
};

const expert = expertPlayer();

/**
 * Replays a recorded run with the pack of today, and with these settings changed. What is asked as before is answered as
 * recorded; a program that is asked something else plays, a model is not called.
 */
export async function replayRecording(
  pack: AnyPack,
  stored: StoredRun,
  { settings = [], signal }: { settings?: readonly string[]; signal?: AbortSignal } = {},
): Promise<Replayed> {
  const { run } = stored;
  const before = findDebatedResult(stored);
  const base = { run: run.id, case: run.caseId, pack: run.manifest.pack, flips: [], rules: [], why: null };
  const asked: string[] = [];
  try {
    if (!before) throw new ParleyError("bad_input", "it has not ended");
    const input: unknown = checkValue(pack.input, run.manifest.input, "input", "drifted");
    const config: unknown = checkValue(pack.config, withSettings(run.manifest.config, settings), "config", "drifted");
    const cast = answerAsRecorded(stored, asked);
    const { seed } = run.manifest;
    const material = { value: stored.material };
    const finished = await runDebate({ pack, input, config, cast, seed, material, ...(signal ? { signal } : {}) });
    const { result } = finished;
    if (result.outcome === "failed" && before.outcome !== "failed")
      return { ...base, asked, status: "refused", why: result.reasons[0] ?? "failed" };
    return { ...base, asked, ...compareEnds(pack, stored, before, finished) };
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    const status = hasCode(error, "not_recorded") ? "needs_calls" : "refused";
    return { ...base, asked, status, why: error.message };
  }
}

function compareEnds(pack: AnyPack, stored: StoredRun, before: DebateResult, finished: AnyFinished) {
  const after = jsonCopy(finished.result) as DebateResult;
  const outcome = { before: before.outcome, after: after.outcome };
  const headline = present(pack, { ...stored, result: before }, (old) => compareHeadlines(pack, old, finished));
  const rules = formatRuleChanges(compareRules(before.notes, after.notes));
  if (isFlip({ outcome, headline })) {
    const flips = [{ name: "outcome", ...outcome }, ...headline].filter((line) => line.before !== line.after);
    return { status: "flipped" as const, flips, rules };
  }
  const isMoved = rules.length > 0 || diffJson(before.decision, after.decision).length > 0;
  return { status: isMoved ? ("moved" as const) : ("same" as const), flips: [], rules };
}

function answerAsRecorded({ turns }: StoredRun, asked: string[]): Cast {
  const recorded = recordingPlayer(turns);
  const models = new Set(
    turns.filter(({ attempts }) => attempts.some(({ finish }) => finish !== null)).map(({ key }) => key.role),
  );
  return (): Player => ({
    id: recorded.id,
    async play(role, input, turn) {
      try {
        return await recorded.play(role, input, turn);
      } catch (error) {
        if (!hasCode(error, "not_recorded")) throw error;
        asked.push(turnIdOf(turn.key));
        if (models.has(role.name) || !role.expert)
          throw new ParleyError(
            "not_recorded",
            `${turnIdOf(turn.key)} is asked something else now; its reply would be a new call`,
          );
        return expert.play(role, input, turn);
      }
    },
  });
}
