import * as z from "zod";
import { ParleyError } from "../contract/error.ts";
import { fillIn, frameOf, type WhyWords } from "../contract/frame-words.ts";
import { type Turn, turnIdOf } from "../contract/turn.ts";
import { noUsage } from "../contract/usage.ts";
import type { AnyFinished, AnyPack } from "../engine/pack.ts";
import type { Cast, Played, Player } from "../engine/player.ts";
import type { AnyRole } from "../engine/role.ts";
import { runDebate } from "../engine/run-debate.ts";
import { readRecordedReply } from "../engine/turn.ts";
import { collectShapes, isRecord, readLimit, type SchemaNode } from "../text/json.ts";
import { shortenText } from "../text/format.ts";
import type { Weighed } from "./why.ts";
import type { StoredRun } from "./read-run.ts";
import { compareHeadlines, type Flip, isFlip } from "./redecide.ts";
import { checkValue, withSettings } from "./settings.ts";

/** What the recorded turns come to with some changes; null when that cannot be told without turns that were never held. */
export type DecideWith = (changes: readonly Change[]) => Promise<AnyFinished | null>;

/** Decides a run again and again with changes; every other speaker repeats what it said, and no call is made. */
export function createDecider(
  pack: AnyPack,
  { run, material, turns }: Pick<StoredRun, "run" | "material" | "turns">,
): DecideWith {
  const { input, given, seed, challenge } = run.manifest;
  const asked = new Map<string, unknown>();
  return async (changes) => {
    const settings = changes
      .filter((change) => change.kind === "setting")
      .map(({ setting, to }) => `${setting}=${JSON.stringify(to)}`);
    try {
      const config: unknown = checkValue(pack.config, withSettings(given, settings), "config", "bad_config");
      const cast =
        changes.length === 0
          ? keepInputs(castTurns(turns), asked)
          : changeTurns(castTurns(turns), { turns, changes, asked });
      const finished = await runDebate({ pack, input, config, cast, seed, challenge, material: { value: material } });
      return isUnderstood(finished, changes) ? finished : null;
    } catch (error) {
      if (error instanceof ParleyError) return null;
      throw error;
    }
  };
}

/** The lines of the outcome and the headline that differ; empty when a reader would act as before. */
export function listFlips(pack: AnyPack, before: AnyFinished, after: AnyFinished): Flip[] {
  const outcome = { before: before.result.outcome, after: after.result.outcome };
  const headline = compareHeadlines(pack, before, after);
  if (!isFlip({ outcome, headline })) return [];
  return [{ name: "outcome", ...outcome }, ...headline].filter((line) => line.before !== line.after);
}

/** Repeats recorded turns by their keys, whatever they are now asked; a turn that was never recorded is played by `live`. */
export function castTurns(turns: readonly Turn[], live: Cast | null = null): Cast {
  const byKey = new Map(turns.map((turn) => [turnIdOf(turn.key), turn]));
  return (name) => ({
    id: "recording",
    async play(role, input, turn) {
      const recorded = byKey.get(turnIdOf(turn.key));
      const attempt = recorded?.attempts.at(-1);
      if (attempt)
        return {
          ...(attempt.overruled ? { overrule: attempt.overruled } : {}),
          reply: readRecordedReply(attempt, turn.key),
          usage: attempt.usage,
          finish: attempt.finish,
          final: true,
          ...(recorded && { saidBy: recorded.player }),
        };
      if (live) return live(name).play(role, input, turn);
      throw new ParleyError("not_recorded", `${turnIdOf(turn.key)} was not recorded`);
    },
  });
}

/** Keeps what each turn is asked when nothing is changed. */
function keepInputs(cast: Cast, asked: Map<string, unknown>): Cast {
  return (name) => ({
    ...cast(name),
    play(role, input, turn) {
      asked.set(turnIdOf(turn.key), input);
      return cast(name).play(role, input, turn);
    },
  });
}

type Changed = { turns: readonly Turn[]; changes: readonly Change[]; asked: ReadonlyMap<string, unknown> };

/** Replays turns with the changes; references to others by number are adjusted to keep pointing at the same speakers. */
function changeTurns(cast: Cast, { turns, changes, asked }: Changed): Cast {
  const spoken = new Map(turns.map((turn) => [turnIdOf(turn.key), turn.reply]));
  const byTurn = Map.groupBy(
    changes.filter((change) => change.kind !== "setting"),
    ({ turn }) => turn,
  );
  return (name): Player => ({
    ...cast(name),
    async play(role, input, turn) {
      const id = turnIdOf(turn.key);
      const own = byTurn.get(id) ?? [];
      const edits = own.filter((change) => change.kind !== "turn");
      if (edits.length < own.length) return playValue(null);
      const reply = spoken.get(id);
      const carry = asked.has(id) && reply !== null ? role.experiment?.carry : undefined;
      if (edits.length === 0 && !carry) return cast(name).play(role, input, turn);
      const edited = editReply(reply, edits);
      return playValue(carry ? carry(edited as never, asked.get(id) as never, input) : edited);
    },
  });
}

