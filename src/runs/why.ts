import { setImmediate } from "node:timers/promises";
import { ParleyError } from "../contract/error.ts";
import { fillIn, frameOf, type WhyWords } from "../contract/frame-words.ts";
import type { PromptLanguage } from "../contract/prompt.ts";
import type { Turn } from "../contract/turn.ts";
import type { Section } from "../contract/view.ts";
import type { AnyFinished, AnyPack } from "../engine/pack.ts";
import { shortenText } from "../text/format.ts";
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
  /** When nothing alone does: changes that do together, of which none can be spared. */
  together: { changes: Change[]; flips: Flip[] } | null;
  /** How often the rules were run, and how often they would have had to be run beyond the limit. */
  tried: number;
  untried: number;
};

/** How often the rules are run at most. */
const mostRuns = 3_000;

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
  const changes = await findFlippingSet(candidates, flipsWith, canJoin);
  const after = changes && (await decide(changes));
  return changes && after ? { changes, flips: listFlips(pack, held, after) } : null;
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
type Flips<C> = (changes: readonly C[]) => Promise<boolean | null>;

/** Changes that flip a decision together and of which none can be spared; null when none are found. */
export async function findFlippingSet<C>(
  candidates: readonly C[],
  flips: Flips<C>,
  canJoin: (a: C, b: C) => boolean,
): Promise<C[] | null> {
  let changes = (await collect(candidates, flips, canJoin, true)) ?? (await collect(candidates, flips, canJoin, false));
  for (const change of changes ?? []) {
    const without: C[] = changes?.filter((other) => other !== change) ?? [];
    if (without.length > 0 && (await flips(without))) changes = without;
  }
  return changes;
}

/** Adds changes one by one until they flip the decision; one after which nothing can be told is kept or passed over. */
async function collect<C>(
  candidates: readonly C[],
  flips: Flips<C>,
  canJoin: (a: C, b: C) => boolean,
  keepsUnknown: boolean,
): Promise<C[] | null> {
  const changes: C[] = [];
  for (const candidate of candidates) {
    if (!changes.every((other) => canJoin(other, candidate))) continue;
    const now = await flips([...changes, candidate]);
    if (now !== null || keepsUnknown) changes.push(candidate);
    if (now) return changes;
  }
  return null;
}

/** How much of the verdict is said again; it stands above, whole. */
const shownVerdict = 80;
/** How many changes of a kind are shown; the rest are counted. */
const shownRows = 12;

/** What a decision hangs on, for every output. */
export function makeWhySections(why: Why, language: PromptLanguage = "en"): Section[] {
  return [...makeSaidSections(why, language), ...tabulate(frameOf(language).why, "settings", why.settings)];
}

/** What of all that was said a decision hangs on; settings apart. */
export function makeSaidSections(why: Why, language: PromptLanguage = "en"): Section[] {
  const words = frameOf(language).why;
  const decisive = why.turns.filter(isDecisive);
  const verdict: Section = {
    kind: "verdict",
    title: words.question,
    answer: describeAnswer(why, decisive.length, words),
    tone: "neutral",
    points: listPoints(why, words),
  };
  return [
    verdict,
    ...tabulate(words, "turns", decisive),
    ...tabulate(words, "parts", why.parts),
    ...tabulate(words, "scores", why.scores),
    ...(why.together ? [listTogether(why.together, words)] : []),
  ];
}

function describeAnswer({ headline, turns }: Why, some: number, words: WhyWords): string {
  const what = shortenText(Object.values(headline).join(" · "), shownVerdict) || words.decision;
  return `${what}: ${fillIn(some === 0 ? words.onNone : words.onSome, { some, all: turns.length })}`;
}

function listPoints({ turns, together, tried, untried, parts, scores, settings }: Why, words: WhyWords): string[] {
  const unknown = turns.filter(({ flips }) => flips === null).length;
  const isAlone = [...parts, ...scores, ...settings].length > 0 || turns.some(isDecisive);
  const points = [fillIn(words.tried, { times: tried })];
  if (untried > 0) points.push(fillIn(words.untried, { changes: untried }));
  else if (unknown > 0) points.push(fillIn(words.needed, { turns: unknown }));
  if (!isAlone && !together) points.push(words.noSet);
  return points;
}

function tabulate(words: WhyWords, kind: keyof WhyWords["titles"], weighed: readonly Weighed[]): Section[] {
  if (weighed.length === 0) return [];
  const [title = "", note = ""] = words.titles[kind];
  const more = weighed.length - shownRows;
  const shown = weighed.slice(0, shownRows);
  return [
    {
      kind: "table",
      title,
      note: more > 0 ? `${note}; ${fillIn(words.more, { rows: more })}` : note,
      columns: [...words.columns],
      rows: shown.map(({ change, flips }) => [describeChange(change, words), describeFlips(flips ?? [])]),
    },
  ];
}

function listTogether({ changes, flips }: NonNullable<Why["together"]>, words: WhyWords): Section {
  return {
    kind: "list",
    title: fillIn(words.together, { changes: changes.length }),
    note: `${describeFlips(flips)}; ${words.spare}`,
    items: changes.map((change) => describeChange(change, words)),
  };
}

function describeFlips(flips: readonly Flip[]): string {
  return flips
    .map(({ name, before, after }) => `${name}: ${shortenText(before, 50)} → ${shortenText(after, 50)}`)
    .join("; ");
}
