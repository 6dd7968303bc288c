import { isRecord } from "../../../text/is-record.ts";
import type { SentimentConfig } from "../config/resolve-config.ts";
import { defaultOrder, defaultPersonas } from "../config/personas.ts";
import { groundPatchTurn, type Speaker } from "../roles/debate/ground-patch-turn.ts";
import { type PatchTurn, type Persona, PersonaSchema, type StanceTurn, type Style } from "../schemas/debate.ts";
import { type DebateOutput, MemoryTraceSchema, noMemory, type TurnStrike } from "../schemas/debate-output.ts";
import type { Sentiment } from "../schemas/stage1.ts";
import { keepStatedOf } from "../rules/tuples/stated.ts";
import type { AspectMatcher } from "../rules/tuples/aspect-matcher.ts";
import { type Tally, readText, findValue, findWord, readWords } from "./loose.ts";
import { readEdits, fillConfirmedPolarity } from "./read-edit.ts";
import { readPatchSummary, readStanceSummary } from "./read-summary.ts";
import { cutStage } from "./trace-stages.ts";

type RawTurn = { turn: Record<string, unknown>; round: number };

/** Reads a recorded debate of either style; null when there was none. */
export function readDebate(
  raw: unknown,
  stage1: { text: string; matcher: AspectMatcher; sentiments: readonly Sentiment[] },
  config: SentimentConfig,
  tally: Tally,
): DebateOutput | null {
  const { text, matcher } = stage1;
  const polarityOf = (term: string) => findOnlyPolarity(stage1, term);
  const part = cutStage(raw, "debate");
  if (part === null || part === undefined) return null;
  const turns = listRawTurns(part, tally);
  const summary = isRecord(part) ? findValue(part, ["summary", "debate_summary", "judge", "judgement"], 2) : undefined;
  if (turns.length === 0 && !isRecord(summary)) return null;
  const style = findStyle(turns, summary);
  const personas = mergePersonas(part, style, config);
  const order = config.debate.style === style ? config.debate.order : defaultOrder[style];
  const speakers = findSpeakers(turns, personas, order);
  const shared = { topic: text, personas, memory: readMemory(part) };
  const strikes: TurnStrike[] = [];
  if (style === "stance") {
    const spoken = turns.map((one, at) => readStanceTurn(one, speakers[at] as Speaker));
    return { ...shared, style, strikes, rounds: groupByRound(spoken), summary: readStanceSummary(summary) };
  }
  const spoken = turns.map((one, at) => {
    const edits = listEdits(one.turn).flatMap((edit) => readEdits(edit, matcher, tally));
    const reply = { agent: null, proposed_edits: fillConfirmedPolarity(edits, polarityOf, tally) };
    const grounded = groundPatchTurn(text, reply, speakers[at] as Speaker, matcher);
    for (const strike of grounded.strikes) tally.add(strike.code);
    strikes.push(...grounded.strikes);
    return grounded.turn;
  });
  return {
    ...shared,
    style,
    strikes,
    rounds: groupByRound(spoken),
    summary: readPatchSummary(summary, matcher, polarityOf, tally),
  };
}

/** The only polarity that Stage 1 states for a term. */
function findOnlyPolarity(
  stage1: { matcher: AspectMatcher; sentiments: readonly Sentiment[] },
  term: string,
): string | null {
  const { aspect } = stage1.matcher.resolve(term);
  const own = aspect === null ? [] : keepStatedOf(stage1.sentiments, aspect);
  const found = new Set(own.map((sentiment) => sentiment.polarity));
  return found.size === 1 ? ([...found][0] ?? null) : null;
}

