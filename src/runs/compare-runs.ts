import type { Redecided as RedecidedReply } from "../contract/api/index.ts";
import { ParleyError } from "../contract/error.ts";
import type { Note } from "../contract/result.ts";
import { type Turn, turnIdOf } from "../contract/turn.ts";
import type { Section, SectionOf } from "../contract/view.ts";
import type { AnyFinished, AnyPack } from "../engine/pack.ts";
import { findFirstDifference } from "../engine/turn.ts";
import type { Store } from "../store/store.ts";
import { type Difference, diffJson, formatDifference, isRecord, jsonCopy } from "../text/json.ts";
import { requirePrompt, type StoredRun } from "./read-run.ts";
import type { Redecided } from "./redecide.ts";
import { headlineOf, present } from "./show-run.ts";

export type TurnChange = {
  turn: string;
  change: "only_in_first" | "only_in_second" | "prompt" | "reply" | "status";
  prompt: string | null;
  reply: Difference[];
};

/** The differences between two runs: request, turns, rules, result. */
export type RunDiff = Awaited<ReturnType<typeof diffRuns>>;

/** Compares two runs of a pack, except times and ids. */
export async function diffRuns(store: Store, pack: AnyPack, a: StoredRun, b: StoredRun) {
  const [one, other] = [a.run.manifest.pack, b.run.manifest.pack];
  if (one !== other)
    throw new ParleyError(
      "bad_input",
      `${a.run.id} is a ${one} run and ${b.run.id} a ${other} run; only runs of one pack can be compared`,
    );
  return {
    start: diffJson(started(a), started(b)),
    turns: await compareTurns(store, a, b),
    rules: compareRules(a.result?.notes ?? [], b.result?.notes ?? []),
    headline: present(pack, a, (first) => present(pack, b, (second) => compareHeadlines(pack, first, second))),
    end: diffJson(ended(a), ended(b)),
  };
}

export function isSame({ start, turns, rules, end }: RunDiff): boolean {
  return start.length + turns.length + rules.length + end.length === 0;
}

function started({ run }: StoredRun) {
  const { pack, input, config, cast, seed, parley } = run.manifest;
  return { pack, parley, cast, seed, config, input };
}

function ended({ result }: StoredRun) {
  return result === null
    ? null
    : { outcome: result.outcome, reasons: result.reasons, quorum: result.quorum, decision: result.decision };
}

async function compareTurns(store: Store, a: StoredRun, b: StoredRun): Promise<TurnChange[]> {
  const left = new Map(a.turns.map((turn) => [turnIdOf(turn.key), turn]));
  const right = new Map(b.turns.map((turn) => [turnIdOf(turn.key), turn]));
  const names = [...new Set([...left.keys(), ...right.keys()])];
  const changes = await Promise.all(
    names.map((name) => compareTurn(store, name, { a, b, first: left.get(name), second: right.get(name) })),
  );
  return changes.filter((change) => change !== null);
}

type Pair = { a: StoredRun; b: StoredRun; first: Turn | undefined; second: Turn | undefined };

async function compareTurn(store: Store, turn: string, { a, b, first, second }: Pair): Promise<TurnChange | null> {
  if (!first || !second) return { turn, change: first ? "only_in_first" : "only_in_second", prompt: null, reply: [] };
  const reply = diffJson(first.reply, second.reply);
  if (first.requestHash !== second.requestHash) {
    const before = await readPrompt(store, a, first);
    const after = await readPrompt(store, b, second);
    return { turn, change: "prompt", prompt: findFirstDifference(before, after), reply };
  }
  if (reply.length > 0) return { turn, change: "reply", prompt: null, reply };
  return first.status === second.status ? null : { turn, change: "status", prompt: null, reply };
}

async function readPrompt(store: Store, { run }: StoredRun, turn: Turn): Promise<string[]> {
  return requirePrompt(await store.journal(run.id), run.id, turn);
}

export type Flip = RedecidedReply["headline"][number];

