/** Reads turns recorded elsewhere (docs/sentiment-decide.md): unusable parts are struck and counted, nothing throws. */
import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import { sha256 } from "../../engine/hash.ts";
import { explainIssues, formatPath } from "../../text/explain-issues.ts";
import { isRecord } from "../../text/json.ts";
import { personasOf, type SentimentConfig, SentimentConfigSchema } from "./config/config.ts";
import { decideCase, type FinalOutput } from "./decision.ts";
import { prepare } from "./prepare.ts";
import { defaultPersonas } from "./prompts/read-prompts.ts";
import {
  type Grounded,
  groundAspects,
  groundEdits,
  groundJudge,
  groundRisks,
  groundSentiments,
  groundValidator,
  type Strike,
  toSummary,
} from "./roles/ground.ts";
import { matchStage1 } from "./rules/matcher.ts";
import { canonicalisePolarity, listPolarities } from "./rules/tuples.ts";
import {
  type DebateOutput,
  EditSchema,
  EditTargetSchema,
  noMemory,
  PatchJudgeReplySchema,
  type Persona,
  StanceSummarySchema,
  StanceTurnReplySchema,
  type Style,
  type TurnStrike,
} from "./schemas/debate.ts";
import type { CaseTurns } from "./schemas/inputs.ts";
import { type Material, MaterialSchema } from "./schemas/material.ts";
import {
  AspectSchema,
  CorrectionProposalSchema,
  SentimentReplySchema,
  type Stage1,
  StructuralRiskSchema,
} from "./schemas/stage1.ts";
import { AspectReviewSchema, FinalValidationSchema, SentimentReviewSchema, type Stage2 } from "./schemas/stage2.ts";

type Raw = Record<string, unknown>;

type Reading = { material: Material; note(speaker: string, strikes: readonly Strike[], round?: number): void };

export function readTurns(
  recorded: { stage1: unknown; debate?: unknown; stage2?: unknown },
  material: Material,
  config: SentimentConfig,
): Pick<CaseTurns, "stage1" | "debate" | "stage2" | "strikes"> {
  const strikes: TurnStrike[] = [];
  const note: Reading["note"] = (speaker, list, round = 0) =>
    void strikes.push(...list.map(({ code, what }) => ({ speaker, round, code, what })));
  const reading = { material, note };
  const stage1 = readStage1(mergeStage(recorded.stage1, "stage1") ?? {}, reading);
  const debate = readDebate(recorded.debate, stage1, config, reading);
  const reviews = mergeStage(recorded.stage2, "stage2");
  return { stage1, debate, stage2: reviews && readStage2(reviews, stage1, reading), strikes };
}

function mergeStage(value: unknown, stage: string): Raw | null {
  const entries = listEntries(value);
  if (entries === null) return isRecord(value) ? value : null;
  const own = entries.filter((entry) => entry.stage === stage).map(({ output }) => output);
  return own.length === 0 ? null : Object.assign({}, ...own.filter(isRecord));
}

/** The entries of a trace, also under `process_trace`; null if it is none. */
function listEntries(value: unknown): Raw[] | null {
  const trace = isRecord(value) ? value.process_trace : value;
  return Array.isArray(trace) ? trace.filter(isRecord) : null;
}

