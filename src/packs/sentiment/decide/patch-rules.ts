/** The rules of a patch debate: moves, gate and settling, in one place because they lean on each other (sections 6 and 6a). */
import type { SentimentConfig } from "../config/config.ts";
import type { Thresholds } from "../config/profiles.ts";
import { voteOf } from "../debate/ground-edits.ts";
import { type GateOutcome, overrideGate } from "../gate/override-gate.ts";
import { memoryAdvisesAgainst } from "../memory/memory-advice.ts";
import type { WorkingList } from "../review/working-list.ts";
import type { CaseTurns } from "../schemas/case-turns.ts";
import type { PatchSummary, PatchTurn } from "../schemas/debate.ts";
import type { PatchDebate } from "../schemas/debate-output.ts";
import type { Settlement } from "../schemas/outcome.ts";
import type { Polarity, Sentiment } from "../schemas/stage1.ts";
import type { ReviewContext } from "../schemas/stage2.ts";
import { additionRule } from "../settle/additions.ts";
import { type JudgeWords, judgeWords } from "../settle/judge-word.ts";
import { confirmedMoves, type Move, moveSentiments } from "../settle/moves.ts";
import { settleSummary } from "../settle/settle-summary.ts";
import { type Stated, stated } from "../stage1/missing.ts";
import { isEvaluative } from "../stage1/neutral-policy.ts";
import type { AspectMatcher } from "../text/aspect-matcher.ts";
import { languageOf } from "../text/detect-language.ts";
import { ownValue } from "../text/own-value.ts";

/** What a patch debate comes to. */
export type PatchOutcome = {
  gate: GateOutcome | null;
  moves: Move[];
  judge: JudgeWords;
  settled: Stated[];
  settlements: Settlement[];
  dropped: string[];
  /** The reviewed list after moves and override. */
  patched: Sentiment[];
};

const silentJudge: PatchSummary = {
  final_patch: [],
  final_tuples: [],
  unresolved_conflicts: [],
  sentence_polarity: null,
  sentence_evidence_spans: [],
  aspect_evidence: {},
  rationale: null,
};

export function patchRules(input: {
  turns: CaseTurns;
  debate: PatchDebate;
  context: ReviewContext;
  reviewed: WorkingList;
  matcher: AspectMatcher;
  config: SentimentConfig;
}): PatchOutcome {
  const { turns, debate, context, matcher, config } = input;
  const summary = debate.summary ?? silentJudge;
  const spoken = debate.rounds.flatMap((round) => round.turns);
  const moves = confirmedMoves(summary, spoken, matcher);
  const stage1 = moveSentiments(turns.stage1.aspect_sentiments, moves);
  const reviewed = moveSentiments(input.reviewed.sentiments, moves);
  const judge = judgeWords(summary);
  const language = languageOf(turns.language_code);
  const addition = additionRule({
    turns: spoken,
    moves,
    minSpeakers: config.settle.min_speakers,
    stage1FoundNothing: !stated(stage1).some((sentiment) => isEvaluative(turns.text, sentiment, language)),
  });
  const isRated = (aspect: string) => stated(stage1).some((sentiment) => sentiment.aspect_ref === aspect);
  const gate = config.enable_debate_override
    ? overrideGate({
        text: turns.text,
        text_id: turns.text_id,
        sentiments: reviewed,
        risks: turns.stage1.validator?.structural_risks ?? [],
        review_context: context,
        thresholds: thresholdsOf(config),
        memoryAdvisesAgainst: memoryAdvisesAgainst(debate.memory.injected, matcher),
        acceptsAddition: (aspect, polarity) =>
          judge.word(aspect) === polarity &&
          !judge.drops(aspect) &&
          (isRated(aspect) || addition(aspect, polarity) !== null),
      })
    : null;
  const settled = settleSummary({
    text: turns.text,
    judge,
    sentiments: stage1,
    addition,
    gate: (aspect) => gateWord(gate, aspect),
    reviewed: (aspect) => onlyPolarity(reviewed, aspect),
    create: (aspect, polarity) => ({
      aspect_ref: aspect,
      polarity,
      opinion_term: null,
      evidence: evidenceOf(turns.text, aspect, summary),
      confidence: statedConfidence(spoken, aspect, polarity) ?? config.debate_override.min_target_conf,
      polarity_distribution: null,
      is_implicit: aspect === "",
    }),
  });
  const { sentiments, ...rest } = settled;
  return { gate, moves, judge, settled: sentiments, ...rest, patched: gate?.sentiments ?? reviewed };
}

/** The thresholds without the profile's name. */
export function thresholdsOf({ debate_override }: SentimentConfig): Thresholds {
  const { min_total, min_margin, min_target_conf, ev_threshold, l3_conservative } = debate_override;
  return { min_total, min_margin, min_target_conf, ev_threshold, l3_conservative };
}

function gateWord(gate: GateOutcome | null, aspect: string): { applied: Polarity | null; skipped: string } {
  const record = gate?.records.find((one) => one.aspect === aspect);
  const applied = gate?.applied?.aspect === aspect ? gate.applied.polarity : null;
  return { applied, skipped: record?.skip_reason ?? (gate === null ? "override_disabled" : "low_signal") };
}

function onlyPolarity(list: readonly Sentiment[], aspect: string): Polarity | null {
  const own = stated(list).filter((sentiment) => sentiment.aspect_ref === aspect);
  const found = [...new Set(own.map((sentiment) => sentiment.polarity))];
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** The evidence of an addition: words given for this aspect, or a sentence span that names it. */
function evidenceOf(text: string, aspect: string, summary: PatchSummary): string {
  const own = ownValue(summary.aspect_evidence, aspect);
  const spans = own === undefined ? summary.sentence_evidence_spans.filter((span) => span.includes(aspect)) : [own];
  return spans.find((span) => text.includes(span)) ?? "";
}

/** The mean confidence of the edits behind a polarity; null when none states one. */
function statedConfidence(turns: readonly PatchTurn[], aspect: string, polarity: Polarity): number | null {
  const values = turns
    .flatMap((turn) => turn.proposed_edits)
    .filter((edit) => edit.target.aspect_ref === aspect && voteOf(edit).polarity === polarity)
    .flatMap((edit) => edit.confidence ?? []);
  return values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length;
}