export function compareHeadlines(pack: AnyPack, before: AnyFinished | null, after: AnyFinished | null): Flip[] {
  const [old, now] = [headlineOf(pack, before), headlineOf(pack, after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names.map((name) => ({ name, before: old[name] ?? "nothing", after: now[name] ?? "nothing" }));
}

export function listFlips(pack: AnyPack, before: AnyFinished, after: AnyFinished): Flip[] {
  const outcome = { name: "outcome", before: before.result.outcome, after: after.result.outcome };
  return [outcome, ...compareHeadlines(pack, before, after)].filter((line) => line.before !== line.after);
}

export type RuleChange = RedecidedReply["rules"][number];

export function compareRules(before: readonly Note[], after: readonly Note[]): RuleChange[] {
  const left = numberNotes(before);
  const right = numberNotes(after);
  const names = [...new Set([...left.keys(), ...right.keys()])];
  return names.flatMap((name) => {
    const [old, now] = [left.get(name), right.get(name)];
    const note = old ?? now;
    const differences = diffJson(old?.data, jsonCopy(now?.data));
    if (!note || differences.length === 0) return [];
    const change = old === undefined ? "new" : now === undefined ? "gone" : "changed";
    return [{ rule: note.type, round: note.round, about: nameNote(note, old ? before : after), change, differences }];
  });
}

function numberNotes(notes: readonly Note[]): Map<string, Note> {
  const kinds = Map.groupBy(notes, ({ round, type }) => `${round}/${type}`);
  return new Map([...kinds].flatMap(([kind, own]) => own.map((note, at) => [`${kind}/${at}`, note] as const)));
}

/** What a use of a rule is about, where the round has several: the first text of its note. */
function nameNote({ type, round, data }: Note, notes: readonly Note[]): string {
  const isAlone = notes.filter((one) => one.type === type && one.round === round).length < 2;
  const first = isRecord(data) ? Object.values(data).find((value) => typeof value === "string") : undefined;
  return isAlone ? "" : (first ?? "");
}

const shownDifferences = 6;

export function formatRuleChanges(changes: readonly RuleChange[]): string[] {
  return changes.map(({ rule, round, about, change, differences }) => {
    const where = [about, round > 0 ? `round ${round}` : ""].filter(Boolean).join(", ");
    const name = `${rule}${where === "" ? "" : ` (${where})`}`;
    if (change !== "changed") return `${name}: ${change === "gone" ? "not asked any more" : "newly asked"}`;
    const shown = differences.slice(0, shownDifferences).map(formatDifference);
    const more = differences.length - shown.length;
    return `${name}: ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
  });
}

const mostShown = 20;

/** How two runs differ: what was decided, then from the first turn to the last. */
export function buildDiffSections({ headline, start, turns, rules, end }: RunDiff): Section[] {
  const parts = turns.map((turn, at) => describeTurn(turn, at === 0));
  return [
    buildFlips("What was decided", headline),
    listDifferences("Settings at the start", start),
    { kind: "group", title: "Turns that differ", sections: parts },
    listRules(rules),
    listDifferences("Differences in the result", end),
  ];
}

type Again = Redecided & { prepared?: Difference[] | undefined };

/** What other settings make of a recorded run; `prepared` is what changed where the case was prepared again. */
export function buildRedecidedSections(run: string, redecided: Again): Section[] {
  const { prepared, config, outcome, headline, decision, rules, settled } = redecided;
  const unchanged = `as recorded; \`parley show ${run} --why\` lists settings that would change the decision`;
  const note = "A person settled this run; this compares with what the rules had decided before.";
  return [
    {
      ...buildFlips(`Run ${run}, decided again without calling a model`, [
        { name: "outcome", ...outcome },
        ...headline,
      ]),
      ...(settled && { note }),
    },
    ...(prepared ? [listDifferences("Prepared again", prepared, "the material has not changed")] : []),
    listDifferences("Settings", config, unchanged),
    listRules(rules),
    listDifferences("Changes in the decision", decision, "nothing"),
  ];
}

function buildFlips(title: string, flips: readonly Flip[]): SectionOf<"facts"> {
  const rows = flips.map(({ name, before, after }) =>
    before === after
      ? { label: name, value: `${after} (as before)` }
      : { label: name, value: `${before} → ${after}`, tone: "warn" as const },
  );
  return { kind: "facts", title, rows };
}

function listDifferences(title: string, differences: readonly Difference[], none = ""): Section {
  if (differences.length === 0) return { kind: "text", title, text: none };
  const items = differences.slice(0, mostShown).map(formatDifference);
  const more = differences.length - items.length;
  return { kind: "list", title, items, ...(more > 0 && { note: `… and ${more} more values; --json shows all` }) };
}

const changeWords: Record<TurnChange["change"], string> = {
  only_in_first: "only in first",
  only_in_second: "only in second",
  prompt: "was asked something else",
  reply: "answered differently",
  status: "ended differently",
};

function describeTurn({ turn, change, prompt, reply }: TurnChange, isFirst: boolean): Section {
  return {
    kind: "group",
    title: isFirst ? `${turn} · the runs diverge here` : turn,
    folded: !isFirst,
    sections: [
      { kind: "text", title: "", text: changeWords[change] },
      { kind: "code", title: "", text: prompt ?? "" },
      { kind: "list", title: "", items: reply.slice(0, mostShown).map(formatDifference) },
    ],
  };
}

function listRules(rules: readonly RuleChange[]): Section {
  return { kind: "list", title: "Rules that decided differently", items: formatRuleChanges(rules) };
}
