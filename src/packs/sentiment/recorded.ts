/** Reads recorded turns as anyone may have written them down: aliases are accepted, what cannot be used is counted, nothing throws. */
import { isRecord } from "../../text/is-record.ts";
import { defaultOrder, personasOf, type SentimentConfig } from "./config/config.ts";
import { defaultPersonas } from "./prompts/read-prompts.ts";
import {
  groundAspects,
  groundEdits,
  groundRisks,
  groundSentiments,
  groundSummary,
  groundValidator,
  type Strike,
} from "./roles/ground.ts";
import { type AspectMatcher, matchStage1 } from "./rules/matcher.ts";
import { findTerm, isInside } from "./rules/text.ts";
import { canonicalisePolarity, keepStated } from "./rules/tuples.ts";
import {
  type DebateOutput,
  type Edit,
  MemoryTraceSchema,
  noMemory,
  type Patch,
  type PatchTurn,
  type Persona,
  PersonaSchema,
  type StanceTurn,
  type Style,
  type TurnStrike,
} from "./schemas/debate.ts";
import type { CaseTurns } from "./schemas/inputs.ts";
import type { Material } from "./schemas/material.ts";
import type { Aspect, SentimentReply, Span, Stage1, StructuralRisk } from "./schemas/stage1.ts";
import type { Stage2 } from "./schemas/stage2.ts";

type Raw = Record<string, unknown>;

/** Reads all that was recorded of a case. */
export function readTurns(
  recorded: { stage1: unknown; debate?: unknown; stage2?: unknown },
  material: Material,
  config: SentimentConfig,
): Pick<CaseTurns, "stage1" | "debate" | "stage2" | "strikes"> {
  const strikes: TurnStrike[] = [];
  const note =
    (speaker: string, round = 0) =>
    (list: readonly Strike[]) =>
      void strikes.push(...list.map(({ code, what }) => ({ speaker, round, code, what })));
  const stage1 = readStage1(recorded.stage1, material, note("stage1"));
  const debate = readDebate(recorded.debate, { material, stage1 }, config, note);
  const stage2 = readStage2(recorded.stage2, material, stage1, note("stage2"));
  return { stage1, debate, stage2, strikes };
}

type Note = (strikes: readonly Strike[]) => void;

/** A word: a string, or the term inside an object such as `{ term, span }`; null when there is none. */
function readWord(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return readWord(value[0]);
  if (!isRecord(value)) return null;
  const key = ["term", "text", "aspect_term", "aspect_ref", "aspect", "span", "value"].find(
    (name) => typeof value[name] === "string",
  );
  return key === undefined ? null : (value[key] as string);
}

/** The words under these keys that are not empty. */
function listWords(from: Raw, keys: readonly string[]): string[] {
  return keys.flatMap((key) => readWord(from[key])?.trim() ?? []).filter((word) => word !== "");
}

function readText(value: unknown): string {
  return Array.isArray(value) ? value.map(readText).filter(Boolean).join(" ") : (readWord(value) ?? "");
}

function readWords(value: unknown): string[] {
  const list = value === null || value === undefined ? [] : Array.isArray(value) ? value : [value];
  return list.flatMap((item) => readWord(item) ?? []).filter((word) => word.trim() !== "");
}

/** A confidence within 0..1, also from a string or a percentage; `missing` when there is none. */
function readConfidence<T>(value: unknown, missing: T): number | T {
  const number = typeof value === "string" ? Number.parseFloat(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) return missing;
  return Math.min(1, Math.max(0, number > 1 && number <= 100 ? number / 100 : number));
}

/** A span from `{start,end}`, `{from,to}`, `[start,end]`, "start-end" or the words themselves; null when it is not a span. */
function readSpan(text: string, value: unknown): Span | null {
  const written = typeof value === "string" ? value.match(/^\W*(\d+)\s*[-,:~]\s*(\d+)\W*$/)?.slice(1) : undefined;
  const numbers = isRecord(value)
    ? [value.start ?? value.from, value.end ?? value.to]
    : Array.isArray(value)
      ? value
      : written;
  const [start, end] = (numbers ?? []).map(Number);
  if (start !== undefined && end !== undefined && isInside(text, { start, end })) return { start, end };
  const words = readWord(value);
  return words === null ? null : findTerm(text, words.trim());
}

