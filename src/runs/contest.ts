import * as z from "zod";
import type { Contested } from "../contract/api/index.ts";
import { hasCode, ParleyError } from "../contract/error.ts";
import { type Admits, type Challenge, nameFiled } from "../contract/run.ts";
import type { Exhibit, Point } from "../contract/story.ts";
import type { Section } from "../contract/view.ts";
import { type Turn, turnIdOf } from "../contract/turn.ts";
import { hashValue } from "../engine/hash.ts";
import type { AnyPack } from "../engine/pack.ts";
import { diffJson } from "../text/json.ts";
import { segmentSentences } from "../text/split-text.ts";
import { shortenText } from "../text/format.ts";
import { listTerms } from "../text/search.ts";
import { repeatRequest, shareTurns } from "./branch.ts";
import { readRun, type StoredRun } from "./read-run.ts";
import { compareRules, formatRuleChanges, listFlips } from "./compare-runs.ts";
import { findDebatedResult } from "./redecide.ts";
import { finishedOf, storyOf } from "./show-run.ts";
import { continueRun, prepareRun, type RunSetting } from "./start.ts";

/** `cast` replaces the original speakers. */
export type Contest = Omit<Challenge, "turns"> & { targets?: readonly string[]; cast?: string };

type Touched = Contested["touches"];

type Play = (branch: string) => Promise<unknown>;

export async function contestRun(
  setting: RunSetting,
  pack: AnyPack,
  stored: StoredRun,
  contest: Contest,
  play: Play = (branch) => continueRun(setting, pack, branch),
): Promise<Contested> {
  const { run } = stored;
  if (!stored.result?.decision)
    throw new ParleyError("bad_input", `run ${run.id} has no decision to contest; it is ${run.outcome ?? run.status}`);
  const { touches, given } = findTouched(pack, stored, contest);
  const base = { run: run.id, touches };
  if (touches.turns.length === 0)
    return { ...base, branch: null, asked: [], changed: false, why: explainNoBearing(given) };
  const { by, statement, evidence } = contest;
  const { turns } = touches;
  const challenge = { by, statement, evidence: [...evidence], turns };
  const before = repeatRequest(pack, stored, turns[0] ?? "");
  const again = { ...before, cast: contest.cast ?? before.cast, challenge };
  const branch = await prepareRun(setting, again, shareTurns(admitEvidence(pack, stored, evidence), [], []));
  await play(branch).catch((error: unknown) => {
    if (!hasCode(error, "parked")) throw error;
  });
  return { ...base, branch, ...compareWithBranch(pack, stored, await readRun(setting.store, branch)) };
}

function admitEvidence(pack: AnyPack, stored: StoredRun, evidence: readonly string[]): StoredRun {
  const lists = pack.material instanceof z.ZodObject ? Object.entries(pack.material.shape) : [];
  const [name, schema] = lists.find(([, list]) => (list as z.ZodType).meta()?.admit !== undefined) ?? [];
  if (name === undefined) return stored;
  const { admit } = (schema as z.ZodType).meta() as Admits;
  const entries = stored.entries.map((entry) => {
    if (entry.body.kind !== "material") return entry;
    const before = entry.body.value as Record<string, unknown[]>;
    const kept = (before[name] ?? []).filter((item) => !evidence.some((_, at) => isNamed(item, nameFiled(at + 1))));
    const filed = evidence.map((text, at) => admit(nameFiled(at + 1), text));
    const value = { ...before, [name]: [...filed, ...kept] };
    return { ...entry, body: { ...entry.body, value, hash: hashValue(value) } };
  });
  return { ...stored, entries };
}

function isNamed(item: unknown, id: string): boolean {
  return Object.values(item as object).includes(id);
}

function explainNoBearing(given: readonly PlacedPoint[]): string[] {
  const names = given.map(({ name, turn }) => `${name} (${turn})`).join(", ");
  const why =
    given.length > 0
      ? `${names} had already been given up, so nothing depends on it`
      : "it names no claim, quote or rule of this run and has no words in common with any";
  return [`The challenge has no bearing on this decision: ${why}.`, "Nobody was asked again; the decision stands."];
}

