import * as z from "zod";
import { ParleyError } from "../contract/error.ts";
import { turnIdOf } from "../contract/turn.ts";
import { noUsage } from "../contract/budget.ts";
import type { Player } from "../engine/player.ts";
import type { Positions } from "../engine/role.ts";
import { explainIssues, formatPath } from "../text/explain-issues.ts";
import { createRandom, deriveSeed, type Random } from "../text/random.ts";
import { throwIfInterrupted } from "./with-retry.ts";

/** A speaker of known quality that picks its answers at random according to its settings, for trying out protocols. */
export function syntheticPlayer(settings: SyntheticSettings): Player {
  return {
    id: `synthetic(${writeSyntheticSettings(settings)})`,
    async play(role, input, turn) {
      throwIfInterrupted(turn.signal);
      const positions = role.aids?.positions?.(input) ?? null;
      if (positions === null)
        throw new ParleyError(
          "bad_cast",
          `${turnIdOf(turn.key)}: a synthetic speaker needs a role whose answers are known beforehand, such as a question with choices`,
        );
      await turn.reserve({ calls: 1, tokens: 0, usd: 0 });
      const chosen = choosePosition(settings, positions, drawLots(turn.seed, positions.about));
      const value = positions.say(chosen.answer, chosen.confidence);
      return { reply: { value }, usage: { ...noUsage, calls: 1 }, finish: null, final: true };
    },
  };
}

const share = z.number().min(0).max(1);

/** Settings of a synthetic speaker. Shares are probabilities, drawn independently from the seed. */
export const SyntheticSettingsSchema = z.strictObject({
  accuracy: share.default(0.7),
  /** How much its accuracy varies between turns: 0 not at all, 1 as much as possible. */
  spread: share.default(0.5),
  /** 1: it states its probability of being right; 0: it always says .95. */
  calibration: share.default(1),
  /** The probability of sharing the common finding of all correlated speakers. */
  correlation: share.default(0),
  /** The probability that the others' words show it the right answer. */
  insight: share.default(0),
  /** The probability of following others, either the majority or anyone it heard. */
  conformity: share.default(0),
  follow: z.enum(["majority", "peer"]).default("majority"),
  truth: z.string().optional(),
});
export type SyntheticSettings = z.infer<typeof SyntheticSettingsSchema>;

export function readSyntheticSettings(text: string): SyntheticSettings {
  const given: Record<string, unknown> = {};
  for (const part of text.split(",").filter((one) => one.trim() !== "")) {
    const [name = "", value = ""] = part.split("=").map((one) => one.trim());
    given[name] = value !== "" && Number.isFinite(Number(value)) && name !== "truth" ? Number(value) : value;
  }
  const parsed = SyntheticSettingsSchema.safeParse(given, { reportInput: true });
  if (parsed.success) return parsed.data;
  const [issue] = explainIssues(SyntheticSettingsSchema, parsed.error);
  throw new ParleyError("bad_cast", `synthetic(…): ${formatPath(issue?.path ?? [])}: ${issue?.message ?? "is wrong"}`);
}

export function writeSyntheticSettings(settings: SyntheticSettings): string {
  const defaults = SyntheticSettingsSchema.parse({}) as Record<string, unknown>;
  return Object.entries(settings)
    .filter(([name, value]) => value !== undefined && value !== defaults[name])
    .map(([name, value]) => `${name}=${value}`)
    .join(",");
}

export type Chosen = { answer: string; confidence: number };

type Lots = { own: Random; common: Random };

/** Random draws of a turn; they depend only on the turn's seed and the case. */
export function drawLots(turnSeed: number, about: string): Lots {
  return {
    own: createRandom(deriveSeed(`${turnSeed}\n${about}`)),
    common: createRandom(deriveSeed(`common\n${about}`)),
  };
}

/** Chooses a speaker's answer: alone at first, then by what it heard; a judge has no earlier answer to keep. */
export function choosePosition(
  settings: SyntheticSettings,
  positions: Omit<Positions<unknown>, "say">,
  lots: Lots,
): Chosen {
  const { own: draw } = lots;
  const truth = settings.truth ?? positions.answers[0] ?? "";
  const { own, heard } = positions;
  if (own === null) {
    const follows = heard.length > 0 && draw() < settings.conformity;
    return follows
      ? follow(settings, heard, heard[0] ?? truth, draw)
      : findByItself(settings, positions.answers, truth, lots);
  }
  if (draw() < settings.insight) return { answer: truth, confidence: settings.calibration < 1 ? 0.95 : 1 };
  return heard.length > 0 && draw() < settings.conformity ? follow(settings, heard, own.answer, draw) : own;
}

function follow(settings: SyntheticSettings, heard: readonly string[], own: string, draw: Random): Chosen {
  const answer = settings.follow === "peer" ? pickOne(heard, draw()) : findMajority(heard, own);
  return { answer, confidence: shareOf(answer, heard) };
}

function findByItself(
  settings: SyntheticSettings,
  answers: readonly string[],
  truth: string,
  { own, common }: Lots,
): Chosen {
  const { accuracy, spread, correlation, calibration } = settings;
  const reach = spread * Math.min(accuracy, 1 - accuracy);
  const isCommon = own() < correlation;
  const draw = isCommon ? common : own;
  const chance = accuracy + reach * (2 * draw() - 1);
  const isRight = draw() < chance;
  const others = answers.filter((answer) => answer !== truth);
  const answer = isRight && answers.includes(truth) ? truth : pickOne(others.length > 0 ? others : answers, draw());
  return { answer, confidence: calibration * chance + (1 - calibration) * 0.95 };
}

/** The most common answer; in a tie one's own, else the first heard. */
function findMajority(heard: readonly string[], own: string): string {
  const counts = new Map<string, number>();
  for (const answer of heard) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const leading = [...counts].filter(([, count]) => count === most).map(([answer]) => answer);
  return leading.includes(own) ? own : (leading[0] ?? own);
}

function shareOf(answer: string, heard: readonly string[]): number {
  return heard.length === 0 ? 0.5 : heard.filter((one) => one === answer).length / heard.length;
}

function pickOne(items: readonly string[], at: number): string {
  return items[Math.floor(at * items.length)] ?? items[0] ?? "";
}
