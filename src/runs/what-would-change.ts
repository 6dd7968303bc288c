import { setImmediate } from "node:timers/promises";
import { ParleyError } from "../contract/error.ts";
import type { AnyPack } from "../engine/pack.ts";
import { formatDifference } from "../text/json.ts";
import type { StoredRun } from "./read-run.ts";
import { compareHeadlines, findDebatedResult, type Flip, isFlip, replay } from "./redecide.ts";
import { checkValue, type ConfigLeaf, listConfigLeaves, withSettings } from "./settings.ts";
import { present } from "./show-run.ts";

/** A single setting that, changed alone, would make a reader act otherwise over the same recorded turns. */
export type Lever = {
  setting: string;
  from: unknown;
  /** The nearest value found that flips the decision. */
  to: unknown;
  /** For numbers: whether a greater or a smaller value does it. */
  direction: "or more" | "or less" | null;
  flips: Flip[];
};

/** What was tried, what of it would change the decision, and the settings that could not be tried in full. */
export type WhatWouldChange = { tried: number; levers: Lever[]; untried: string[] };

/** How many recorded turns are replayed at most, over all settings: a bound in turns is the same on every machine. */
export const mostTurns = 8_000;

/**
 * Tries each single setting of a run over its recorded turns; settings that would need other turns cannot tell.
 * Every setting gets an equal share of the turns that may still be replayed, and what one leaves goes to the others.
 */
export async function findWhatWouldChange(
  pack: AnyPack,
  stored: StoredRun,
  most = mostTurns,
): Promise<WhatWouldChange> {
  const found: WhatWouldChange = { tried: 0, levers: [], untried: [] };
  const leaves = listConfigLeaves(pack.config)
    .map((leaf) => ({ leaf, from: valueAt(stored.run.manifest.config, leaf.key) }))
    .filter(({ leaf, from }) => leaf.kind !== "other" && from !== undefined && from !== null);
  let left = most;
  for (const [at, { leaf, from }] of leaves.entries()) {
    const allowance = { turns: left / (leaves.length - at), isShort: false };
    const before = allowance.turns;
    const lever = await findLever(leaf, from, limitFlips(pack, stored, leaf.key, allowance));
    left = Math.max(0, left - (before - allowance.turns));
    if (lever !== "cannot_tell") found.tried += 1;
    if (lever !== "cannot_tell" && lever !== null) found.levers.push({ setting: leaf.key, from, ...lever });
    else if (allowance.isShort) found.untried.push(leaf.key);
  }
  return found;
}

type Allowance = { turns: number; isShort: boolean };

/** Replays as long as turns are left; what was not replayed is not known. */
function limitFlips(pack: AnyPack, stored: StoredRun, key: string, allowance: Allowance): FlipsAt {
  return async (value) => {
    if (allowance.turns <= 0) {
      allowance.isShort = true;
      return null;
    }
    await setImmediate();
    return findFlips(pack, stored, `${key}=${JSON.stringify(value)}`, () => (allowance.turns -= 1));
  };
}

type FlipsAt = (value: unknown) => Promise<Flip[] | null>;
type Found = Pick<Lever, "to" | "direction" | "flips">;

async function findLever(leaf: ConfigLeaf, from: unknown, flipsAt: FlipsAt): Promise<Found | null | "cannot_tell"> {
  if (leaf.kind === "boolean") return tryEach([!from], flipsAt);
  if (leaf.kind === "choice") return tryEach(leaf.choices.filter((choice) => choice !== from).slice(0, 4), flipsAt);
  if (typeof from !== "number" || leaf.kind === "other") return "cannot_tell";
  if (leaf.kind === "integer") return tryStepwise(leaf, from, flipsAt);
  return findThreshold(leaf, from, flipsAt);
}

/** The first of some values that flips; `cannot_tell` when every one needs other turns. */
async function tryEach(values: unknown[], flipsAt: FlipsAt): Promise<Found | null | "cannot_tell"> {
  let known = false;
  for (const to of values) {
    const flips = await flipsAt(to);
    if (flips === null) continue;
    known = true;
    if (flips.length > 0) return { to, direction: null, flips };
  }
  return known ? null : "cannot_tell";
}