type PlacedPoint = Point & { turn: string };

function findTouched(pack: AnyPack, stored: StoredRun, contest: Contest): { touches: Touched; given: PlacedPoint[] } {
  const story = storyOf(pack, stored);
  const points = story.stages.flatMap(({ turns }) =>
    turns.flatMap(({ turn, points: own }) => own.map((point): PlacedPoint => ({ ...point, turn }))),
  );
  const notes = findDebatedResult(stored)?.notes ?? [];
  const order = stored.turns.map(({ key }) => turnIdOf(key));
  const rules = [...new Set(notes.map(({ type }) => type))];
  const places: Places = { points, exhibits: story.exhibits, rules, turns: order };
  const found = contest.targets?.length
    ? joinHits(contest.targets.map((target) => findTarget(target, places)))
    : findMentioned(contest, places);
  const quoting = points.filter(({ uses = [] }) => found.exhibits.some(({ id }) => uses.includes(id)));
  const said = [...new Set([...found.points, ...quoting])];
  const given = said.filter(({ standing }) => standing === "conceded" || standing === "dropped");
  const standing = said.filter((point) => !given.includes(point));
  const ruled = notes
    .filter(({ type }) => found.rules.includes(type))
    .flatMap(({ round }) => rest(stored.turns, round));
  const asked = new Set([...found.turns, ...standing.map(({ turn }) => turn), ...ruled]);
  return {
    touches: {
      claims: said.map(({ turn, name, text }) => ({ turn, name, text })),
      quotes: found.exhibits.map(({ source, quote }) => ({ source, quote })),
      rules: found.rules,
      turns: order.filter((turn) => asked.has(turn)),
    },
    given: standing.length > 0 ? [] : given,
  };
}

/** The turns behind a rule of a round; outside the rounds, the last turn. */
function rest(turns: readonly Turn[], round: number): string[] {
  const own = turns.filter(({ key }) => key.round === round && round > 0);
  return (own.length > 0 ? own : turns.slice(-1)).map(({ key }) => turnIdOf(key));
}

type Places = { points: PlacedPoint[]; exhibits: Exhibit[]; rules: string[]; turns: string[] };

function joinHits(hits: Places[]): Places {
  const all = <K extends keyof Places>(key: K) =>
    [...new Set(hits.flatMap((hit) => hit[key] as unknown[]))] as Places[K];
  return { points: all("points"), exhibits: all("exhibits"), rules: all("rules"), turns: all("turns") };
}

function findTarget(target: string, { points, exhibits, rules, turns }: Places): Places {
  const word = fold(target);
  // A report writes NLA:C1 where the story writes "NLA C1".
  const spaced = (name: string): string => fold(name).replaceAll(":", " ");
  const named = points.filter(({ id, name }) => fold(id) === word || spaced(name) === spaced(target));
  const hit: Places = {
    turns: turns.filter((turn) => fold(turn) === word),
    rules: rules.filter((rule) => fold(rule) === word),
    points: named.length > 0 ? named : points.filter(({ text }) => isQuoted(word, text)),
    exhibits: exhibits.filter(({ id, quote }) => fold(id) === word || isQuoted(word, quote)),
  };
  if (Object.values(hit).some((found) => found.length > 0)) return hit;
  const list = (names: string[]): string => shortenText([...new Set(names)].join(", ") || "none", 400);
  throw new ParleyError(
    "bad_input",
    `nothing in this run is named, or contains, "${shortenText(target, 80)}".\n  claims: ${list(points.map(({ name }) => name))}\n  rules:  ${list(rules)}\n  turns:  ${list(turns)}`,
  );
}