function listRecords(value: unknown): Raw[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function readWord(value: unknown): string {
  if (isRecord(value)) return readWord(value.term);
  return typeof value === "string" ? value.trim() : "";
}

function readRef(item: Raw): string {
  return readWord(item.aspect_ref) || readWord(item.aspect_term);
}

function readItems<T>(
  { note }: Reading,
  [speaker, schema]: [string, z.ZodType<T>],
  value: unknown,
  defaults: Raw = {},
): T[] {
  return listRecords(value).flatMap((item) => {
    const given = Object.entries(item).filter(([key, own]) => own != null || (own === null && !(key in defaults)));
    const filled: Raw = { ...defaults, ...Object.fromEntries(given) };
    const isAimed = "aspect_ref" in item || "aspect_term" in item;
    const parsed = schema.safeParse(isAimed ? { ...filled, aspect_ref: readRef(item) } : filled);
    if (parsed.success) return [parsed.data];
    note(speaker, [{ code: "unreadable", what: parsed.error.issues[0]?.path.join(".") ?? "" }]);
    return [];
  });
}

const unstated = 0.5;
const share = z.number().min(0).max(1).catch(0);

function readStage1(raw: Raw, reading: Reading): Stage1 {
  const { material } = reading;
  const keep = <O>(speaker: string, { reply, strikes }: Grounded<O>): O => {
    reading.note(speaker, strikes);
    return reply;
  };
  const named = { span: { start: 0, end: 0 }, rationale: "", confidence: unstated };
  const found = readItems(reading, ["ate", AspectSchema], raw.aspects, named);
  const { aspects } = keep("ate", groundAspects({ aspects: found }, { material }));
  const rated = { evidence: "", is_implicit: false, confidence: unstated };
  const [filled, said] = partition(listRecords(raw.aspect_sentiments), (item) => isFilledIn(item, material.text));
  keep("atsa", { reply: null, strikes: strikeAll(filled, "backfilled_neutral_read_as_missing") });
  const sentiments = readItems(reading, ["atsa", SentimentReplySchema], said, rated);
  const atsa = groundSentiments({ aspect_sentiments: sentiments }, { material, aspects });
  const { aspect_sentiments } = keep("atsa", atsa);
  if (raw.structural_risks === undefined && raw.correction_proposals === undefined)
    return { aspects, aspect_sentiments, validator: null };
  const open = { rationale: "", target_aspect: "" };
  const checked = {
    structural_risks: readRisks(raw, reading),
    consistency_score: share.parse(raw.consistency_score),
    correction_proposals: readItems(reading, ["validator", CorrectionProposalSchema], raw.correction_proposals, open),
  };
  const validator = keep("validator", groundValidator(checked, { material, aspects, aspect_sentiments }));
  return { aspects, aspect_sentiments, validator };
}

function readRisks(raw: Raw, reading: Reading) {
  const scope = { start: 0, end: reading.material.text.length };
  const defaults = { scope, severity: "medium", description: "" };
  return readItems(reading, ["validator", StructuralRiskSchema], raw.structural_risks, defaults);
}

function isFilledIn({ polarity, is_backfilled, confidence, evidence }: Raw, text: string): boolean {
  const isWhole = confidence === unstated && readWord(evidence) === text.trim();
  return canonicalisePolarity(polarity) === "neutral" && (is_backfilled === true || isWhole);
}

function partition<T>(list: readonly T[], test: (one: T) => boolean): [T[], T[]] {
  return [list.filter(test), list.filter((one) => !test(one))];
}

function strikeAll(items: readonly unknown[], code: string): Strike[] {
  return items.map(() => ({ code, what: "" }));
}

function readDebate(raw: unknown, stage1: Stage1, config: SentimentConfig, reading: Reading): DebateOutput | null {
  const { material, note } = reading;
  const { turns, summary } = cutDebate(raw);
  if (turns.length === 0 && summary === null) return null;
  const isPatch = turns.some(({ turn }) => turn.proposed_edits !== undefined) || summary?.final_tuples !== undefined;
  const style: Style = isPatch ? "patch" : "stance";
  const language = material.language_code;
  const personas = config.debate.style === style ? personasOf(config, language) : defaultPersonas[language][style];
  const shared = { topic: material.text, personas, memory: noMemory };
  const spoken = turns.map(({ turn, round }) => {
    const { speaker, persona } = findSpeaker(turn, personas);
    return { turn, persona, by: { speaker, agent: persona.name, round, by_program: turn.by_program === true } };
  });
  if (style === "stance") {
    const silent = { planning: "", reflection: "", message: "", key_points: [] };
    const speeches = spoken.flatMap(({ turn, persona, by }) =>
      readItems(reading, [by.speaker, StanceTurnReplySchema], [turn], silent).map((said) => {
        return { ...said, ...by, stance: persona.stance ?? said.stance ?? "neutral" };
      }),
    );
    const empty = { key_agreements: [], key_disagreements: [], rationale: "" };
    const [concluded] = readItems(reading, ["judge", StanceSummarySchema], [summary], empty);
    return { ...shared, style, rounds: byRound(speeches), summary: concluded ?? null };
  }
  const matcher = matchStage1(material, stage1);
  const edited = spoken.map(({ turn, by }, at) => {
    const isCopied = copiesAnother(spoken, at);
    const edits = isCopied ? [] : readEdits(reading, by.speaker, turn.proposed_edits, stage1);
    const { kept, strikes } = groundEdits("proposed_edits", edits, material, matcher);
    note(by.speaker, isCopied ? strikeAll([turn], "reply_of_another") : strikes, by.round);
    return { ...by, proposed_edits: kept };
  });
  const rounds = byRound(edited);
  const judge = summary && readJudge(summary, stage1, reading);
  const [judged] = readItems(reading, ["judge", PatchJudgeReplySchema], [judge]);
  const grounded = judged && groundJudge(judged, { material, stage1 });
  note("judge", grounded?.strikes ?? [], rounds.length + 1);
  return { ...shared, style, rounds, summary: grounded ? toSummary(grounded.reply) : null };
}

function cutDebate(raw: unknown): { turns: { turn: Raw; round: number }[]; summary: Raw | null } {
  const entries = listEntries(raw);
  if (entries !== null) {
    const turns = entries.filter(({ stage }) => stage === "debate").map(({ output }) => output);
    return cutDebate({ turns, summary: entries.find(({ stage }) => stage === "debate_judge")?.output });
  }
  const part = isRecord(raw) ? raw : {};
  const lists = Array.isArray(part.rounds) ? listRecords(part.rounds).map((round) => round.turns) : [part.turns];
  const turns = lists.flatMap((list, at) =>
    listRecords(list).map((turn) => ({ turn, round: typeof turn.round === "number" ? turn.round : at + 1 })),
  );
  return { turns, summary: isRecord(part.summary) ? part.summary : null };
}

function byRound<T extends { round: number }>(spoken: readonly T[]): { round: number; turns: T[] }[] {
  const rounds = [...Map.groupBy(spoken, ({ round }) => round)].toSorted(([a], [b]) => a - b);
  return rounds.map(([round, turns]) => ({ round, turns }));
}

function findSpeaker(turn: Raw, personas: Record<string, Persona>): { speaker: string; persona: Persona } {
  const name = readWord(turn.speaker) || readWord(turn.agent) || "unknown";
  const plain = name.toLowerCase();
  const key = Object.keys(personas).find((own) => own === plain || personas[own]?.name.toLowerCase() === plain);
  return { speaker: key ?? plain, persona: (key && personas[key]) || { name, role: "", goal: "" } };
}

function copiesAnother(spoken: readonly { turn: Raw; by: { speaker: string; agent: string } }[], at: number): boolean {
  const one = spoken[at];
  const signed = readWord(one?.turn.agent).toLowerCase();
  if (!one || signed === "" || signed === one.by.speaker || signed === one.by.agent.toLowerCase()) return false;
  const words = JSON.stringify(one.turn.proposed_edits);
  return spoken.slice(0, at).some(({ turn }) => JSON.stringify(turn.proposed_edits) === words);
}

function readEdits(reading: Reading, speaker: string, value: unknown, stage1: Stage1) {
  const items = listRecords(value).map((item) => {
    const given = isRecord(item.target) ? item.target : { aspect_ref: item.target };
    const target = { polarity: null, ...given, aspect_ref: readRef(given) };
    const there = listPolarities(stage1.aspect_sentiments, target.aspect_ref);
    const isOpen = item.op === "confirm_tuple" && !target.polarity && !item.value && there.length === 1;
    return { ...item, target: isOpen ? { ...target, polarity: there[0] } : target };
  });
  return readItems(reading, [speaker, EditSchema], items);
}

function readJudge(raw: Raw, stage1: Stage1, reading: Reading): Raw {
  const final_tuples = readItems(reading, ["judge", EditTargetSchema], raw.final_tuples);
  const confirmed = final_tuples.map((target) => ({ op: "confirm_tuple", target, value: null }));
  const evidence = isRecord(raw.aspect_evidence) ? Object.entries(raw.aspect_evidence) : [];
  const listWords = (value: unknown) => (Array.isArray(value) ? value.map(readWord).filter(Boolean) : []);
  return {
    sentence_evidence_spans: listWords(raw.sentence_evidence_spans),
    aspect_evidence: evidence.map(([aspect, span]) => ({ aspect, span: readWord(span) })),
    unresolved_conflicts: listWords(raw.unresolved_conflicts),
    rationale: readWord(raw.rationale) || null,
    final_patch: Array.isArray(raw.final_patch) ? readEdits(reading, "judge", raw.final_patch, stage1) : confirmed,
    final_tuples,
    sentence_polarity: readWord(raw.sentence_polarity) || null,
  };
}

const actions: Record<string, string> = { remove: "drop", revise: "revise_span", flip: "flip_polarity" };

function readStage2(raw: Raw, stage1: Stage1, reading: Reading): Stage2 {
  const { material, note } = reading;
  const hasImplicit = stage1.aspect_sentiments.some((one) => one.aspect_ref === "");
  const keepAimed = (value: unknown) => {
    const all = listRecords(value).map((item) => ({ ...item, action: actions[readWord(item.action)] ?? item.action }));
    const [aimed, others] = partition<Raw>(all, (item) => hasImplicit || (readWord(item.term) || readRef(item)) !== "");
    note("stage2", strikeAll(others, "review_without_target"));
    return aimed;
  };
  const unsaid = { reason: "" };
  const checked = { resolved_risks: [], remaining_risks: [], final_consistency_score: 0 };
  const [final_validation] = readItems(reading, ["validator", FinalValidationSchema], [raw.final_validation], checked);
  const risks = groundRisks({ structural_risks: readRisks(raw, reading) }, { material });
  return {
    aspect_review: readItems(reading, ["stage2", AspectReviewSchema], keepAimed(raw.aspect_review), unsaid),
    sentiment_review: readItems(reading, ["stage2", SentimentReviewSchema], keepAimed(raw.sentiment_review), unsaid),
    validator: final_validation ? { ...risks.reply, final_validation } : null,
  };
}

export type RecordedCase = {
  text: string;
  text_id?: string;
  language_code?: string | null;
  material?: unknown;
  stage1: unknown;
  debate?: unknown;
  stage2?: unknown;
  config?: unknown;
};

/** Decides recorded turns by rules alone; unusable parts are struck and counted. */
export function decide(recorded: RecordedCase): FinalOutput {
  const { text } = recorded;
  if (typeof text !== "string" || text.trim() === "")
    throw new ParleyError("bad_input", "decide needs the text that the turns are about, as a non-empty string");
  const config = parseConfig(recorded.config);
  const given = MaterialSchema.safeParse(recorded.material);
  const material: Material = given.success
    ? given.data
    : prepare({ text, language_code: recorded.language_code }, config);
  const turns = readTurns(recorded, material, config);
  const text_id = recorded.text_id ?? sha256(text).slice(0, 12);
  return decideCase({ text_id, source: text, material, ...turns }, config);
}

function parseConfig(value: unknown): SentimentConfig {
  const parsed = SentimentConfigSchema.safeParse(value ?? {}, { reportInput: true });
  if (parsed.success) return parsed.data;
  const issues = explainIssues(SentimentConfigSchema, parsed.error).map(
    ({ path, message }) => `${formatPath(path)}: ${message}`,
  );
  throw new ParleyError("bad_config", `config of the sentiment pack: ${issues.join("; ")}`);
}