/** The first value under one of these keys, at the top or in nested objects and lists, nearest first. */
function findValue(value: unknown, keys: readonly string[], depth = 4): unknown {
  let level: unknown[] = [value];
  for (let left = depth; left > 0 && level.length > 0; left -= 1) {
    for (const item of level) {
      const key = isRecord(item) ? keys.find((name) => item[name] !== undefined) : undefined;
      if (key !== undefined) return (item as Raw)[key];
    }
    level = level.flatMap((item) => (Array.isArray(item) ? item : isRecord(item) ? Object.values(item) : []));
  }
  return undefined;
}

function findList(value: unknown, keys: readonly string[]): Raw[] | null {
  const found = findValue(value, keys);
  return Array.isArray(found)
    ? found.map((item) => (typeof item === "string" ? { term: item } : item)).filter(isRecord)
    : null;
}

/**
 * The part of a recording that belongs to a stage. A list of trace entries `{ stage, agent, output }`, also under
 * `process_trace`, is cut down to the stage's own entries; anything else is taken as it is.
 */
function cutStage(value: unknown, stage: "stage1" | "debate" | "stage2"): unknown {
  const trace = isRecord(value) && Array.isArray(value.process_trace) ? value.process_trace : value;
  const entries = (Array.isArray(trace) ? trace : []).filter(
    (one): one is { stage: string; agent?: unknown; output: unknown } =>
      isRecord(one) && typeof one.stage === "string" && "output" in one,
  );
  if (entries.length === 0) return isRecord(value) ? (value[stage] ?? value) : value;
  const own = entries.filter((entry) => entry.stage.toLowerCase().startsWith(stage));
  if (stage !== "debate") return own.map((entry) => entry.output);
  const isJudge = (entry: { stage: string }) => /judge/i.test(entry.stage);
  return {
    turns: own
      .filter((one) => !isJudge(one))
      .map(({ agent, output }) => (isRecord(output) ? { agent, ...output } : output)),
    summary: own.find(isJudge)?.output,
  };
}

const refKeys = ["aspect_ref", "aspect_term", "aspect", "term", "target"];
const unstated = 0.5;

function readStage1(raw: unknown, material: Material, note: Note): Stage1 {
  const { text } = material;
  const cut = cutStage(raw, "stage1");
  /** `{ ate: […], atsa: […] }` holds the lists themselves. */
  const part = isRecord(cut)
    ? {
        ...(Array.isArray(cut.ate) && { aspects: cut.ate }),
        ...(Array.isArray(cut.atsa) && { aspect_sentiments: cut.atsa }),
        ...cut,
      }
    : cut;
  const said =
    findList(part, ["aspect_sentiments", "stage1_aspect_sentiments", "sentiments", "stage1_tuples", "tuples"]) ?? [];
  const given = (findList(part, ["aspects", "stage1_aspects"]) ?? []).flatMap((item) =>
    readAspect(item, text, ["term", ...refKeys]),
  );
  const named = given.length > 0 ? given : said.flatMap((item) => readAspect(item, text, refKeys, true));
  const ate = groundAspects(material, { aspects: named });
  const { aspects } = ate.reply;
  const matcher = matchStage1(material, { aspects });
  const replies = said.map((item) => readSentiment(item, text, matcher));
  const atsa = groundSentiments({ aspect_sentiments: replies.map(({ reply }) => reply) }, { material, aspects });
  const filled = replies
    .filter((one) => one.isFilled)
    .map(() => ({ code: "backfilled_neutral_read_as_missing", what: "" }));
  note([...ate.strikes, ...filled, ...atsa.strikes]);
  const { aspect_sentiments } = atsa.reply;
  const [risks, proposals] = [
    findList(part, ["structural_risks", "stage1_structural_risks", "risks"]),
    findList(part, ["correction_proposals", "stage1_correction_proposals", "proposals"]),
  ];
  const score = findValue(part, ["consistency_score"]);
  if (risks === null && proposals === null && score === undefined)
    return { aspects, aspect_sentiments, validator: null };
  const validator = groundValidator(
    {
      structural_risks: (risks ?? []).map((item) => readRisk(item, text)),
      consistency_score: readConfidence(score, 0),
      correction_proposals: (proposals ?? []).map((item) => ({
        target_aspect: listWords(item, ["target_aspect", ...refKeys])[0] ?? "",
        proposal_type: listWords(item, ["proposal_type", "type"])[0] ?? "",
        revised_span: readSpan(text, item.revised_span),
        rationale: readText(item.rationale),
      })),
    },
    { material, aspects, aspect_sentiments },
  );
  note(validator.strikes);
  return { aspects, aspect_sentiments, validator: validator.reply };
}

