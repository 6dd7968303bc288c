import { ParleyError } from "../../contract/error.ts";
import type { Estimate } from "../../contract/chart.ts";
import type { Cast } from "../../engine/player.ts";
import { runDebate } from "../../engine/run-debate.ts";
import { question } from "../../packs/question/index.ts";
import type { SyntheticSettings } from "../../players/synthetic/settings.ts";
import { syntheticPlayer } from "../../players/synthetic/synthetic-player.ts";
import { createRandom } from "../../text/random.ts";
import { bootstrapMean, pairedBootstrap } from "../statistics/bootstrap.ts";
import type { LabArm } from "./lab-arms.ts";
import type { LabCase } from "./lab-case.ts";

/** Speakers of one kind, and what an arm made of them. */
export type LabPoint = {
  speakers: SyntheticSettings;
  arm: string;
  control: boolean;
  cases: number;
  /** How often the decision was right. */
  accuracy: Estimate;
  /** Calls a case. */
  calls: number;
  /** The share of speakers with the right answer, round by round. */
  beliefs: Estimate[];
  /** How far that share moved from the first round to the last, over the same cases. */
  moved: Estimate;
  /** For each case, whether it was decided rightly: arms of one kind of speaker can be paired by case. */
  right: boolean[];
  /** For each case, how sure the decision is. */
  confidences: (number | null)[];
};

export type LabOptions = {
  /** Who plays beside the others, by role: an informed critic among speakers who only follow. */
  others?: Record<string, SyntheticSettings>;
  signal?: AbortSignal;
  onCase?(): void;
};

/** Runs an arm with speakers of one kind over the questions of the lab. No model is asked. */
export async function runLabPoint(
  arm: LabArm,
  speakers: SyntheticSettings,
  cases: readonly LabCase[],
  options: LabOptions = {},
): Promise<LabPoint> {
  const done: { right: boolean; confidence: number | null; calls: number; beliefs: number[] }[] = [];
  for (const one of cases) {
    if (options.signal?.aborted) throw new ParleyError("interrupted", "interrupted");
    done.push(await runLabCase(arm, speakers, one, options.others ?? {}));
    options.onCase?.();
  }
  const rounds = Math.max(0, ...done.map(({ beliefs }) => beliefs.length));
  return {
    speakers,
    arm: arm.name,
    control: arm.control,
    cases: cases.length,
    accuracy: meanOf(done.map(({ right }) => (right ? 1 : 0))),
    calls: done.reduce((sum, { calls }) => sum + calls, 0) / Math.max(1, done.length),
    beliefs: Array.from({ length: rounds }, (_, round) =>
      meanOf(done.map(({ beliefs }) => beliefs[Math.min(round, beliefs.length - 1)] ?? 0)),
    ),
    moved: measureMove(done.map(({ beliefs }) => beliefs)),
    right: done.map(({ right }) => right),
    confidences: done.map(({ confidence }) => confidence),
  };
}

function measureMove(beliefs: readonly (readonly number[])[]): Estimate {
  const heard = beliefs.filter(({ length }) => length > 0);
  const first = heard.map((rounds) => rounds[0] ?? 0);
  const last = heard.map((rounds) => rounds.at(-1) ?? 0);
  const { estimate, low, high } = pairedBootstrap(first, last, { random: createRandom(1), resamples: 1_000 });
  return { estimate, low, high };
}

async function runLabCase(
  arm: LabArm,
  speakers: SyntheticSettings,
  { input, truth, seed }: LabCase,
  others: Record<string, SyntheticSettings>,
) {
  const cast: Cast = (role) => syntheticPlayer({ ...(others[role] ?? speakers), truth });
  const config = question.config.parse(arm.config);
  const { result } = await runDebate({ pack: question, input: question.input.parse(input), config, cast, seed });
  const { decision } = result;
  const beliefs = (decision?.rounds ?? []).map(
    ({ speeches }) => speeches.filter(({ canonical }) => canonical === truth).length / Math.max(1, speeches.length),
  );
  const confidence = decision?.canonical ? decision.confidence : null;
  return { right: decision?.canonical === truth, confidence, calls: result.spend.calls, beliefs };
}

function meanOf(values: readonly number[]): Estimate {
  return bootstrapMean([...values], { random: createRandom(1), resamples: 1_000 });
}
