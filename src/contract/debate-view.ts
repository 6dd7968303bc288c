/** How something that was said stands at the end. */
export type Standing = "stands" | "contested" | "conceded" | "dropped" | "open";

/** Where a speaker stood in a round. `item` names what the position is about when a case has several. */
export type PositionView = {
  round: number;
  role: string;
  item?: string;
  answer: string;
  /** The turn in which it was said. */
  turn: string;
  /** The turn that it answers, when the position changed. */
  because?: string;
  right?: boolean;
};

/** A piece of evidence as it was used; a struck one was cited but not found. */
export type EvidenceUse = { source: string; quote?: string; start?: number; end?: number; struck?: boolean };

/** One thing that was said: a claim, a critique, a reply to one, a hypothesis, an edit, an answer. */
export type Move = {
  id: string;
  turn: string;
  round: number;
  role: string;
  kind: "answer" | "claim" | "critique" | "reply" | "hypothesis" | "edit" | "judgement";
  text: string;
  /** What it answers or is about. */
  on?: string;
  standing: Standing;
  /** A word beside it: a severity, a polarity, accepted or rejected. */
  tag?: string;
  score?: number;
  evidence: EvidenceUse[];
};

/** A text that was quoted: the case's own, a document, a log, an item of the knowledge. */
export type SourceView = { id: string; title: string; text: string; lang?: string; kind: "text" | "log" | "item" };

/** A number that a rule compared with a limit; `setting` names the setting that the limit comes from. */
export type RuleStepView = {
  rule: string;
  about: string;
  outcome: string;
  passed: boolean | null;
  number?: number;
  limit?: number;
  setting?: string;
  range?: [number, number];
};

/** A debate as a reader follows it: who stood where, who answered whom, on which evidence, which rule decided. */
export type DebateView = {
  lang?: string;
  speakers: { role: string; name: string }[];
  positions: PositionView[];
  moves: Move[];
  sources: SourceView[];
  rules: RuleStepView[];
};