/** An aspect; where only sentiments were recorded, the first of their words that is in the text. */
function readAspect(item: Raw, text: string, keys: readonly string[], onlyInText = false): Aspect[] {
  const words = listWords(item, keys);
  const term = onlyInText ? words.find((word) => findTerm(text, word) !== null) : words[0];
  if (term === undefined) return [];
  const span = (onlyInText ? null : readSpan(text, item.span)) ?? findTerm(text, term) ?? { start: 0, end: 0 };
  return [
    {
      term,
      span,
      rationale: onlyInText ? "" : readText(item.rationale),
      normalized: onlyInText ? null : readWord(item.normalized),
      syntactic_head: onlyInText ? null : readWord(item.syntactic_head),
      confidence: readConfidence(item.confidence, unstated),
    },
  ];
}

function readSentiment(item: Raw, text: string, matcher: AspectMatcher): { reply: SentimentReply; isFilled: boolean } {
  const words = listWords(item, refKeys);
  const ref = words.find((word) => matcher.resolve(word).how === "stage1") ?? words[0] ?? "";
  const opinion = readWord(item.opinion_term)?.trim() ?? "";
  const place = isRecord(item.opinion_term) ? readSpan(text, item.opinion_term.span) : null;
  const word = readWord(item.polarity ?? item.sentiment ?? item.label);
  /** A neutral that was only filled in for a missing sentiment is missing. */
  const isFilled =
    canonicalisePolarity(word) === "neutral" &&
    (item.is_backfilled === true ||
      (typeof item.neutral_reason === "string" && /missing|placeholder|backfill/i.test(item.neutral_reason)) ||
      (item.confidence === unstated && readText(item.evidence).trim() === text.trim()));
  const shares = isRecord(item.polarity_distribution) ? item.polarity_distribution : null;
  const shareOf = (polarity: string) =>
    Object.entries(shares ?? {}).reduce(
      (sum, [key, share]) => sum + (canonicalisePolarity(key) === polarity ? Number(share) || 0 : 0),
      0,
    );
  return {
    isFilled,
    reply: {
      aspect_ref: ref,
      opinion_term:
        opinion === "" ? null : { term: opinion, span: place ?? findTerm(text, opinion) ?? { start: 0, end: 0 } },
      evidence: readText(item.evidence),
      is_implicit: ref === "",
      polarity: isFilled ? null : word,
      polarity_distribution: shares && {
        positive: shareOf("positive"),
        negative: shareOf("negative"),
        neutral: shareOf("neutral"),
      },
      confidence: readConfidence(item.confidence, unstated),
    },
  };
}

function readRisk(item: Raw, text: string): StructuralRisk {
  const plain = (listWords(item, ["type", "risk_type", "risk_id"])[0] ?? "").toUpperCase().replace(/[\s-]+/g, "_");
  const isKnown = /^(NEGATION|CONTRAST)(_SCOPE)?$/.test(plain);
  /** A type in other words is the known one it contains. */
  const type = isKnown ? plain : (["NEGATION", "CONTRAST", "IRONY"].find((one) => plain.includes(one)) ?? plain);
  return {
    type,
    scope: readSpan(text, item.scope ?? item.span) ?? { start: 0, end: text.length },
    severity: readWord(item.severity) ?? "medium",
    description: readText(item.description),
  };
}

type About = { material: Material; stage1: Stage1 };
type RawTurn = { turn: Raw; round: number };

