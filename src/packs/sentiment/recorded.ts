/** Reads turns that were recorded elsewhere (docs/sentiment-decide.md): what cannot be used is struck and counted, nothing throws. */
import { isRecord } from "../../text/is-record.ts";
import { personasOf, type SentimentConfig } from "./config/config.ts";
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
import { matchStage1 } from "./rules/matcher.ts";
import { findTerm, isInside } from "./rules/text.ts";
import { canonicalisePolarity, listPolarities } from "./rules/tuples.ts";
import {
  type DebateOutput,
  type Edit,
  noMemory,
  type PatchTurn,
  type Persona,
  type StanceTurn,
  type Style,
  type TurnStrike,
} from "./schemas/debate.ts";
import type { CaseTurns } from "./schemas/inputs.ts";
import type { Material } from "./schemas/material.ts";
import {
  PolarityDistributionSchema,
  type SentimentReply,
  type Span,
  type Stage1,
  type StructuralRisk,
} from "./schemas/stage1.ts";
import type { Stage2 } from "./schemas/stage2.ts";

type Raw = Record<string, unknown>;
type Note = (speaker: string, round: number, strikes: readonly Strike[]) => void;

export function readTurns(
  recorded: { stage1: unknown; debate?: unknown; stage2?: unknown },
  material: Material,
  config: SentimentConfig,
): Pick<CaseTurns, "stage1" | "debate" | "stage2" | "strikes"> {
  const strikes: TurnStrike[] = [];
  const note: Note = (speaker, round, list) =>
    void strikes.push(...list.map(({ code, what }) => ({ speaker, round, code, what })));
  const stage1 = readStage1(mergeStage(recorded.stage1, "stage1") ?? {}, material, note);
  const debate = readDebate(recorded.debate, { material, stage1 }, config, note);
  const reviews = mergeStage(recorded.stage2, "stage2");
  return { stage1, debate, stage2: reviews && readStage2(reviews, material, stage1, note), strikes };
}

/** What the agents of a stage said, in one object: as it was given, or from the entries `{ stage, agent, output }` of a trace. */
function mergeStage(value: unknown, stage: string): Raw | null {
  const entries = listEntries(value);
  if (entries === null) return isRecord(value) ? value : null;
  const own = entries.filter((entry) => entry.stage === stage).map(({ output }) => output);
  return own.length === 0 ? null : Object.assign({}, ...own.filter(isRecord));
}

/** The entries of a trace, also under `process_trace`; null when it is none. */
function listEntries(value: unknown): Raw[] | null {
  const trace = isRecord(value) ? value.process_trace : value;
  return Array.isArray(trace) ? trace.filter(isRecord) : null;
}

/** A word, also inside `{ term }`; empty when there is none. */
function readWord(value: unknown): string {
  if (isRecord(value)) return readWord(value.term);
  return typeof value === "string" ? value.trim() : "";
}

function readWords(value: unknown): string[] {
  return (Array.isArray(value) ? value : []).map(readWord).filter((word) => word !== "");
}

