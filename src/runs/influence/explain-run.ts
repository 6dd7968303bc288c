import { setImmediate } from "node:timers/promises";
import { ParleyError } from "../../contract/error.ts";
import type { Turn } from "../../contract/turn.ts";
import type { AnyFinished, AnyPack } from "../../engine/pack.ts";
import type { StoredRun } from "../record/read-run.ts";
import { headlineOf } from "../record/show-run.ts";
import type { Flip } from "../redecide/redecide.ts";
import { findWhatWouldChange, mostTurns, type WhatWouldChange } from "../redecide/what-would-change.ts";
import { canJoin, type Change } from "./change.ts";
import { createDecider, type DecideWith, listFlips } from "./decide-with.ts";
import { listParts, listScores, listSilences } from "./list-changes.ts";
import { findNearestScore } from "./nearest-score.ts";
import { findSmallestSet } from "./smallest-set.ts";

/** A change, and what it would flip: nothing when the list is empty, unknown when it is null. */
export type Weighed<C extends Change = Change> = { change: C; flips: Flip[] | null };

/** What a decision hangs on. */
export type Why = {
  run: string;
  headline: Record<string, string>;
  /** Each turn that was spoken, left out alone. */
  turns: Weighed[];
  /** The items of decisive turns whose absence alone flips the decision. */
  parts: Weighed[];
  /** Scores that alone flip the decision, at the nearest value that does. */
  scores: Weighed[];
  /** Settings that alone flip the decision, and how that was found. */
  settings: Weighed[];
  change: WhatWouldChange;
  /** When nothing alone does: the smallest set of changes that does. */
  together: { changes: Change[]; flips: Flip[]; proven: boolean } | null;
  /** How often the rules were run, and how often they would have had to be run beyond the limit. */
  tried: number;
  untried: number;
};

/** How often the rules are run at most: for one change at a time, and in the search for changes that flip a decision together. */
const mostRuns = 3_000;
const searchLimit = 1_500;

/** How often the rules are run where somebody waits for a page or a file: so often that a bounded number of turns is replayed. */
export function limitRuns({ turns }: Pick<StoredRun, "turns">): number {
  return Math.min(100, Math.ceil(mostTurns / Math.max(1, turns.length)));
}

/**
 * Finds which turns, claims, quotes, scores and settings a decision hangs on, by running the rules over the recorded
 * turns with one thing changed. Exact, and no call is made.
 */
export async function explainRun(pack: AnyPack, stored: StoredRun, limit = mostRuns): Promise<Why> {
  const count = { tried: 0, untried: 0 };
  const decide = countRuns(createDecider(pack, stored), count, limit);
  const held = await requireSame(pack, stored, decide);
  const weigh = async (change: Change): Promise<Weighed> => {
    const after = await decide([change]);
    return { change, flips: after && listFlips(pack, held, after) };
  };
  const turns = await inOrder(listSilences(stored.turns), weigh);
  const decisive = new Set(turns.filter(isDecisive).map(({ change }) => (change as { turn: string }).turn));
  const partsOf = stored.turns.flatMap(listParts);
  const parts = (
    await inOrder(
      partsOf.filter((change) => isIn(change, decisive)),
      weigh,
    )
  ).filter(isDecisive);
  const ends = listAllScores(pack, stored);
  const scores = await findScores(ends, pack, held, decide);
  const change = await findWhatWouldChange(pack, stored);
  count.tried += change.tried;
  const settings = change.levers.map(({ setting, from, to, flips }) => ({
    change: { kind: "setting", setting, from, to } as const,
    flips,
  }));
  const alone = [...turns, ...parts, ...scores, ...settings].some(isDecisive);
  const together = alone
    ? null
    : await findTogether([...listSilences(stored.turns), ...ends, ...partsOf], pack, held, decide);
  const headline = headlineOf(pack, held);
  return { run: stored.run.id, headline, turns, parts, scores, settings, change, together, ...count };
}

/** True when the change flips the decision. */
export function isDecisive({ flips }: Weighed): boolean {
  return flips !== null && flips.length > 0;
}

/** The recorded turns must come to the recorded decision, else nothing can be said about it. */
async function requireSame(pack: AnyPack, stored: StoredRun, decide: DecideWith): Promise<AnyFinished> {
  if (!stored.result?.decision)
    throw new ParleyError("bad_input", `run ${stored.run.id} has no decision yet; resume it first`);
  const held = await decide([]);
  if (held) return held;
  throw new ParleyError(
    "drifted",
    `run ${stored.run.id} cannot be decided again from its recorded turns: its rules or its settings are not those of this Parley`,
  );
}

function listAllScores(pack: AnyPack, { run, turns }: StoredRun): Change[] {
  const roles = new Map(pack.roles(run.manifest.config).map((role) => [role.name, role]));
  return turns.flatMap((turn: Turn) => listScores(turn, roles.get(turn.key.role)));
}

async function findScores(ends: Change[], pack: AnyPack, held: AnyFinished, decide: DecideWith): Promise<Weighed[]> {
  const found = await inOrder(ends, (end) => findNearestScore(end, pack, held, decide));
  return found.filter((one) => one !== null);
}

async function findTogether(candidates: Change[], pack: AnyPack, held: AnyFinished, decide: DecideWith) {
  const flipsWith = async (changes: readonly Change[]): Promise<boolean | null> => {
    const after = await decide(changes);
    return after && listFlips(pack, held, after).length > 0;
  };
  const { changes, proven } = await findSmallestSet(candidates, flipsWith, { limit: searchLimit, canJoin });
  const after = changes && (await decide(changes));
  return changes && after ? { changes, proven, flips: listFlips(pack, held, after) } : null;
}

function isIn(change: Change, turns: ReadonlySet<string>): boolean {
  return change.kind !== "setting" && turns.has(change.turn);
}

/** Counts up to the limit; between two runs of the rules whatever else the process does gets its turn. */
function countRuns(decide: DecideWith, count: { tried: number; untried: number }, limit: number): DecideWith {
  return async (changes) => {
    if (count.tried >= limit) {
      count.untried += 1;
      return null;
    }
    count.tried += 1;
    await setImmediate();
    return decide(changes);
  };
}

async function inOrder<A, B>(items: readonly A[], work: (item: A) => Promise<B>): Promise<B[]> {
  const done: B[] = [];
  for (const item of items) done.push(await work(item));
  return done;
}
