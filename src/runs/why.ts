import { setImmediate } from "node:timers/promises";
import { ParleyError } from "../contract/error.ts";
import { fillIn, frameOf, type WhyWords } from "../contract/frame-words.ts";
import type { PromptLanguage } from "../contract/prompt.ts";
import { type Turn, turnIdOf } from "../contract/turn.ts";
import { noUsage } from "../contract/budget.ts";
import type { Section } from "../contract/view.ts";
import type { AnyFinished, AnyPack } from "../engine/pack.ts";
import type { Played, Player } from "../engine/player.ts";
import type { AnyRole } from "../engine/role.ts";
import { recordingPlayer } from "../players/offline-players.ts";
import { shortenText } from "../text/format.ts";
import { isRecord } from "../text/json.ts";
import type { StoredRun } from "./read-run.ts";
import { type Flip, listFlips } from "./compare-runs.ts";
import { replay } from "./redecide.ts";
import { withSettings } from "./settings.ts";
import { findLongest, headlineOf } from "./show-run.ts";

type Path = readonly (string | number)[];

export type Change =
  | { kind: "turn"; turn: string }
  | { kind: "part"; turn: string; path: Path; says: string }
  | { kind: "score"; turn: string; path: Path; from: number; to: number }
  | { kind: "setting"; setting: string; from: unknown; to: unknown };

type Weighed<C extends Change = Change> = { change: C; flips: Flip[] | null };

type Levers = { settings: Weighed<Extract<Change, { kind: "setting" }>>[]; tried: number; untried: number };

export type Why = Levers & {
  run: string;
  headline: Record<string, string>;
  turns: Weighed<Extract<Change, { kind: "turn" }>>[];
  parts: Weighed[];
  scores: Weighed[];
};

const mostRuns = 3_000;
const mostTurns = 8_000;

export function limitRuns({ turns }: Pick<StoredRun, "turns">): number {
  return Math.min(100, Math.ceil(mostTurns / Math.max(1, turns.length)));
}

/**
 * Finds the turns, claims, quotes, scores and settings a decision depends on, by replaying the rules with one change
 * at a time. Exact, and without calls.
 */
export async function explainRun(pack: AnyPack, stored: StoredRun, limit = mostRuns): Promise<Why> {
  if (!stored.result?.decision)
    throw new ParleyError("bad_input", `run ${stored.run.id} has no decision yet; resume it first`);
  const trials = await openTrials(pack, stored, limit);
  const spoken = stored.turns
    .filter(({ status }) => status !== "abstained")
    .map(({ key }) => ({ kind: "turn", turn: turnIdOf(key) }) as const);
  const turns = await weighEach(spoken, trials);
  const decisive = new Set(turns.filter(isDecisive).map(({ change }) => change.turn));
  const said = stored.turns.filter(({ key }) => decisive.has(turnIdOf(key))).flatMap(listParts);
  const parts = await weighEach(said, trials);
  const roles = new Map(pack.roles(stored.run.manifest.config).map((role) => [role.name, role]));
  const scores: Weighed[] = [];
  for (const end of stored.turns.flatMap((turn) => listScores(turn, roles.get(turn.key.role)))) {
    const nearest = await findNearest(end, end.from, end.to, trials);
    if (nearest) scores.push(nearest);
  }
  const levers = await findLevers(pack, stored, limit);
  return {
    run: stored.run.id,
    headline: headlineOf(pack, trials.held),
    turns,
    parts: parts.filter(isDecisive),
    scores,
    settings: levers.settings,
    tried: trials.tried + levers.tried,
    untried: trials.untried + levers.untried,
  };
}

