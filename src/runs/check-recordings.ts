import type { Budget } from "../contract/budget.ts";
import { hasCode, ParleyError } from "../contract/error.ts";
import type { DebateResult } from "../contract/result.ts";
import { turnIdOf } from "../contract/turn.ts";
import type { AnyFinished, AnyPack } from "../engine/pack.ts";
import type { Cast, Player } from "../engine/player.ts";
import { runDebate } from "../engine/run-debate.ts";
import { expertPlayer, recordingPlayer } from "../players/offline-players.ts";
import { jsonCopy } from "../text/json-copy.ts";
import { diffJson } from "../text/json-diff.ts";
import type { StoredRun } from "./read-run.ts";
import { compareHeadlines, compareRules, findDebatedResult, type Flip, formatRuleChanges, isFlip } from "./redecide.ts";
import { checkValue } from "./settings.ts";
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
  calls: number;
};

const expert = expertPlayer();

/** Who plays turns whose request changed: programs are free and always play; `live` plays for models, when calls are allowed. */
export type ReplayOptions = { live: Cast | null; budget?: Budget; signal?: AbortSignal };

/** Replays a recorded run with the pack of today. What is asked as before is answered as recorded, without a call. */
export async function replayRecording(pack: AnyPack, stored: StoredRun, options: ReplayOptions): Promise<Replayed> {
  const { run } = stored;
  const before = findDebatedResult(stored);
  const base = { run: run.id, case: run.caseId, pack: run.manifest.pack, flips: [], rules: [], why: null, calls: 0 };
  const asked: string[] = [];
  try {
    if (!before) throw new ParleyError("bad_input", "it has not ended");
    const input: unknown = checkValue(pack.input, run.manifest.input, "input", "drifted");
    const config: unknown = checkValue(pack.config, run.manifest.config, "config", "drifted");
    const cast = answerAsRecorded(stored, options.live, asked);
    const { seed } = run.manifest;
    const material = { value: stored.material };
    const finished = await runDebate({ pack, input, config, cast, seed, material, ...limits(options) });
    const { result } = finished;
    if (result.outcome === "failed" && before.outcome !== "failed")
      return { ...base, asked, status: "refused", why: result.reasons[0] ?? "failed", calls: result.spend.calls };
    return { ...base, asked, ...compareEnds(pack, stored, before, finished) };
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    const status = hasCode(error, "not_recorded") ? "needs_calls" : "refused";
    return { ...base, asked, status, why: error.message };
  }
}

function limits({ budget, signal }: ReplayOptions) {
  return { ...(budget ? { budget } : {}), ...(signal ? { signal } : {}) };
}

function compareEnds(pack: AnyPack, stored: StoredRun, before: DebateResult, finished: AnyFinished) {
  const after = jsonCopy(finished.result) as DebateResult;
  const outcome = { before: before.outcome, after: after.outcome };
  const headline = present(pack, { ...stored, result: before }, (old) => compareHeadlines(pack, old, finished));
  const rules = formatRuleChanges(compareRules(before.notes, after.notes));
  const calls = after.spend.calls;
  if (isFlip({ outcome, headline })) {
    const flips = [{ name: "outcome", ...outcome }, ...headline].filter((line) => line.before !== line.after);
    return { status: "flipped" as const, flips, rules, calls };
  }
  const isMoved = rules.length > 0 || diffJson(before.decision, after.decision).length > 0;
  return { status: isMoved ? ("moved" as const) : ("same" as const), flips: [], rules, calls };
}

function answerAsRecorded({ turns }: StoredRun, live: Cast | null, asked: string[]): Cast {
  const recorded = recordingPlayer(turns);
  const models = new Set(
    turns.filter(({ attempts }) => attempts.some(({ finish }) => finish !== null)).map(({ key }) => key.role),
  );
  return (name): Player => ({
    id: recorded.id,
    async play(role, input, turn) {
      try {
        return await recorded.play(role, input, turn);
      } catch (error) {
        if (!hasCode(error, "not_recorded")) throw error;
        asked.push(turnIdOf(turn.key));
        const player = models.has(role.name) || !role.expert ? live?.(name) : expert;
        if (player === undefined)
          throw new ParleyError(
            "not_recorded",
            `${turnIdOf(turn.key)} is asked something else now; its reply would be a new call`,
          );
        return player.play(role, input, turn);
      }
    },
  });
}