function findMentioned({ statement, evidence }: Contest, places: Places): Places {
  const { points, exhibits, rules, turns } = places;
  const isNamed = (name: string): boolean => /[\d_]/.test(name) && name.length > 1 && hasWord(statement, name);
  const quoted = [...statement.matchAll(/["“«‘]([^"“«‘”»’]+)["”»’]/g)].map(([, words = ""]) => fold(words));
  const sentences = [statement, ...evidence]
    .flatMap((text) => [...segmentSentences(text)])
    .map((one) => new Set(listTerms(one)));
  const isMeant = (text: string): boolean =>
    quoted.some((words) => isQuoted(words, text)) ||
    sentences.some((terms) => sharesMost(terms, new Set(listTerms(text))));
  return {
    points: points.filter(({ name, id, text }) => isNamed(name) || isNamed(id) || isMeant(text)),
    exhibits: exhibits.filter(({ quote }) => isMeant(quote)),
    rules: rules.filter(isNamed),
    turns: turns.filter((turn) => hasWord(statement, turn)),
  };
}

function sharesMost(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const shared = one.intersection(other).size;
  const least = Math.min(one.size, other.size);
  return shared >= 2 && shared >= (least <= 3 ? least : 0.6 * least);
}

function hasWord(text: string, word: string): boolean {
  const at = ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}_/:.-]+/gu, " ")} `.replaceAll(/(?<![.:])[.:]+ /g, " ");
  return at.includes(` ${word.toLowerCase()} `);
}

function isQuoted(words: string, text: string): boolean {
  const folded = fold(text);
  return (
    words === folded ||
    (words.length >= 8 && (folded.includes(words) || (folded.length >= 8 && words.includes(folded))))
  );
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();
}

function compareWithBranch(
  pack: AnyPack,
  before: StoredRun,
  after: StoredRun,
): Pick<Contested, "asked" | "changed" | "why"> {
  const known = new Map(before.turns.map((turn) => [turn.requestHash, turn]));
  const earlier = new Map(before.turns.map((turn) => [turnIdOf(turn.key), turn]));
  const again = after.turns.filter(({ requestHash }) => !known.has(requestHash));
  const asked = again.map(({ key }) => turnIdOf(key));
  if (!after.result) return { asked, changed: null, why: [`The branch has not ended: it is ${after.run.status}.`] };
  const held = { ...before, result: findDebatedResult(before) };
  const flips = listFlips(pack, finishedOf(held), finishedOf(after));
  const spoken = again.map((turn) => {
    const old = earlier.get(turnIdOf(turn.key));
    const how = !old ? "was asked for the first time" : isSame(old, turn) ? "said the same" : "changed what it said";
    return `${turnIdOf(turn.key)} ${how}.`;
  });
  const isByPrograms = again.length > 0 && again.every(({ player }) => player === "expert");
  return {
    asked,
    changed: flips.length > 0,
    why: [
      ...spoken,
      ...(isByPrograms
        ? ["Programs were asked, which cannot weigh an argument; ask models or people instead (--cast)."]
        : []),
      ...formatRuleChanges(compareRules(held.result?.notes ?? [], after.result.notes)),
      ...flips.map((line) => `${line.name}: ${line.before} → ${line.after}`),
      flips.length > 0 ? "The challenge changed the decision." : "The decision stands.",
    ],
  };
}

function isSame(one: Turn, other: Turn): boolean {
  return one.status === other.status && diffJson(one.reply, other.reply).length === 0;
}

/** What a challenge concerns, who was asked again, and what became of the decision. */
export function buildContestSections({ touches, changed, why }: Contested): Section[] {
  const { claims, quotes, rules, turns } = touches;
  const items = [
    ...claims.map(({ name, turn, text }) => `${name} (${turn}): ${text}`),
    ...quotes.map(({ source, quote }) => `quote from ${source}: ${quote}`),
    ...rules.map((rule) => `rule ${rule}`),
    ...(claims.length === 0 ? turns : []),
  ];
  const [answer = "", points] = [why.at(-1), why.slice(0, -1)];
  return [
    { kind: "verdict", title: "", answer, tone: changed === false ? "neutral" : "warn", points },
    { kind: "list", title: "It concerns", items },
  ];
}