function readDebate(
  raw: unknown,
  about: About,
  config: SentimentConfig,
  note: (speaker: string, round?: number) => Note,
): DebateOutput | null {
  const { material, stage1 } = about;
  const part = cutStage(raw, "debate");
  if (part === null || part === undefined) return null;
  const turns = listRawTurns(part);
  const summary = isRecord(part) ? findValue(part, ["summary", "debate_summary", "judge", "judgement"], 2) : undefined;
  if (turns.length === 0 && !isRecord(summary)) return null;
  const edits = turns.some(({ turn }) => turn.proposed_edits !== undefined || turn.edits !== undefined);
  const judged = isRecord(summary) && (summary.final_tuples !== undefined || summary.final_patch !== undefined);
  const style: Style = edits || judged ? "patch" : "stance";
  const personas = mergePersonas(part, style, config, material);
  const order = config.debate.style === style ? config.debate.order : defaultOrder[style];
  const speakers = turns.map((one) => findSpeaker(one, turns, personas, order));
  const memory = MemoryTraceSchema.safeParse(isRecord(part) ? part.memory : undefined);
  const shared = { topic: material.text, personas, strikes: [], memory: memory.success ? memory.data : noMemory };
  const byRound = <T extends { round: number }>(spoken: readonly T[]) =>
    [...Map.groupBy(spoken, ({ round }) => round)]
      .sort(([a], [b]) => a - b)
      .map(([round, own]) => ({ round, turns: own }));
  const said = turns.map(({ turn, round }, at) => {
    const { key, persona } = speakers[at] as { key: string; persona: Persona };
    return {
      turn,
      persona,
      spoken: { speaker: key, agent: persona.name, round, by_program: turn.by_program === true },
    };
  });
  if (style === "stance") {
    const rounds = byRound(
      said.map(
        ({ turn, persona, spoken }): StanceTurn => ({
          ...spoken,
          stance: persona.stance ?? readWord(turn.stance) ?? "neutral",
          planning: readText(turn.planning),
          reflection: readText(turn.reflection),
          message: readText(turn.message),
          key_points: readWords(turn.key_points),
        }),
      ),
    );
    const concluded = isRecord(summary)
      ? {
          key_agreements: readWords(summary.key_agreements),
          key_disagreements: readWords(summary.key_disagreements),
          rationale: readText(summary.rationale),
          winner: readWord(summary.winner),
          consensus: readWord(summary.consensus),
        }
      : null;
    return { ...shared, style, rounds, summary: concluded };
  }
  const matcher = matchStage1(material, stage1);
  const rounds = byRound(
    said.map(({ turn, spoken }): PatchTurn => {
      const given = turn.proposed_edits ?? turn.edits ?? [];
      const read = (Array.isArray(given) ? given : [given])
        .filter(isRecord)
        .flatMap((item) => readEdits(item, matcher, stage1));
      const { kept, strikes } = groundEdits("proposed_edits", read, material, matcher);
      note(spoken.speaker, spoken.round)(strikes);
      return { ...spoken, proposed_edits: kept };
    }),
  );
  if (!isRecord(summary)) return { ...shared, style, rounds, summary: null };
  const concluded = groundSummary(readJudge(summary, matcher, stage1), about);
  note("judge", rounds.length + 1)(concluded.strikes);
  return { ...shared, style, rounds, summary: concluded.summary };
}

/** Turns under `rounds` (lists, or objects with `turns`), under `turns`, or the list itself. */
function listRawTurns(part: unknown): RawTurn[] {
  const rounds = isRecord(part) ? findValue(part, ["rounds"], 2) : undefined;
  const lists = Array.isArray(rounds)
    ? rounds.map((round) => (isRecord(round) ? (round.turns ?? round.speeches ?? [round]) : round))
    : [isRecord(part) ? findValue(part, ["turns"], 2) : part];
  return lists.flatMap((list, at) =>
    (Array.isArray(list) ? list : [])
      .filter(isRecord)
      .map((turn) => ({ turn, round: Number.isInteger(turn.round) ? (turn.round as number) : at + 1 })),
  );
}