/** Tries each setting over the recorded turns, except values that would need other turns. */
export async function findLevers(pack: AnyPack, stored: StoredRun, limit = mostRuns): Promise<Levers> {
  const trials = await openTrials(pack, stored, limit);
  const { given, config } = stored.run.manifest;
  const settings: Levers["settings"] = [];
  for (const { path, value: from } of walk(config)) {
    if (path.some((part) => typeof part === "number")) continue;
    const setting = path.join(".");
    const change = { kind: "setting", setting, from, to: from } as const;
    const others =
      typeof from === "boolean" ? [!from] : typeof from === "string" ? listChoices(pack, given, change) : [];
    const lever =
      typeof from === "number"
        ? await findNumber(pack, given, change, from, trials)
        : (
            await weighEach(
              others.slice(0, mostChoices).map((to) => ({ ...change, to })),
              trials,
            )
          ).find(isDecisive);
    if (lever) settings.push(lever);
  }
  return { settings, tried: trials.tried, untried: trials.untried };
}

const mostChoices = 4;

type SettingChange = Extract<Change, { kind: "setting" }>;

/** The other choices of a setting, as the config's schema names them when it refuses a value. */
function listChoices(pack: AnyPack, given: unknown, { setting, from }: SettingChange): unknown[] {
  const issue = findRefusal(pack, given, setting, '""');
  return issue?.code === "invalid_value" ? issue.values.filter((choice) => choice !== from) : [];
}

function findRefusal({ config }: AnyPack, given: unknown, setting: string, value: string) {
  const issues = config.safeParse(withSettings(given, [`${setting}=${value}`])).error?.issues ?? [];
  return issues.find(({ path }) => path.join(".") === setting);
}

/** The value, or the limit of the config's schema that it is beyond. */
function keepInBounds(pack: AnyPack, given: unknown, setting: string, value: number): number {
  const issue = findRefusal(pack, given, setting, String(value));
  if (issue?.code === "too_small") return Number(issue.minimum);
  return issue?.code === "too_big" ? Number(issue.maximum) : value;
}

async function findNumber(pack: AnyPack, given: unknown, change: SettingChange, from: number, trials: Trials) {
  const [least, most] = [0, Math.max(10, 4 * from)].map((end) => keepInBounds(pack, given, change.setting, end));
  for (const end of [least ?? 0, most ?? from, from - 1, from + 1]) {
    const nearest = end === from ? null : await findNearest(change, from, end, trials);
    if (nearest) return nearest;
  }
  return null;
}

export function isDecisive({ flips }: Pick<Weighed, "flips">): boolean {
  return flips !== null && flips.length > 0;
}

type Trials = {
  held: AnyFinished;
  tried: number;
  untried: number;
  flipsOf(change: Change): Promise<Flip[] | null>;
};

async function openTrials(pack: AnyPack, stored: StoredRun, limit: number): Promise<Trials> {
  const decide = createDecider(pack, stored);
  const held = await decide(null);
  if (!held)
    throw new ParleyError(
      "drifted",
      `run ${stored.run.id} cannot be decided again from its recorded turns: its rules or its settings are not those of this Parley`,
    );
  const trials: Trials = {
    held,
    tried: 0,
    untried: 0,
    async flipsOf(change) {
      if (trials.tried >= limit) {
        trials.untried += 1;
        return null;
      }
      trials.tried += 1;
      await setImmediate();
      const after = await decide(change);
      return after && listFlips(pack, held, after);
    },
  };
  return trials;
}

async function weighEach<C extends Change>(changes: readonly C[], trials: Trials): Promise<Weighed<C>[]> {
  const weighed: Weighed<C>[] = [];
  for (const change of changes) weighed.push({ change, flips: await trials.flipsOf(change) });
  return weighed;
}

const steps = 8;

async function findNearest<C extends Extract<Change, { to: unknown }>>(
  change: C,
  from: number,
  end: number,
  trials: Trials,
): Promise<Weighed<C> | null> {
  let flips = await trials.flipsOf({ ...change, to: end });
  if (!isDecisive({ flips })) return null;
  let [near, far] = [from, end];
  for (let step = 0; step < steps; step += 1) {
    const middle = takeMiddle(near, far);
    if (middle === near || middle === far) break;
    const inside = await trials.flipsOf({ ...change, to: middle });
    if (isDecisive({ flips: inside })) [far, flips] = [middle, inside];
    else near = middle;
  }
  return { change: { ...change, to: far }, flips };
}

