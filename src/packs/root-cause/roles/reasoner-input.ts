import type { Hypothesis, ReasonerName } from "../hypothesis.ts";
import type { Evaluation } from "../judgement.ts";
import type { ParsedLog } from "../logs/parsed-log.ts";
import type { Knowledge } from "../retrieval/retrieve.ts";

/** The incident as it is given to every speaker, in every round: refinement without it would be guessing. */
export type IncidentData = { log: ParsedLog; knowledge: Knowledge | null; logTokens: number };

/** A hypothesis of one's own with what the judge said of it, joined by id. */
export type Reviewed = { hypothesis: Hypothesis; evaluation: Evaluation | null };

/** A hypothesis of another reasoner with its score. */
export type Rival = { hypothesis: Hypothesis; judge_score: number };

/** What a reasoner is given (root-cause §4); `own` and `others` are empty in round 1. */
export type ReasonerInput = {
  reasoner: ReasonerName;
  round: number;
  incident: IncidentData;
  own: Reviewed[];
  others: Rival[];
};