function mergePersonas(
  part: unknown,
  style: Style,
  config: SentimentConfig,
  { language_code }: Material,
): Record<string, Persona> {
  const base =
    config.debate.style === style ? personasOf(config, language_code) : defaultPersonas[language_code][style];
  const given = isRecord(part) && isRecord(part.personas) ? Object.entries(part.personas) : [];
  const parsed = given.map(([key, persona]) => [key, PersonaSchema.safeParse(persona).data] as const);
  return { ...base, ...Object.fromEntries(parsed.filter(([, persona]) => persona !== undefined)) } as Record<
    string,
    Persona
  >;
}

/** Who speaks: a persona by key or name; where the names of a full round are not its speakers, the order of the debate tells. */
function findSpeaker(
  one: RawTurn,
  turns: readonly RawTurn[],
  personas: Record<string, Persona>,
  order: readonly string[],
): { key: string; persona: Persona } {
  const named = (turn: Raw) => {
    const name = listWords(turn, ["agent", "speaker", "name", "role"])[0] ?? "unknown";
    const plain = name.toLowerCase();
    const key = Object.keys(personas).find(
      (own) => own.toLowerCase() === plain || personas[own]?.name.toLowerCase() === plain,
    );
    return { key: key ?? plain, persona: (key && personas[key]) || { name, role: "", goal: "" } };
  };
  const round = turns.filter((other) => other.round === one.round);
  const keys = new Set(round.map(({ turn }) => named(turn).key));
  const key = order[round.indexOf(one)];
  const persona = key === undefined ? undefined : personas[key];
  const isClear = round.length !== order.length || order.every((speaker) => keys.has(speaker));
  return isClear || key === undefined || persona === undefined ? named(one.turn) : { key, persona };
}

/** One recorded edit; an edit on several terms becomes one edit each, and a confirmation without a polarity confirms the one there is. */
function readEdits(item: Raw, matcher: AspectMatcher, stage1: Stage1): Edit[] {
  const { target } = item;
  const inner = Array.isArray(target)
    ? target
    : isRecord(target)
      ? Object.values(target).find((one) => Array.isArray(one) && one.length > 0)
      : null;
  const targets: Raw[] = Array.isArray(inner)
    ? inner.map((one) => (isRecord(one) ? one : { aspect_ref: one }))
    : [typeof target === "string" ? { aspect_ref: target, polarity: item.polarity } : isRecord(target) ? target : item];
  const given = item.value ?? (isRecord(target) ? target.value : undefined);
  const value = isRecord(given)
    ? (readWord(given.polarity) ?? (findAspect(given, matcher) || null))
    : readWord(given)?.trim() || null;
  const op = readWord(item.op ?? item.operation ?? item.action) ?? "";
  return targets.map((one, at) => {
    const aspect_ref = findAspect(one, matcher);
    const stated = readWord(one.polarity ?? one.sentiment);
    const isOpen = op.trim() === "confirm_tuple" && stated === null && value === null;
    return {
      op,
      target: { aspect_ref, polarity: isOpen ? findOnlyPolarity(stage1, matcher, aspect_ref) : stated },
      value: value ?? (targets.length > 1 && at > 0 ? findAspect(targets[0] ?? {}, matcher) : null),
      evidence: readText(item.evidence) || null,
      confidence: readConfidence(item.confidence, null),
    };
  });
}

function findOnlyPolarity({ aspect_sentiments }: Stage1, matcher: AspectMatcher, term: string): string | null {
  const { aspect } = matcher.resolve(term);
  const found = new Set(aspect === null ? [] : keepStated(aspect_sentiments, aspect).map((one) => one.polarity));
  return found.size === 1 ? ([...found][0] ?? null) : null;
}

/** The word of these candidates that is a known aspect, else the first. */
function findAspect(from: Raw, matcher: AspectMatcher): string {
  const words = listWords(from, refKeys);
  return words.find((word) => matcher.resolve(word).aspect !== null) ?? words[0] ?? "";
}

