import { ParleyError } from "../contract/error.ts";
import { fillIn, frameOf, type FrameWords } from "../contract/frame-words.ts";
import type { PromptLanguage } from "../contract/prompt.ts";
import type { Run } from "../contract/run.ts";
import type { PositionItem, Story, StoryTurn } from "../contract/story.ts";
import { type Turn, turnIdOf } from "../contract/turn.ts";
import type { Finding, Section, SectionOf } from "../contract/view.ts";
import type { AnyFinished, AnyPack } from "../engine/pack.ts";
import type { StoredRun } from "./read-run.ts";
import type { FinishedRun } from "./start.ts";

type Shown = Pick<StoredRun, "run" | "material" | "turns" | "result">;

export function finishedOf({ run, material, turns, result }: Shown): AnyFinished {
  const { input, config } = run.manifest;
  return { input, material, config, result: result as AnyFinished["result"], turns };
}

/** Lets a pack show a stored run; if it cannot, the run is damaged or of another version, and the error says so. */
export function present<T>(pack: AnyPack, stored: Shown, show: (finished: AnyFinished) => T): T {
  const { run } = stored;
  try {
    return show(finishedOf(stored));
  } catch (cause) {
    if (cause instanceof ParleyError) throw cause;
    throw new ParleyError(
      "corrupt_store",
      `run ${run.id} cannot be shown: its contents do not match this version of the ${pack.name} pack (${(cause as Error).message}). \`parley verify ${run.id}\` says where; \`parley export ${run.id}\` gives it as JSON`,
      { cause },
    );
  }
}

export function storyOf(pack: AnyPack, { run, material, turns, result }: Shown): Story {
  const { input, config } = run.manifest;
  const decision = (result?.decision ?? null) as unknown;
  const story = pack.story({ input, material, config, turns, decision });
  const known = new Set(story.stages.flatMap((stage) => stage.turns.map(({ turn }) => turn)));
  const rest = turns.filter(({ key }) => !known.has(turnIdOf(key)));
  return { ...story, stages: addRest(story, rest) };
}

function addRest({ stages, names }: Story, rest: readonly Turn[]): Story["stages"] {
  if (rest.length === 0) return stages;
  const all = stages.map((stage) => ({ ...stage, turns: [...stage.turns] }));
  for (const turn of rest) {
    const { round, role, step } = turn.key;
    const speaker = names?.[role] ?? role;
    const plain: StoryTurn = { turn: turnIdOf(turn.key), speaker, does: step, says: "", points: [] };
    const home = all.find((stage) => stage.turns.some((one) => one.turn.startsWith(`${round}/`)));
    if (home) home.turns.push(plain);
    else all.push({ title: round === 0 ? "Outside the rounds" : `Round ${round}`, turns: [plain] });
  }
  return all;
}

export function listStands(
  pack: AnyPack,
  { turns, result }: Pick<Shown, "turns" | "result">,
  story: Story,
): PositionItem[] {
  const decision = (result?.decision ?? null) as unknown;
  const measured = decision === null ? [] : (pack.measure?.positions?.(decision, turns) ?? []);
  const stands: PositionItem[] = story.positions ?? measured;
  const gold = findGold(result);
  return stands.map((stand) => {
    const { role, round, answer, item } = stand;
    const turn = stand.turn ?? findTurnId(turns, role, round);
    const right = gold === undefined ? undefined : pack.measure?.isCorrect?.(answer, gold, item);
    return { ...stand, ...(turn !== undefined && { turn }), ...(right !== undefined && { right }) };
  });
}

function findTurnId(turns: readonly Turn[], role: string, round: number): string | undefined {
  const found = turns.find(({ key }) => key.role === role && key.round === round);
  return found && turnIdOf(found.key);
}

function findGold(result: Shown["result"]): unknown {
  const review = result?.notes.findLast(({ type }) => type === "review");
  return (review?.data as { gold?: unknown } | undefined)?.gold;
}

function findVerdict(pack: AnyPack, finished: AnyFinished): SectionOf<"verdict"> | null {
  const [first] = pack.sections(finished);
  return first?.kind === "verdict" ? first : null;
}

export function headlineOf(pack: AnyPack, finished: AnyFinished | null): Record<string, string> {
  if (!finished?.result?.decision) return {};
  const verdict = findVerdict(pack, finished);
  return verdict?.headline ?? (verdict ? { answer: verdict.answer } : {});
}

export function findLanguage(pack: AnyPack, finished: AnyFinished | null): PromptLanguage {
  if (!finished?.result?.decision) return "en";
  return findVerdict(pack, finished)?.language ?? "en";
}