function takeMiddle(near: number, far: number): number {
  const whole = Number.isInteger(near) && Number.isInteger(far) && Math.abs(far - near) > 1;
  return whole ? Math.round((near + far) / 2) : Number(((near + far) / 2).toFixed(2));
}

/**
 * Decides a run again with one change; all other speakers repeat their words, and no call is made. Null when that
 * would need turns that were never held.
 */
export function createDecider(pack: AnyPack, stored: Pick<StoredRun, "run" | "material" | "turns">) {
  const { given, config } = stored.run.manifest;
  const asked = new Map<string, unknown>();
  return async (change: Change | null): Promise<AnyFinished | null> => {
    try {
      if (change?.kind === "setting") {
        const settings = withSettings(given, [`${change.setting}=${JSON.stringify(change.to)}`]);
        return await replay(pack, stored, settings);
      }
      const finished = await replay(pack, stored, config, { player: changeTurn(stored.turns, change, asked) });
      return change === null || change.kind === "turn" || isUnderstood(finished, change.turn) ? finished : null;
    } catch (error) {
      if (error instanceof ParleyError) return null;
      throw error;
    }
  };
}

/** Repeats turns with one changed. References by number are adjusted to keep pointing at the same speakers, using the unchanged inputs in `asked`. */
function changeTurn(
  turns: readonly Turn[],
  change: Exclude<Change, { kind: "setting" }> | null,
  asked: Map<string, unknown>,
): Player {
  const recorded = recordingPlayer(turns, { usageOf: ({ usage }) => usage, isDeaf: true });
  const spoken = new Map(turns.map((turn) => [turnIdOf(turn.key), turn.reply]));
  return {
    ...recorded,
    async play(role, input, turn) {
      const id = turnIdOf(turn.key);
      const own = id === change?.turn ? change : null;
      if (own?.kind === "turn") return playValue(null);
      const reply = spoken.get(id);
      const carry = change && asked.has(id) && reply !== null ? role.aids?.carry : undefined;
      if (change === null) asked.set(id, input);
      if (!own && !carry) return recorded.play(role, input, turn);
      const edited = own ? editReply(reply, own) : reply;
      return playValue(carry ? carry(edited as never, asked.get(id) as never, input) : edited);
    },
  };
}

function playValue(value: unknown): Played {
  return { reply: { value }, usage: { ...noUsage, calls: 1 }, finish: null, final: true };
}

/** A refused reply would count as silence, so the changed reply must pass the role's checks. */
function isUnderstood({ turns }: AnyFinished, changed: string): boolean {
  return turns.some(({ key, status }) => turnIdOf(key) === changed && status !== "abstained");
}

export function editReply(reply: unknown, change: Extract<Change, { kind: "part" | "score" }>): unknown {
  const copy: unknown = structuredClone(reply);
  let holder = copy as Record<string | number, unknown> | null | undefined;
  for (const part of change.path.slice(0, -1)) holder = holder?.[part] as typeof holder;
  const last = change.path.at(-1) ?? "";
  if (change.kind === "part" && Array.isArray(holder)) holder.splice(Number(last), 1);
  if (change.kind === "score" && isRecord(holder)) holder[last] = change.to;
  return copy;
}

const deepest = 4;

function* walk(value: unknown, path: Path = []): Iterable<{ path: Path; value: unknown }> {
  if (path.length > 0) yield { path, value };
  if (value === null || typeof value !== "object" || path.length > deepest) return;
  for (const [key, inner] of Object.entries(value))
    yield* walk(inner, [...path, Array.isArray(value) ? Number(key) : key]);
}