function playValue(value: unknown): Played {
  return { reply: { value }, usage: { ...noUsage, calls: 1 }, finish: null, final: true };
}

/** A reply that the role refuses would count as silence, so the changed reply must pass its checks. */
function isUnderstood({ turns }: AnyFinished, changes: readonly Change[]): boolean {
  return changes
    .filter((change) => change.kind === "part" || change.kind === "score")
    .every((change) => turns.some(({ key, status }) => turnIdOf(key) === change.turn && status !== "abstained"));
}

/** Where a value stands inside a reply: keys and places in lists. */
export type Path = readonly (string | number)[];

/** One change of what a decision was made from. */
export type Change =
  /** The turn is left out: its speaker abstains. */
  | { kind: "turn"; turn: string }
  /** One item of a list in a reply is left out: a claim, a critique, a quote, an edit. */
  | { kind: "part"; turn: string; path: Path; says: string }
  /** A score in a reply is another. */
  | { kind: "score"; turn: string; path: Path; from: number; to: number }
  | { kind: "setting"; setting: string; from: unknown; to: unknown };

/** True when both can be made at once and mean something together. */
export function canJoin(a: Change, b: Change): boolean {
  if (a.kind === "setting" || b.kind === "setting")
    return a.kind !== "setting" || b.kind !== "setting" || a.setting !== b.setting;
  if (a.turn !== b.turn) return true;
  if (a.kind === "turn" || b.kind === "turn") return false;
  return !startsWith(a.path, b.path) && !startsWith(b.path, a.path);
}

/** A change in words: `1/open/nla is silent`. */
export function describeChange(change: Change, words: WhyWords = frameOf("en").why): string {
  if (change.kind === "turn") return fillIn(words.silent, { turn: change.turn });
  if (change.kind === "part") {
    const part = `${formatPlace(change.path)}: ${shortenText(change.says, 90)}`;
    return fillIn(words.unsaid, { turn: change.turn, part });
  }
  if (change.kind === "score")
    return fillIn(words.scored, {
      turn: change.turn,
      score: formatPlace(change.path),
      from: roundScore(change.from),
      to: roundScore(change.to),
    });
  const { setting, from, to } = change;
  return fillIn(words.set, { setting, from: JSON.stringify(from), to: JSON.stringify(to) });
}

/** A place inside a reply as it is written: `claims[2].confidence`. */
export function formatPlace(path: Path): string {
  return path.map((part, at) => (typeof part === "number" ? `[${part}]` : at === 0 ? part : `.${part}`)).join("");
}

function startsWith(path: Path, start: Path): boolean {
  return start.length <= path.length && start.every((part, at) => path[at] === part);
}

function roundScore(value: number): number {
  return Number(value.toPrecision(3));
}

type Edit = Extract<Change, { kind: "part" | "score" }>;

/** A reply with some parts left out and some scores changed; the reply itself stays as it is. */
export function editReply(reply: unknown, edits: readonly Edit[]): unknown {
  const copy: unknown = structuredClone(reply);
  for (const edit of edits.filter(({ kind }) => kind === "score"))
    setAt(copy, edit as Extract<Edit, { kind: "score" }>);
  const cuts = edits.filter(({ kind }) => kind === "part").toSorted((a, b) => comparePlaces(b.path, a.path));
  for (const { path } of cuts) cutAt(copy, path);
  return copy;
}

function setAt(root: unknown, { path, to }: Extract<Edit, { kind: "score" }>): void {
  const holder = findHolder(root, path);
  if (holder) holder[String(path.at(-1))] = to;
}

function cutAt(root: unknown, path: Edit["path"]): void {
  const list = findHolder(root, path);
  if (Array.isArray(list)) list.splice(Number(path.at(-1)), 1);
}

function findHolder(root: unknown, path: Edit["path"]): Record<string, unknown> | null {
  let node = root as Record<string | number, unknown> | null | undefined;
  for (const part of path.slice(0, -1)) node = node?.[part] as typeof node;
  return node !== null && typeof node === "object" ? node : null;
}

