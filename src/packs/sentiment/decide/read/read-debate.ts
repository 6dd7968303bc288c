import type { SentimentConfig } from "../../config/config.ts";
import { defaultOrder, defaultPersonas } from "../../config/personas.ts";
import { groundPatchTurn, type Seat } from "../../debate/ground-patch-turn.ts";
import { type PatchTurn, type Persona, PersonaSchema, type StanceTurn, type Style } from "../../schemas/debate.ts";
import { type DebateOutput, MemoryTraceSchema, noMemory, type TurnStrike } from "../../schemas/debate-output.ts";
import type { Sentiment } from "../../schemas/stage1.ts";
import { stated } from "../../stage1/missing.ts";
import type { AspectMatcher } from "../../text/aspect-matcher.ts";
import { isLoose, type Loose, type Tally, textOf, valueAt, wordOfKeys, wordsOf } from "./loose.ts";
import { readEdits, withConfirmedPolarity } from "./read-edit.ts";
import { readPatchSummary, readStanceSummary } from "./read-summary.ts";
import { stagePart } from "./trace-stages.ts";

type RawTurn = { turn: Loose; round: number };

/** Reads a recorded debate of either style; null when there was none. */
export function readDebate(
  raw: unknown,
  stage1: { text: string; matcher: AspectMatcher; sentiments: readonly Sentiment[] },
  config: SentimentConfig,
  tally: Tally,
): DebateOutput | null {
  const { text, matcher } = stage1;
  const polarityOf = (term: string) => statedPolarity(stage1, term);
  const part = stagePart(raw, "debate");
  if (part === null || part === undefined) return null;
  const turns = rawTurns(part, tally);
  const summary = isLoose(part) ? valueAt(part, ["summary", "debate_summary", "judge", "judgement"], 2) : undefined;
  if (turns.length === 0 && !isLoose(summary)) return null;
  const style = styleOf(turns, summary);
  const personas = personasOf(part, style, config);
  const order = config.debate.style === style ? config.debate.order : defaultOrder[style];
  const seats = seatsOf(turns, personas, order);
  const shared = { topic: text, personas, memory: readMemory(part) };
  const strikes: TurnStrike[] = [];
  if (style === "stance") {
    const spoken = turns.map((one, at) => readStanceTurn(one, seats[at] as Seat));
    return { ...shared, style, strikes, rounds: inRounds(spoken), summary: readStanceSummary(summary) };
  }
  const spoken = turns.map((one, at) => {
    const edits = editsOf(one.turn).flatMap((edit) => readEdits(edit, matcher, tally));
    const reply = { agent: null, proposed_edits: withConfirmedPolarity(edits, polarityOf, tally) };
    const grounded = groundPatchTurn(text, reply, seats[at] as Seat, matcher);
    for (const strike of grounded.strikes) tally.add(strike.code);
    strikes.push(...grounded.strikes);
    return grounded.turn;
  });
  return {
    ...shared,
    style,
    strikes,
    rounds: inRounds(spoken),
    summary: readPatchSummary(summary, matcher, polarityOf, tally),
  };
}

/** The only polarity that Stage 1 states for a term. */
function statedPolarity(
  stage1: { matcher: AspectMatcher; sentiments: readonly Sentiment[] },
  term: string,
): string | null {
  const { aspect } = stage1.matcher.resolve(term);
  const own = stated(stage1.sentiments).filter((sentiment) => sentiment.aspect_ref === aspect);
  const found = new Set(own.map((sentiment) => sentiment.polarity));
  return found.size === 1 ? ([...found][0] ?? null) : null;
}