function listRecords(value: unknown): Raw[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

const unstated = 0.5;

function readShare<T>(value: unknown, missing: T): number | T {
  return typeof value === "number" && Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : missing;
}

function readSpan(value: unknown): Span | null {
  if (!isRecord(value) || typeof value.start !== "number" || typeof value.end !== "number") return null;
  return { start: value.start, end: value.end };
}

/** The aspect that something is about: `aspect_ref`, or `aspect_term` in any form. */
function readRef(value: Raw): string {
  return readWord(value.aspect_ref) || readWord(value.aspect_term);
}

function readStage1(raw: Raw, material: Material, note: Note): Stage1 {
  const { text } = material;
  const said = listRecords(raw.aspect_sentiments).map((item) => readSentiment(item, text));
  const given = listRecords(raw.aspects).map((item) => ({
    term: readWord(item.term),
    span: readSpan(item.span) ?? { start: 0, end: 0 },
    rationale: readWord(item.rationale),
    normalized: readWord(item.normalized) || null,
    syntactic_head: readWord(item.syntactic_head) || null,
    confidence: readShare(item.confidence, unstated),
  }));
  const ate = groundAspects(material, { aspects: given });
  const { aspects } = ate.reply;
  const atsa = groundSentiments({ aspect_sentiments: said.map(({ reply }) => reply) }, { material, aspects });
  const { aspect_sentiments } = atsa.reply;
  const filled = said.filter(({ isFilled }) => isFilled);
  note("ate", 0, ate.strikes);
  note("atsa", 0, [...filled.map(() => ({ code: "backfilled_neutral_read_as_missing", what: "" })), ...atsa.strikes]);
  if (raw.structural_risks === undefined && raw.correction_proposals === undefined)
    return { aspects, aspect_sentiments, validator: null };
  const proposals = listRecords(raw.correction_proposals).map((item) => ({
    target_aspect: readWord(item.target_aspect),
    proposal_type: readWord(item.proposal_type),
    revised_span: readSpan(item.revised_span),
    rationale: readWord(item.rationale),
  }));
  const checked = {
    structural_risks: listRecords(raw.structural_risks).map(readRisk),
    consistency_score: readShare(raw.consistency_score, 0),
    correction_proposals: proposals,
  };
  const validator = groundValidator(checked, { material, aspects, aspect_sentiments });
  note("validator", 0, validator.strikes);
  return { aspects, aspect_sentiments, validator: validator.reply };
}

function readSentiment(item: Raw, text: string): { reply: SentimentReply; isFilled: boolean } {
  const aspect_ref = readRef(item);
  const term = readWord(item.opinion_term);
  const place = isRecord(item.opinion_term) ? readSpan(item.opinion_term.span) : null;
  const evidence = readWord(item.evidence);
  const word = readWord(item.polarity) || null;
  /** A neutral that was only filled in for a missing sentiment is missing. */
  const isFilled =
    canonicalisePolarity(word) === "neutral" &&
    (item.is_backfilled === true || (item.confidence === unstated && evidence === text.trim()));
  const reply = {
    aspect_ref,
    opinion_term: term === "" ? null : { term, span: place ?? findTerm(text, term) ?? { start: 0, end: 0 } },
    evidence,
    is_implicit: aspect_ref === "",
    polarity: isFilled ? null : word,
    polarity_distribution: PolarityDistributionSchema.safeParse(item.polarity_distribution).data ?? null,
    confidence: readShare(item.confidence, unstated),
  };
  return { reply, isFilled };
}

function readRisk(item: Raw): StructuralRisk {
  return {
    type: readWord(item.type),
    scope: readSpan(item.scope) ?? { start: 0, end: 0 },
    severity: readWord(item.severity) || "medium",
    description: readWord(item.description),
  };
}

type About = { material: Material; stage1: Stage1 };
type RawTurn = { turn: Raw; round: number };

function readDebate(raw: unknown, about: About, config: SentimentConfig, note: Note): DebateOutput | null {
  const { material, stage1 } = about;
  const { turns, summary } = cutDebate(raw);
  if (turns.length === 0 && summary === null) return null;
  const isPatch = turns.some(({ turn }) => turn.proposed_edits !== undefined) || summary?.final_tuples !== undefined;
  const style: Style = isPatch ? "patch" : "stance";
  const language = material.language_code;
  const personas = config.debate.style === style ? personasOf(config, language) : defaultPersonas[language][style];
  const shared = { topic: material.text, personas, strikes: [], memory: noMemory };
  const spoken = turns.map((one) => ({ ...one, ...findSpeaker(one.turn, personas) }));
  if (style === "stance") {
    const rounds = byRound(
      spoken.map(
        ({ turn, round, speaker, persona }): StanceTurn => ({
          speaker,
          agent: persona.name,
          round,
          stance: persona.stance ?? (readWord(turn.stance) || "neutral"),
          planning: readWord(turn.planning),
          reflection: readWord(turn.reflection),
          message: readWord(turn.message),
          key_points: readWords(turn.key_points),
          by_program: turn.by_program === true,
        }),
      ),
    );
    const concluded = summary && {
      key_agreements: readWords(summary.key_agreements),
      key_disagreements: readWords(summary.key_disagreements),
      rationale: readWord(summary.rationale),
      winner: readWord(summary.winner) || null,
      consensus: readWord(summary.consensus) || null,
    };
    return { ...shared, style, rounds, summary: concluded };
  }
  const matcher = matchStage1(material, stage1);
  const rounds = byRound(
    spoken.map(({ turn, round, speaker, persona }, at): PatchTurn => {
      const edits = listRecords(turn.proposed_edits).map((item) => readEdit(item, stage1));
      const { kept, strikes } = groundEdits("proposed_edits", edits, material, matcher);
      const isCopied = copiesAnother(spoken, at);
      note(speaker, round, isCopied ? [{ code: "reply_of_another", what: readWord(turn.agent) }] : strikes);
      const proposed_edits = isCopied ? [] : kept;
      return { speaker, agent: persona.name, round, proposed_edits, by_program: turn.by_program === true };
    }),
  );
  if (summary === null) return { ...shared, style, rounds, summary };
  const judged = groundSummary(readJudge(summary, stage1), about);
  note("judge", rounds.length + 1, judged.strikes);
  return { ...shared, style, rounds, summary: judged.summary };
}

/** The turns and the judge's summary: of a trace, under `rounds` or under `turns`. */
function cutDebate(raw: unknown): { turns: RawTurn[]; summary: Raw | null } {
  const entries = listEntries(raw);
  if (entries !== null) {
    const turns = entries.filter(({ stage }) => stage === "debate").map(({ output }) => output);
    const judged = entries.find(({ stage }) => stage === "debate_judge")?.output;
    return cutDebate({ turns, summary: judged });
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

/** Who spoke: a persona by key or name, else somebody of that name. */
function findSpeaker(turn: Raw, personas: Record<string, Persona>): { speaker: string; persona: Persona } {
  const name = readWord(turn.speaker) || readWord(turn.agent) || "unknown";
  const plain = name.toLowerCase();
  const key = Object.keys(personas).find((own) => own === plain || personas[own]?.name.toLowerCase() === plain);
  return { speaker: key ?? plain, persona: (key && personas[key]) || { name, role: "", goal: "" } };
}

/** True when a reply is signed by another speaker and is word for word that speaker's own: one reply, recorded twice. */
function copiesAnother(spoken: readonly (RawTurn & { speaker: string; persona: Persona })[], at: number): boolean {
  const one = spoken[at];
  const signed = readWord(one?.turn.agent).toLowerCase();
  if (!one || signed === "" || [one.speaker, one.persona.name.toLowerCase()].includes(signed)) return false;
  const words = JSON.stringify(one.turn.proposed_edits);
  return spoken.slice(0, at).some(({ turn }) => JSON.stringify(turn.proposed_edits) === words);
}

/** A confirmation without a polarity confirms the one that Stage 1 gave. */
function readEdit(item: Raw, stage1: Stage1): Edit {
  const target = isRecord(item.target) ? item.target : { aspect_ref: item.target };
  const aspect_ref = readRef(target);
  const op = readWord(item.op);
  const value = readWord(item.value) || null;
  const there = listPolarities(stage1.aspect_sentiments, [aspect_ref]);
  const isOpen = op === "confirm_tuple" && value === null && there.length === 1;
  const polarity = readWord(target.polarity) || (isOpen ? (there[0] ?? null) : null);
  const evidence = readWord(item.evidence) || null;
  return { op, target: { aspect_ref, polarity }, value, evidence, confidence: readShare(item.confidence, null) };
}

/** The judge of a patch debate; one that gives no patch at all confirms its tuples. */
function readJudge(raw: Raw, stage1: Stage1) {
  const final_tuples = listRecords(raw.final_tuples).map((tuple) => ({
    aspect_ref: readRef(tuple),
    polarity: readWord(tuple.polarity) || null,
  }));
  const patch = Array.isArray(raw.final_patch)
    ? listRecords(raw.final_patch).map((item) => readEdit(item, stage1))
    : final_tuples.map((target) => ({ op: "confirm_tuple", target, value: null }));
  const evidence = isRecord(raw.aspect_evidence) ? Object.entries(raw.aspect_evidence) : [];
  return {
    sentence_evidence_spans: readWords(raw.sentence_evidence_spans),
    aspect_evidence: evidence.map(([aspect, span]) => ({ aspect, span: readWord(span) })),
    unresolved_conflicts: readWords(raw.unresolved_conflicts),
    rationale: readWord(raw.rationale) || null,
    final_patch: patch.map(({ op, target, value }) => ({ op, target, value })),
    final_tuples,
    sentence_polarity: readWord(raw.sentence_polarity) || null,
  };
}

const actions: Record<string, string> = { remove: "drop", revise: "revise_span", flip: "flip_polarity" };

function readStage2(raw: Raw, material: Material, stage1: Stage1, note: Note): Stage2 {
  const hasImplicit = stage1.aspect_sentiments.some((one) => one.aspect_ref === "");
  const read = (value: unknown, targetOf: (item: Raw) => string) =>
    listRecords(value).flatMap((item) => {
      const target = targetOf(item);
      if (target === "" && !hasImplicit) {
        note("stage2", 0, [{ code: "review_without_target", what: "" }]);
        return [];
      }
      const word = readWord(item.action);
      const provenance = readWord(item.provenance) || null;
      return [{ item, target, said: { action: actions[word] ?? word, reason: readWord(item.reason), provenance } }];
    });
  const risks = groundRisks(material, listRecords(raw.structural_risks).map(readRisk));
  note("validator", 0, risks.strikes);
  const checked = isRecord(raw.final_validation) ? raw.final_validation : null;
  return {
    aspect_review: read(raw.aspect_review, ({ term }) => readWord(term)).map(({ item, target, said }) => {
      const span = readSpan(item.revised_span);
      return { term: target, ...said, revised_span: span && isInside(material.text, span) ? span : null };
    }),
    sentiment_review: read(raw.sentiment_review, readRef).map(({ item, target, said }) => ({
      aspect_ref: target,
      ...said,
      evidence: readWord(item.evidence) || null,
      revised_polarity: readWord(item.revised_polarity) || null,
    })),
    validator: checked && {
      structural_risks: risks.reply,
      final_validation: {
        resolved_risks: readWords(checked.resolved_risks),
        remaining_risks: readWords(checked.remaining_risks),
        final_consistency_score: readShare(checked.final_consistency_score, 0),
      },
    },
  };
}
