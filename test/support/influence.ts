/**
 * Influence: does what is said reach what is decided? A debate is held once; then one of its turns is left out, or says
 * something else, and the protocol decides again. A decisive turn must change the decision, an irrelevant one must not.
 */
import { type Attempt, type Turn, turnIdOf } from "../../src/contract/turn.ts";
import { noUsage } from "../../src/contract/budget.ts";
import type { AnyFinished, AnyPack } from "../../src/engine/pack.ts";
import type { Cast, Player } from "../../src/engine/player.ts";
import { runDebate } from "../../src/engine/run-debate.ts";
import { expertPlayer, recordingPlayer, repeatRecorded } from "../../src/players/offline-players.ts";
import { compareHeadlines, type Flip } from "../../src/runs/compare-runs.ts";
import type { Redecided } from "../../src/runs/redecide.ts";
import { type Difference, diffJson, jsonCopy } from "../../src/text/json.ts";

/** A debate that can be held again and again; `cast` makes a fresh cast each time (the experts when it is left out). */
export type Staging = { pack: AnyPack; input: unknown; config?: unknown; cast?: () => Cast; seed?: number };

/** What happens to one turn: it is left out (the speaker abstains), or it says something else. */
export type Change = { turn: string } & ({ leaveOut: true } | { say: unknown });

/** What the other turns do: `answer` what they now hear (they are played again), or `repeat` what they said. */
export type Others = "answer" | "repeat";

/** What came of a change. */
export type Influence = {
  /** True when a reader would act otherwise: another outcome, or another headline. */
  changed: boolean;
  outcome: { before: string; after: string };
  headline: Flip[];
  /** Every place in which the decision differs, headline or not. */
  decision: Difference[];
  before: AnyFinished;
  after: AnyFinished;
};

/** Holds a debate to its end. */
export function holdDebate({ pack, input, config = {}, cast = castExperts, seed = 7 }: Staging): Promise<AnyFinished> {
  const read = { input: pack.input.parse(input) as unknown, config: pack.config.parse(config) as unknown };
  return runDebate({ pack, ...read, cast: cast(), seed });
}

/** Changes one turn of a debate and decides again. */
export async function measureInfluence(
  staging: Staging,
  change: Change,
  others: Others = "answer",
  held: AnyFinished | null = null,
): Promise<Influence> {
  const before = held ?? (await holdDebate(staging));
  requireTurn(before, change.turn);
  const live = (staging.cast ?? castExperts)();
  const rest = others === "repeat" ? castTurns(before.turns, live) : live;
  const after = await holdDebate({ ...staging, cast: () => changeTurn(rest, change) });
  requireHeard(after, change);
  const outcome = { before: before.result.outcome, after: after.result.outcome };
  const headline = compareHeadlines(staging.pack, before, after);
  const decision = diffJson(jsonCopy(before.result.decision), jsonCopy(after.result.decision));
  return { changed: isFlip({ outcome, headline }), outcome, headline, decision, before, after };
}

/** Leaves out each turn of a debate in turn: which of them the decision depends on. */
export async function listInfluences(
  staging: Staging,
  others: Others = "answer",
): Promise<{ turn: string; changed: boolean }[]> {
  const held = await holdDebate(staging);
  const spoken = held.turns.filter(({ status }) => status !== "abstained").map(({ key }) => turnIdOf(key));
  const found: { turn: string; changed: boolean }[] = [];
  for (const turn of spoken) {
    const { changed } = await measureInfluence(staging, { turn, leaveOut: true }, others, held);
    found.push({ turn, changed });
  }
  return found;
}

/** The built-in programs in every seat. */
export function castExperts(): Cast {
  const player = expertPlayer();
  return () => player;
}

/** The same cast, but for one turn. */
function changeTurn(cast: Cast, change: Change): Cast {
  return (name): Player => ({
    ...cast(name),
    async play(role, input, turn) {
      if (turnIdOf(turn.key) !== change.turn) return cast(name).play(role, input, turn);
      const value = "say" in change ? change.say : null;
      return { reply: { value }, usage: { ...noUsage, calls: 1 }, finish: null, final: true };
    },
  });
}

function requireTurn({ turns }: AnyFinished, turn: string): void {
  const known = turns.map(({ key }) => turnIdOf(key));
  if (!known.includes(turn)) throw new Error(`the debate has no turn ${turn}; it has ${known.join(", ")}`);
}

/** What was planted must have been understood: a reply that the role refuses would only be another silence. */
function requireHeard({ turns }: AnyFinished, change: Change): void {
  const turn = turns.find(({ key }) => turnIdOf(key) === change.turn);
  if (!("say" in change) || (turn && turn.status !== "abstained")) return;
  const why = turn?.problems.map(({ message }) => message).join("; ") ?? "it was not asked";
  throw new Error(`what ${change.turn} was to say did not stand: ${why}`);
}

export function isFlip({ outcome, headline }: Pick<Redecided, "outcome" | "headline">): boolean {
  return outcome.before !== outcome.after || headline.some((line) => line.before !== line.after);
}

/** Repeats recorded turns by their keys, whatever they are now asked; a turn that was never recorded is played by `live`. */
export function castTurns(turns: readonly Turn[], live: Cast | null = null): Cast {
  const options = { usageOf: ({ usage }: Attempt) => usage, isDeaf: true };
  const recorded = recordingPlayer(turns, options);
  return (name) => (live ? repeatRecorded(recorded, live(name)) : recorded);
}