/** Turns under `rounds` (lists, or objects with `turns`), under `turns`, or the list itself. */
function rawTurns(part: unknown, tally: Tally): RawTurn[] {
  const rounds = isLoose(part) ? valueAt(part, ["rounds"], 2) : undefined;
  const lists = Array.isArray(rounds)
    ? rounds.map((round) => (isLoose(round) ? (round.turns ?? round.speeches ?? [round]) : round))
    : [isLoose(part) ? valueAt(part, ["turns"], 2) : part];
  return lists.flatMap((list, at) =>
    (Array.isArray(list) ? list : []).flatMap((turn: unknown) => {
      if (!isLoose(turn)) {
        tally.add("turn_unreadable");
        return [];
      }
      const round = typeof turn.round === "number" && Number.isInteger(turn.round) ? turn.round : at + 1;
      return [{ turn, round }];
    }),
  );
}

function editsOf(turn: Loose): unknown[] {
  const edits = turn.proposed_edits ?? turn.edits;
  return Array.isArray(edits) ? edits : edits === undefined || edits === null ? [] : [edits];
}

function styleOf(turns: readonly RawTurn[], summary: unknown): Style {
  const edits = turns.some(({ turn }) => turn.proposed_edits !== undefined || turn.edits !== undefined);
  const judged = isLoose(summary) && (summary.final_tuples !== undefined || summary.final_patch !== undefined);
  return edits || judged ? "patch" : "stance";
}

function personasOf(part: unknown, style: Style, config: SentimentConfig): Record<string, Persona> {
  const base = config.debate.style === style ? config.debate.personas : defaultPersonas[style];
  const given = isLoose(part) && isLoose(part.personas) ? part.personas : {};
  const parsed = Object.entries(given).flatMap(([key, persona]) => {
    const known = PersonaSchema.safeParse(persona);
    return known.success ? [[key, known.data] as const] : [];
  });
  return { ...base, ...Object.fromEntries(parsed) };
}

/** Who speaks in each turn; where the names of a full round are not its speakers, the order of the debate tells. */
function seatsOf(turns: readonly RawTurn[], personas: Record<string, Persona>, order: readonly string[]): Seat[] {
  return turns.map((one) => {
    const named = seatOf(one, personas);
    const round = turns.filter((other) => other.round === one.round);
    const keys = new Set(round.map((other) => seatOf(other, personas).key));
    const key = order[round.indexOf(one)];
    const persona = key === undefined ? undefined : personas[key];
    const isClear = round.length !== order.length || order.every((speaker) => keys.has(speaker));
    return isClear || key === undefined || persona === undefined ? named : { key, persona, round: one.round };
  });
}

/** Who speaks: a persona by key or by name; a stranger keeps its name. */
function seatOf({ turn, round }: RawTurn, personas: Record<string, Persona>): Seat {
  const named = wordOfKeys(turn, ["agent", "speaker", "name", "role"])?.trim() ?? "unknown";
  const plain = named.toLowerCase();
  const key = Object.keys(personas).find(
    (one) => one.toLowerCase() === plain || personas[one]?.name.toLowerCase() === plain,
  );
  const persona = key === undefined ? undefined : personas[key];
  return { key: key ?? plain, persona: persona ?? { name: named, role: "", goal: "" }, round };
}

function readStanceTurn({ turn }: RawTurn, { key, persona, round }: Seat): StanceTurn {
  return {
    speaker: key,
    agent: persona.name,
    round,
    stance: persona.stance ?? wordOfKeys(turn, ["stance"]) ?? "neutral",
    planning: textOf(turn.planning),
    reflection: textOf(turn.reflection),
    message: textOf(turn.message),
    key_points: wordsOf(turn.key_points),
  };
}

function readMemory(part: unknown): DebateOutput["memory"] {
  const parsed = MemoryTraceSchema.safeParse(isLoose(part) ? part.memory : undefined);
  return parsed.success ? parsed.data : noMemory;
}

function inRounds<T extends PatchTurn | StanceTurn>(turns: readonly T[]): { round: number; turns: T[] }[] {
  const rounds = [...new Set(turns.map((turn) => turn.round))].sort((a, b) => a - b);
  return rounds.map((round) => ({ round, turns: turns.filter((turn) => turn.round === round) }));
}