/** Later places first, so that leaving one out moves none that is still to be left out. */
function comparePlaces(a: Edit["path"], b: Edit["path"]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const [one, other] = [a[at], b[at]];
    if (one === other) continue;
    return typeof one === "number" && typeof other === "number" ? one - other : String(one) < String(other) ? -1 : 1;
  }
  return a.length - b.length;
}

type Score = { path: Path; from: number; least: number; most: number };

/** Leaving out each turn that was spoken. */
export function listSilences(turns: readonly Turn[]): Change[] {
  return turns
    .filter(({ status }) => status !== "abstained")
    .map(({ key }) => ({ kind: "turn", turn: turnIdOf(key) }) as const);
}

/** Leaving out each item of the lists in a turn's reply, down to the quotes of a claim. */
export function listParts({ key, reply, status }: Turn): Change[] {
  if (status === "abstained") return [];
  const turn = turnIdOf(key);
  return findItems(reply, []).map(({ path, item }) => ({ kind: "part", turn, path, says: sayItem(item) }) as const);
}

/** The scores in a turn's reply, each at the ends of what its schema allows: a number that is bounded on both sides. */
export function listScores({ key, reply, status }: Turn, role: AnyRole | undefined): Change[] {
  if (status === "abstained" || !role) return [];
  const root = z.toJSONSchema(role.reply, { unrepresentable: "any", io: "input" }) as SchemaNode;
  const turn = turnIdOf(key);
  return findScores(reply, root, root, []).flatMap(({ path, from, least, most }) =>
    [least, most].filter((to) => to !== from).map((to) => ({ kind: "score", turn, path, from, to }) as const),
  );
}

const deepest = 4;

function findItems(value: unknown, path: Path): { path: Path; item: unknown }[] {
  if (path.length > deepest) return [];
  if (Array.isArray(value))
    return value.flatMap((item: unknown, at) => {
      const inner = [...path, at];
      const own = typeof item === "string" || isRecord(item) ? [{ path: inner, item }] : [];
      return [...own, ...findItems(item, inner)];
    });
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => findItems(inner, [...path, name]));
}

/** What an item says: its longest text. */
function sayItem(item: unknown): string {
  if (typeof item === "string") return item;
  const texts = Object.values(item as SchemaNode).filter((value) => typeof value === "string");
  return texts.toSorted((a, b) => b.length - a.length)[0] ?? JSON.stringify(item);
}

function findScores(value: unknown, schema: SchemaNode, root: SchemaNode, path: Path): Score[] {
  const shapes = collectShapes(schema, root);
  if (typeof value === "number") {
    const bounded = shapes.find((shape) => readLimit(shape.minimum) !== null && readLimit(shape.maximum) !== null);
    return bounded ? [{ path, from: value, least: Number(bounded.minimum), most: Number(bounded.maximum) }] : [];
  }
  if (Array.isArray(value)) {
    const items = shapes.map((shape) => shape.items).find(isRecord);
    return items ? value.flatMap((item, at) => findScores(item, items, root, [...path, at])) : [];
  }
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const part = shapes.map((shape) => (shape.properties as SchemaNode | undefined)?.[name]).find(isRecord);
    return part ? findScores(inner, part, root, [...path, name]) : [];
  });
}

const steps = 7;

/** The value nearest to what was said, on the way to the end of a score's range, that flips the decision; null when not even the end does. */
export async function findNearestScore(
  end: Change,
  pack: AnyPack,
  held: AnyFinished,
  decide: DecideWith,
): Promise<Weighed | null> {
  if (end.kind !== "score") return null;
  const flipsAt = async (to: number) => {
    const after = await decide([{ ...end, to }]);
    return after === null ? [] : listFlips(pack, held, after);
  };
  let flips = await flipsAt(end.to);
  if (flips.length === 0) return null;
  let [near, far] = [end.from, end.to];
  for (let step = 0; step < steps; step += 1) {
    const middle = takeMiddle(near, far);
    if (middle === null) break;
    const inside = await flipsAt(middle);
    if (inside.length > 0) [far, flips] = [middle, inside];
    else near = middle;
  }
  return { change: { ...end, to: far }, flips };
}

/** Halfway: a whole number between whole numbers that lie apart, else two digits. */
function takeMiddle(near: number, far: number): number | null {
  const whole = Number.isInteger(near) && Number.isInteger(far) && Math.abs(far - near) > 1;
  const middle = whole ? Math.round((near + far) / 2) : Number(((near + far) / 2).toFixed(2));
  return middle === near || middle === far ? null : middle;
}