/** Turns under `rounds` (lists, or objects with `turns`), under `turns`, or the list itself. */
function listRawTurns(part: unknown, tally: Tally): RawTurn[] {
  const rounds = isRecord(part) ? findValue(part, ["rounds"], 2) : undefined;
  const lists = Array.isArray(rounds)
    ? rounds.map((round) => (isRecord(round) ? (round.turns ?? round.speeches ?? [round]) : round))
    : [isRecord(part) ? findValue(part, ["turns"], 2) : part];
  return lists.flatMap((list, at) =>
    (Array.isArray(list) ? list : []).flatMap((turn: unknown) => {
      if (!isRecord(turn)) {
        tally.add("turn_unreadable");
        return [];
      }
      const round = typeof turn.round === "number" && Number.isInteger(turn.round) ? turn.round : at + 1;
      return [{ turn, round }];
    }),
  );
}

function listEdits(turn: Record<string, unknown>): unknown[] {
  const edits = turn.proposed_edits ?? turn.edits;
  return Array.isArray(edits) ? edits : edits === undefined || edits === null ? [] : [edits];
}

function findStyle(turns: readonly RawTurn[], summary: unknown): Style {
  const edits = turns.some(({ turn }) => turn.proposed_edits !== undefined || turn.edits !== undefined);
  const judged = isRecord(summary) && (summary.final_tuples !== undefined || summary.final_patch !== undefined);
  return edits || judged ? "patch" : "stance";
}

function mergePersonas(part: unknown, style: Style, config: SentimentConfig): Record<string, Persona> {
  const base = config.debate.style === style ? config.debate.personas : defaultPersonas[style];
  const given = isRecord(part) && isRecord(part.personas) ? part.personas : {};
  const parsed = Object.entries(given).flatMap(([key, persona]) => {
    const known = PersonaSchema.safeParse(persona);
    return known.success ? [[key, known.data] as const] : [];
  });
  return { ...base, ...Object.fromEntries(parsed) };
}

/** Who speaks in each turn; where the names of a full round are not its speakers, the order of the debate tells. */
function findSpeakers(
  turns: readonly RawTurn[],
  personas: Record<string, Persona>,
  order: readonly string[],
): Speaker[] {
  return turns.map((one) => {
    const named = findSpeaker(one, personas);
    const round = turns.filter((other) => other.round === one.round);
    const keys = new Set(round.map((other) => findSpeaker(other, personas).key));
    const key = order[round.indexOf(one)];
    const persona = key === undefined ? undefined : personas[key];
    const isClear = round.length !== order.length || order.every((speaker) => keys.has(speaker));
    return isClear || key === undefined || persona === undefined ? named : { key, persona, round: one.round };
  });
}

/** Who speaks: a persona by key or by name; a stranger keeps its name. */
function findSpeaker({ turn, round }: RawTurn, personas: Record<string, Persona>): Speaker {
  const named = findWord(turn, ["agent", "speaker", "name", "role"])?.trim() ?? "unknown";
  const plain = named.toLowerCase();
  const key = Object.keys(personas).find(
    (one) => one.toLowerCase() === plain || personas[one]?.name.toLowerCase() === plain,
  );
  const persona = key === undefined ? undefined : personas[key];
  return { key: key ?? plain, persona: persona ?? { name: named, role: "", goal: "" }, round };
}

function readStanceTurn({ turn }: RawTurn, { key, persona, round }: Speaker): StanceTurn {
  return {
    speaker: key,
    agent: persona.name,
    round,
    stance: persona.stance ?? findWord(turn, ["stance"]) ?? "neutral",
    planning: readText(turn.planning),
    reflection: readText(turn.reflection),
    message: readText(turn.message),
    key_points: readWords(turn.key_points),
  };
}

function readMemory(part: unknown): DebateOutput["memory"] {
  const parsed = MemoryTraceSchema.safeParse(isRecord(part) ? part.memory : undefined);
  return parsed.success ? parsed.data : noMemory;
}

function groupByRound<T extends PatchTurn | StanceTurn>(turns: readonly T[]): { round: number; turns: T[] }[] {
  const rounds = [...new Set(turns.map((turn) => turn.round))].sort((a, b) => a - b);
  return rounds.map((round) => ({ round, turns: turns.filter((turn) => turn.round === round) }));
}