export function listFindings(pack: AnyPack, finished: AnyFinished): Finding[] {
  return pack.sections(finished).flatMap((section) => (section.kind === "checks" ? section.findings : []));
}

export function isRecorded(turns: readonly Turn[]): boolean {
  return turns.some(({ player }) => player.startsWith("recorded("));
}

export function listSections(pack: AnyPack, finished: AnyFinished): Section[] {
  const [verdict, ...rest] = pack.sections(finished);
  const words = frameOf(findLanguage(pack, finished)).people;
  const people = [...listRuling(finished, words), ...listPeopleSection(pack, finished, words)];
  return [...(verdict ? [verdict] : []), ...people, ...rest];
}

/** The sections for a terminal; a person's ruling comes first, since it is final. */
export function pickTerminalSections(pack: AnyPack, finished: AnyFinished): Section[] {
  const shown = listSections(pack, finished).filter(({ detail }) => !detail);
  return shown.toSorted((a, b) => Number(b.id === rulingId) - Number(a.id === rulingId));
}

const rulingId = "ruling";

function listRuling({ result }: AnyFinished, words: FrameWords["people"]): Section[] {
  const ruled = listPeople({ turns: [], result })[0];
  return ruled
    ? [{ kind: "text", id: rulingId, title: fillIn(words[ruled.did], ruled), text: ruled.why, lead: true }]
    : [];
}

export type PersonsPart = {
  by: string;
  did: "answered" | "abstained" | "overruled" | "upheld" | "replaced";
  where: string;
  why: string;
};

export function listPeople({ turns, result }: Pick<Shown, "turns" | "result">): PersonsPart[] {
  const spoken = turns.flatMap(({ key, player, status, reply, attempts }): PersonsPart[] => {
    const where = turnIdOf(key);
    const overruled = attempts.findLast((attempt) => attempt.overruled)?.overruled;
    if (overruled) return [{ by: overruled.by, did: "overruled", where, why: overruled.why }];
    if (!isPerson(player)) return [];
    const did = status === "abstained" ? "abstained" : "answered";
    return [{ by: player.slice("person/".length) || "a person", did, where, why: findLongest(reply) }];
  });
  const note = result?.notes.findLast(({ type }) => type === "review")?.data as Ruling | undefined;
  return note ? [...spoken, { by: note.reviewer, did: note.verdict, where: "the decision", why: note.ruling }] : spoken;
}

type Ruling = { reviewer: string; verdict: "upheld" | "replaced"; ruling: string };

export function isPerson(player: string): boolean {
  return /^person\b/.test(player);
}

/** In every role's reply the longest text is its reasons. */
export function findLongest(value: unknown): string {
  if (typeof value === "string") return value;
  const texts = Object.values(value ?? {}).map(findLongest);
  return texts.toSorted((a, b) => b.length - a.length)[0] ?? "";
}

function listPeopleSection(pack: AnyPack, { turns, ...finished }: AnyFinished, words: FrameWords["people"]): Section[] {
  const people = listPeople({ turns, result: null });
  if (people.length === 0) return [];
  const { names } = pack.story({ ...finished, turns, decision: finished.result.decision });
  const rows = people.map((one) => {
    const role = one.where.split("/").at(-1) ?? "";
    return { label: names?.[role] ?? role, value: fillIn(words[one.did], one) };
  });
  return [{ kind: "facts", id: "people", title: words.title, rows, lead: true }];
}

/** A finished run as JSON: its decision, and under `parley` how it came about. */
export function buildResultJson({ runId, finished }: FinishedRun): Record<string, unknown> {
  const { outcome, reasons, decision, quorum, usage, spend } = finished.result;
  const people = listPeople(finished);
  const about = {
    run: runId,
    outcome,
    reasons,
    quorum,
    usage,
    spend,
    ...(people.length > 0 ? { people } : {}),
  };
  return { ...(decision as object | null), parley: about };
}

export function takesText(pack: AnyPack): boolean {
  return pack.input.safeParse("text").success;
}

export function subjectOf(pack: AnyPack, run: Run): string {
  if (run.manifest.input === null) return "(erased)";
  let text: string;
  try {
    const { input, config } = run.manifest;
    text = pack.story({ input, material: null, config, turns: [], decision: null }).subject ?? run.caseId ?? "";
  } catch {
    text = "(its input cannot be read)";
  }
  return text.replaceAll(/\s+/g, " ").trim();
}
