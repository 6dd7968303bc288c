import { type Criterion, criteria, type LabelScore, rubric, type Subscores } from "../schemas/judgement.ts";
import type { AnonymousHypothesis } from "../rules/anonymise.ts";
import type { Trouble } from "./judging/trouble.ts";
import type { Support } from "./judging/weigh-hypothesis.ts";

type Remarks = Pick<LabelScore, "strengths" | "weaknesses" | "feedback">;

/** What to say of a hypothesis: from the same facts as its points. */
export function remarkOn(hypothesis: AnonymousHypothesis, support: Support, subscores: Subscores): Remarks {
  const share = (criterion: Criterion) => subscores[criterion] / rubric[criterion];
  const strengths = criteria.filter((criterion) => share(criterion) >= 0.8).map((criterion) => praise[criterion]);
  const weaknesses = criteria
    .filter((criterion) => share(criterion) < 0.8)
    .map((criterion) => blame[criterion](hypothesis, support));
  const feedback = weaknesses.length === 0 ? "Keep it as it is." : weaknesses.join(" ");
  return { strengths, weaknesses, feedback };
}

const praise: Record<Criterion, string> = {
  evidence_quality: "The cited lines exist and show what is claimed.",
  reasoning_strength: "The cause comes first and leads to the errors.",
  confidence_calibration: "The confidence fits the evidence.",
  completeness: "It explains most of the trouble and says what to do.",
  consistency: "Nothing in the logs contradicts it.",
};

const blame: Record<Criterion, (hypothesis: AnonymousHypothesis, support: Support) => string> = {
  evidence_quality: ({ evidence }, { shown }) =>
    shown.length === 0
      ? "None of the cited lines shows trouble of this kind; cite lines that do."
      : `Only ${evidence.length} pieces of evidence, of ${shown.length} kinds; cite more of what speaks for it.`,
  reasoning_strength: (_hypothesis, { support }) =>
    support < 0.4
      ? "The log gives little support for this cause."
      : "Say how the cause leads to the errors, and what came first.",
  confidence_calibration: ({ confidence }, { support }) =>
    `Confidence ${confidence} is ${confidence > support ? "above" : "below"} what the evidence carries (about ${Math.round(support * 100) / 100}).`,
  completeness: (_hypothesis, { unexplained }) =>
    unexplained ? `It leaves open: ${quoteTrouble(unexplained)}.` : "Name the components and the steps to resolve it.",
  consistency: (_hypothesis, { unexplained }) =>
    unexplained ? `Against it speaks: ${quoteTrouble(unexplained)}.` : "Another explanation fits the logs better.",
};

function quoteTrouble({ places: [place], says, lines }: Trouble): string {
  const [first] = lines;
  return `${place ?? "the log"} ${says}${first ? ` (line ${first.line})` : ""}`;
}