const maxSteps = 8;

/** Whole numbers one by one, downward as far as turns were recorded, then one upward. */
async function tryStepwise(leaf: ConfigLeaf, from: number, flipsAt: FlipsAt): Promise<Found | null | "cannot_tell"> {
  const minimum = "minimum" in leaf ? (leaf.minimum ?? 0) : 0;
  const below = Array.from({ length: Math.min(maxSteps, Math.max(0, from - minimum)) }, (_, index) => from - 1 - index);
  const found = await tryEach(below, flipsAt);
  if (found !== null && found !== "cannot_tell") return { ...found, direction: "or less" };
  const above = await tryEach([from + 1], flipsAt);
  if (above !== null && above !== "cannot_tell") return { ...above, direction: "or more" };
  return found === "cannot_tell" ? above : found;
}

/** The nearest value above or below at which the decision flips, found by halving. */
async function findThreshold(leaf: ConfigLeaf, from: number, flipsAt: FlipsAt): Promise<Found | null | "cannot_tell"> {
  const { minimum, maximum } = leaf as { minimum: number | null; maximum: number | null };
  let known = false;
  for (const end of [minimum ?? 0, maximum ?? Math.max(10, 4 * from)]) {
    if (end === from) continue;
    let flips = await flipsAt(end);
    if (flips !== null) known = true;
    if (flips === null || flips.length === 0) continue;
    let [near, far] = [from, end];
    for (let step = 0; step < maxSteps; step += 1) {
      const middle = roundValue((near + far) / 2);
      if (middle === near || middle === far) break;
      const inside = await flipsAt(middle);
      if (inside !== null && inside.length > 0) [far, flips] = [middle, inside];
      else near = middle;
    }
    return { to: far, direction: far > from ? "or more" : "or less", flips };
  }
  return known ? null : "cannot_tell";
}

function roundValue(value: number): number {
  return Number(value.toPrecision(3));
}

/** What flips with this one setting; null when it is not allowed, or needs turns that were never recorded. */
async function findFlips(
  pack: AnyPack,
  stored: StoredRun,
  setting: string,
  onAsked: () => void,
): Promise<Flip[] | null> {
  const before = findDebatedResult(stored);
  if (!before) return null;
  try {
    const given = withSettings(stored.run.manifest.given, [setting]);
    const config: unknown = checkValue(pack.config, given, `config of the ${pack.name} pack`, "bad_config");
    const finished = await replay(pack, stored, config, null, onAsked);
    const outcome = { before: before.outcome, after: finished.result.outcome };
    const headline = present(pack, { ...stored, result: before }, (old) => compareHeadlines(pack, old, finished));
    if (!isFlip({ outcome, headline })) return [];
    return [{ name: "outcome", ...outcome }, ...headline].filter((line) => line.before !== line.after);
  } catch (error) {
    if (error instanceof ParleyError) return null;
    throw error;
  }
}

function valueAt(config: unknown, key: string): unknown {
  return key.split(".").reduce<unknown>((node, part) => (node as Record<string, unknown> | null)?.[part], config);
}

/** A lever as a setting: `max_rounds: 12 → 9 or less`. */
export function formatLever({ setting, from, to, direction }: Lever): string {
  return `${formatDifference({ path: setting, before: from, after: to })}${direction === null ? "" : ` ${direction}`}`;
}

/** What is said when no setting flips the decision. */
export function explainNoChange({ tried, untried }: WhatWouldChange): string {
  if (tried === 0 && untried.length === 0) return "No setting could be tried with the recorded turns alone.";
  if (untried.length > 0) return `None of the settings tried would change it. ${explainUntried({ untried })}`;
  return `No single setting would change it: ${tried} were tried on the recorded turns. Only different turns could.`;
}

/** Which settings were not tried in full, where the debate is too long to replay it for each. */
export function explainUntried({ untried }: Pick<WhatWouldChange, "untried">): string {
  if (untried.length === 0) return "";
  return `The debate is too long to replay for every value. Not fully tried: ${untried.join(", ")}.`;
}