/** The judge of a patch debate; one that gives no patch at all confirms its tuples. */
function readJudge(raw: Raw, matcher: AspectMatcher, stage1: Stage1) {
  const final_tuples = (Array.isArray(raw.final_tuples) ? raw.final_tuples : []).filter(isRecord).map((tuple) => ({
    aspect_ref: findAspect(tuple, matcher),
    polarity: readWord(tuple.polarity ?? tuple.sentiment),
  }));
  const given = Array.isArray(raw.final_patch)
    ? raw.final_patch.filter(isRecord).flatMap((item) => readEdits(item, matcher, stage1))
    : null;
  const evidence = Array.isArray(raw.aspect_evidence)
    ? raw.aspect_evidence
        .filter(isRecord)
        .map((pair) => [readWord(pair.aspect ?? pair.aspect_ref), readWord(pair.span ?? pair.evidence ?? pair.text)])
    : Object.entries(isRecord(raw.aspect_evidence) ? raw.aspect_evidence : {}).map(([aspect, span]) => [
        aspect,
        readWord(span),
      ]);
  return {
    sentence_evidence_spans: readWords(raw.sentence_evidence_spans),
    aspect_evidence: evidence.flatMap(([aspect, span]) =>
      typeof aspect === "string" && typeof span === "string" ? [{ aspect, span }] : [],
    ),
    unresolved_conflicts: readWords(raw.unresolved_conflicts),
    rationale: typeof raw.rationale === "string" ? raw.rationale : null,
    final_patch:
      given?.map(({ op, target, value }): Patch => ({ op, target, value })) ??
      final_tuples.map((target): Patch => ({ op: "confirm_tuple", target, value: null })),
    final_tuples,
    sentence_polarity: readWord(raw.sentence_polarity),
  };
}

const actions: Record<string, string> = { remove: "drop", revise: "revise_span", flip: "flip_polarity" };

/** The recorded reviews; null when Stage 2 did not run. A review without a target is struck, unless it can mean the implicit aspect. */
function readStage2(raw: unknown, material: Material, stage1: Stage1, note: Note): Stage2 | null {
  const { text } = material;
  const part = cutStage(raw, "stage2");
  if (part === null || part === undefined || (Array.isArray(part) && part.length === 0)) return null;
  const reviews = findList(part, ["sentiment_review", "sentiment_reviews"]) ?? [];
  const hasImplicit = stage1.aspect_sentiments.some((one) => one.aspect_ref === "");
  const mayBeImplicit = hasImplicit && reviews.some((item) => listWords(item, refKeys).length > 0);
  const read = <T>(
    items: readonly Raw[],
    nothing: string,
    make: (target: string, item: Raw, said: { action: string; reason: string; provenance: string | null }) => T,
  ): T[] =>
    items.flatMap((item) => {
      const target = listWords(item, ["term", ...refKeys])[0] ?? "";
      if (target === "" && !mayBeImplicit) {
        note([{ code: "review_without_target", what: "" }]);
        return [];
      }
      const word = (readWord(item.action) ?? nothing).trim().toLowerCase();
      const action = word === "keep" || word === "maintain" ? nothing : (actions[word] ?? word);
      return [make(target, item, { action, reason: readText(item.reason), provenance: readWord(item.provenance) })];
    });
  const checked = findValue(part, ["final_validation"]);
  const listed = findList(part, ["structural_risks"]);
  const risks = groundRisks(
    material,
    (listed ?? []).map((item) => readRisk(item, text)),
  );
  note(risks.strikes);
  const from: Raw = isRecord(checked) ? checked : {};
  return {
    aspect_review: read(findList(part, ["aspect_review", "aspect_reviews"]) ?? [], "keep", (term, item, said) => ({
      term,
      ...said,
      revised_span: readSpan(text, item.revised_span),
    })),
    sentiment_review: read(reviews, "maintain", (aspect_ref, item, said) => ({
      aspect_ref,
      ...said,
      evidence: readText(item.evidence) || null,
      revised_polarity: readWord(item.revised_polarity ?? item.polarity),
    })),
    validator:
      isRecord(checked) || listed !== null
        ? {
            structural_risks: risks.reply,
            final_validation: {
              resolved_risks: readWords(from.resolved_risks),
              remaining_risks: readWords(from.remaining_risks),
              final_consistency_score: readConfidence(from.final_consistency_score, 0),
            },
          }
        : null,
  };
}
