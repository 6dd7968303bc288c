import { setImmediate } from "node:timers/promises";
import { ParleyError } from "../contract/error.ts";
import type { PromptLanguage } from "../contract/prompt.ts";
import type { Turn } from "../contract/turn.ts";
import type { Section } from "../contract/view.ts";
import type { AnyFinished, AnyPack } from "../engine/pack.ts";
import { shortenText } from "../text/short-text.ts";
import {
  canJoin,
  type Change,
  createDecider,
  type DecideWith,
  describeChange,
  findNearestScore,
  listFlips,
  listParts,
  listScores,
  listSilences,
} from "./influence.ts";
import { type WhyWords, whyWords } from "./why-words.ts";
import type { StoredRun } from "./read-run.ts";
import type { Flip } from "./redecide.ts";
import { headlineOf } from "./show-run.ts";
import { findWhatWouldChange, mostTurns, type WhatWouldChange } from "./what-would-change.ts";

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

/** Whether some changes, made together, flip a decision; null when that cannot be told. */
export type Flips<C> = (changes: readonly C[]) => Promise<boolean | null>;

/** The smallest set found; `proven` when every smaller set was tried, so that none can be smaller. */
export type SmallestSet<C> = { changes: C[] | null; proven: boolean; tried: number };

export type SearchOptions<C> = {
  /** How many sets are tried at most. */
  limit: number;
  /** True when two changes can be made together. */
  canJoin(a: C, b: C): boolean;
};

/**
 * Finds a smallest set of changes that flips: all sets of one, then of two, then of three, as far as the limit allows.
 * When the limit comes first, changes are added one by one until the decision flips and then taken back one by one:
 * that set has no part to spare, but a smaller one may exist.
 */
export async function findSmallestSet<C>(
  candidates: readonly C[],
  flips: Flips<C>,
  { limit, canJoin }: SearchOptions<C>,
): Promise<SmallestSet<C>> {
  let tried = 0;
  let proven = true;
  for (const size of [1, 2, 3]) {
    for (const changes of listSets(candidates, size, canJoin)) {
      if (tried >= limit) {
        proven = false;
        break;
      }
      tried += 1;
      if (await flips(changes)) return { changes, proven: true, tried };
    }
    if (!proven) break;
  }
  const grown = await grow(candidates, flips, canJoin);
  tried += grown.tried;
  if (grown.changes === null) return { changes: null, proven: false, tried };
  const shrunk = await shrink(grown.changes, flips);
  const smallest = proven && shrunk.changes.length === 4;
  return { changes: shrunk.changes, proven: smallest, tried: tried + shrunk.tried };
}

/** Every set of this size whose changes can all be made together, in the order of the candidates. */
export function* listSets<C>(
  candidates: readonly C[],
  size: number,
  canJoin: (a: C, b: C) => boolean,
  from = 0,
  chosen: readonly C[] = [],
): Generator<C[]> {
  if (chosen.length === size) {
    yield [...chosen];
    return;
  }
  for (let at = from; at < candidates.length; at += 1) {
    const candidate = candidates[at] as C;
    if (chosen.every((other) => canJoin(other, candidate)))
      yield* listSets(candidates, size, canJoin, at + 1, [...chosen, candidate]);
  }
}

async function grow<C>(candidates: readonly C[], flips: Flips<C>, canJoin: (a: C, b: C) => boolean) {
  const changes: C[] = [];
  let tried = 0;
  for (const candidate of candidates) {
    if (!changes.every((other) => canJoin(other, candidate))) continue;
    const now = await flips([...changes, candidate]);
    tried += 1;
    if (now === null) continue;
    changes.push(candidate);
    if (now) return { changes, tried };
  }
  return { changes: null, tried };
}

async function shrink<C>(found: readonly C[], flips: Flips<C>) {
  let changes = [...found];
  let tried = 0;
  for (const change of found) {
    const without = changes.filter((other) => other !== change);
    if (without.length === 0) continue;
    tried += 1;
    if (await flips(without)) changes = without;
  }
  return { changes, tried };
}

/** How much of the verdict is said again; it stands above, whole. */
const shownVerdict = 80;
/** How many changes of a kind are shown; the rest are counted. */
const shownRows = 12;

/** What a decision hangs on, for every output. */
export function makeWhySections(why: Why, language: PromptLanguage = "en"): Section[] {
  return [...makeSaidSections(why, language), ...tabulate(whyWords[language], "settings", why.settings)];
}

/** What of all that was said a decision hangs on; settings apart. */
export function makeSaidSections(why: Why, language: PromptLanguage = "en"): Section[] {
  const words = whyWords[language];
  const decisive = why.turns.filter(isDecisive);
  const verdict: Section = {
    kind: "verdict",
    title: words.question,
    answer: sayAnswer(why, decisive.length, words),
    tone: "neutral",
    points: sayPoints(why, words),
  };
  return [
    verdict,
    ...tabulate(words, "turns", decisive),
    ...tabulate(words, "parts", why.parts),
    ...tabulate(words, "scores", why.scores),
    ...(why.together ? [tellTogether(why.together, words)] : []),
  ];
}

function sayAnswer({ headline, turns }: Why, decisive: number, words: WhyWords): string {
  const what = shortenText(Object.values(headline).join(" · "), shownVerdict) || words.decision;
  return `${what}: ${decisive === 0 ? words.onNone(turns.length) : words.onSome(decisive, turns.length)}`;
}

function sayPoints({ turns, together, tried, untried, parts, scores, settings }: Why, words: WhyWords): string[] {
  const unknown = turns.filter(({ flips }) => flips === null).length;
  const alone = parts.length + scores.length + settings.length > 0 || turns.some(isDecisive);
  const points = [words.tried(tried)];
  if (untried > 0) points.push(words.untried(untried));
  else if (unknown > 0) points.push(words.needed(unknown));
  if (!alone && !together) points.push(words.noSet);
  return points;
}

type Kind = "turns" | "parts" | "scores" | "settings";

function tabulate(words: WhyWords, kind: Kind, weighed: readonly Weighed[]): Section[] {
  if (weighed.length === 0) return [];
  const [title, note] = words[kind];
  const more = weighed.length - shownRows;
  return [
    {
      kind: "table",
      title,
      note: more > 0 ? `${note}; ${words.more(more)}` : note,
      columns: [...words.columns],
      rows: weighed
        .slice(0, shownRows)
        .map(({ change, flips }) => [describeChange(change, words), sayFlips(flips ?? [])]),
    },
  ];
}

function tellTogether({ changes, flips, proven }: NonNullable<Why["together"]>, words: WhyWords): Section {
  return {
    kind: "list",
    title: words.together(changes.length),
    note: `${sayFlips(flips)}. ${proven ? words.proven : words.unproven}`,
    items: changes.map((change: Change) => describeChange(change, words)),
  };
}

function sayFlips(flips: readonly Flip[]): string {
  return flips
    .map(({ name, before, after }) => `${name}: ${shortenText(before, 50)} → ${shortenText(after, 50)}`)
    .join("; ");
}