function listParts({ key, reply }: Turn): Change[] {
  return [...walk(reply)]
    .filter(({ path, value }) => typeof path.at(-1) === "number" && (typeof value === "string" || isRecord(value)))
    .map(({ path, value }) => ({ kind: "part", turn: turnIdOf(key), path, says: findLongest(value) }));
}

const beyondAnyScore = 1e9;

/** The scores of a reply, set to the ends of their range: 0 to 1, or to 100. A number without a limit counts or names something. */
function listScores(turn: Turn, role: AnyRole | undefined): Extract<Change, { kind: "score" }>[] {
  if (turn.status === "abstained" || !role) return [];
  const mayBe = (change: Extract<Change, { kind: "score" }>): boolean =>
    role.reply.safeParse(editReply(turn.reply, change)).success;
  return [...walk(turn.reply)]
    .flatMap(({ path, value }) =>
      typeof value === "number" ? [0, 1, 100].map((to) => ({ path, from: value, to })) : [],
    )
    .map((score) => ({ kind: "score" as const, turn: turnIdOf(turn.key), ...score }))
    .filter((score) => score.to !== score.from && mayBe(score) && !mayBe({ ...score, to: beyondAnyScore }));
}

export function describeChange(change: Change, words: WhyWords = frameOf("en").why): string {
  if (change.kind === "turn") return fillIn(words.silent, { turn: change.turn });
  if (change.kind === "setting") {
    const { setting, from, to } = change;
    return fillIn(words.set, { setting, from: JSON.stringify(from), to: JSON.stringify(to) });
  }
  const { turn, path } = change;
  const place = path
    .map((part, at) => (typeof part === "number" ? `[${part}]` : at === 0 ? part : `.${part}`))
    .join("");
  if (change.kind === "part") return fillIn(words.unsaid, { turn, part: `${place}: ${shortenText(change.says, 90)}` });
  const round = (value: number): number => Number(value.toPrecision(3));
  return fillIn(words.scored, { turn, score: place, from: round(change.from), to: round(change.to) });
}

const shownVerdict = 80;
const shownRows = 12;

export function makeWhySections(why: Why, language: PromptLanguage = "en"): Section[] {
  const words = frameOf(language).why;
  const { headline, turns, parts, scores, settings, tried, untried } = why;
  const decisive = turns.filter(isDecisive);
  const needed = turns.filter(({ flips }) => flips === null).length;
  const what = shortenText(Object.values(headline).join(" · "), shownVerdict).replace(/\.$/, "") || words.decision;
  const how = fillIn(decisive.length === 0 ? words.onNone : words.onSome, { some: decisive.length, all: turns.length });
  const points = [fillIn(words.tried, { times: tried })];
  if (untried > 0) points.push(fillIn(words.untried, { changes: untried }));
  else if (needed > 0) points.push(fillIn(words.needed, { turns: needed }));
  if ([...decisive, ...parts, ...scores, ...settings].length === 0) points.push(words.noneAlone);
  return [
    {
      kind: "verdict",
      title: words.question,
      id: "depends-on",
      answer: `${what}: ${how}`,
      tone: "neutral",
      points,
    },
    ...tabulate(words, "turns", decisive),
    ...tabulate(words, "parts", parts),
    ...tabulate(words, "scores", scores),
    ...tabulate(words, "settings", settings),
  ];
}

function tabulate(words: WhyWords, kind: keyof WhyWords["titles"], weighed: readonly Weighed[]): Section[] {
  if (weighed.length === 0) return [];
  const [title = "", note = ""] = words.titles[kind];
  const more = weighed.length - shownRows;
  return [
    {
      kind: "table",
      title,
      note: more > 0 ? `${note}; ${fillIn(words.more, { rows: more })}` : note,
      columns: [...words.columns],
      rows: weighed
        .slice(0, shownRows)
        .map(({ change, flips }) => [
          describeChange(change, words),
          (flips ?? [])
            .map(({ name, before, after }) => `${name}: ${shortenText(before, 50)} → ${shortenText(after, 50)}`)
            .join("; "),
        ]),
    },
  ];
}
