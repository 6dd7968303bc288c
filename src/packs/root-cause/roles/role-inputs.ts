import type { Material } from "../rules/check-evidence.ts";
import type { AnonymousHypothesis } from "../rules/anonymise.ts";
import type { ToldRound } from "../rules/transcript.ts";
import type { Reviewed, Rival } from "../rules/round.ts";
import type { ReasonerName, SalvagedReply } from "../schemas/hypothesis.ts";
import type { JudgeReply } from "../schemas/judgement.ts";

/** The incident as it is given to every speaker, in every round: refinement without it would be guessing. */
export type IncidentData = Material;

/** What a reasoner is given (root-cause spec §4.2); `own` and `others` are empty in round 1. */
export type ReasonerInput = {
  reasoner: ReasonerName;
  round: number;
  incident: IncidentData;
  own: Reviewed[];
  others: Rival[];
  /** The judged rounds so far. */
  told: ToldRound[];
};

/** What the judge is given: the incident, the rounds it judged, and all hypotheses of this one, in an order shuffled by seed. */
export type JudgeInput = {
  round: number;
  incident: IncidentData;
  told: ToldRound[];
  hypotheses: AnonymousHypothesis[];
};

/** Programs that play the roles offline; null means that a program has no answer and abstains. */
export type RootCauseExperts = Record<ReasonerName, (input: ReasonerInput) => SalvagedReply | null> & {
  judge: (input: JudgeInput) => JudgeReply;
};
