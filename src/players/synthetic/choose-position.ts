import type { Positions } from "../../engine/role.ts";
import { createRandom, deriveSeed, type Random } from "../../text/random.ts";
import type { SyntheticSettings } from "./settings.ts";

/** What a synthetic speaker says in a turn; null when it is silent. */
export type Chosen = { answer: string; confidence: number } | null;

/** What is drawn by lot: `own` belongs to this turn alone, `common` to everyone who looks at the case. */
export type Lots = { own: Random; common: Random };

/** The lots of a turn: everything drawn depends on the turn's seed and the case only. */
export function drawLots(turnSeed: number, about: string): Lots {
  return {
    own: createRandom(deriveSeed(`${turnSeed}\n${about}`)),
    common: createRandom(deriveSeed(`common\n${about}`)),
  };
}

/** Chooses where a speaker stands: by itself at first, then by what it heard; a judge has no answer of its own to keep. */
export function choosePosition(
  settings: SyntheticSettings,
  positions: Omit<Positions<unknown>, "say">,
  lots: Lots,
): Chosen {
  const { own: draw } = lots;
  const truth = settings.truth ?? positions.answers[0] ?? "";
  if (draw() < settings.abstention) return null;
  const { own, heard } = positions;
  if (own === null) {
    const follows = heard.length > 0 && draw() < settings.conformity;
    return follows
      ? follow(settings, heard, heard[0] ?? truth, draw)
      : findByItself(settings, positions.answers, truth, lots);
  }
  if (draw() < settings.stubbornness) return own;
  if (draw() < settings.insight) return { answer: truth, confidence: settings.calibration < 1 ? 0.95 : 1 };
  return heard.length > 0 && draw() < settings.conformity ? follow(settings, heard, own.answer, draw) : own;
}

function follow(settings: SyntheticSettings, heard: readonly string[], own: string, draw: Random): NonNullable<Chosen> {
  const answer = settings.follow === "peer" ? pickOne(heard, draw()) : findMajority(heard, own);
  return { answer, confidence: shareOf(answer, heard) };
}

function findByItself(
  settings: SyntheticSettings,
  answers: readonly string[],
  truth: string,
  { own, common }: Lots,
): NonNullable<Chosen> {
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

/** The answer that most hold; where several lead, one's own if it is among them, else the first heard. */
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
