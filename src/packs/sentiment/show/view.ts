import type { Section } from "../../../contract/view.ts";
import { summariseDebate } from "./debate-lines.ts";
import { findMarks, toneOf } from "./evidence-marks.ts";
import type { Done } from "./report.ts";
import { explainAdoption, listGateSteps, listModeratorSteps, listSettleSteps, type Step } from "./rule-steps.ts";

/** What exports and the viewer show of a decision. */
export function view({ result }: Done): Section[] {
  const { decision } = result;
  if (!decision) return [{ kind: "text", title: "No decision", text: result.reasons.join("\n") }];
  const { final_result, meta, debate } = decision;
  const { label } = final_result;
  const rows = final_result.final_aspects.map((one) => [
    one.aspect_ref || "(implicit)",
    one.polarity,
    one.confidence.toFixed(2),
    one.opinion_term?.term ?? one.evidence,
  ]);
  const steps = (title: string, list: Step[]): Section[] =>
    list.length === 0 ? [] : [{ kind: "steps", title, steps: list }];
  return [
    {
      kind: "facts",
      title: "Sentence",
      rows: [
        { label: "label", value: label, tone: label === "mixed" ? "warn" : toneOf(label) },
        { label: "confidence", value: final_result.confidence.toFixed(2) },
        { label: "language", value: meta.language_code },
        { label: "result", value: `${meta.adopt_decision.replace("_", " ")}: ${meta.adopt_reason}` },
        { label: "mentioned without an opinion", value: final_result.mentions.join(", ") || "nothing" },
      ],
    },
    { kind: "highlight", title: "Text", text: meta.text, marks: findMarks(decision) },
    { kind: "table", title: "Tuples", columns: ["aspect", "polarity", "confidence", "evidence"], rows },
    ...(debate === null ? [] : listDebate(debate)),
    ...steps("Override gate", listGateSteps(decision)),
    ...steps("Settling", listSettleSteps(decision)),
    ...steps("Adoption", [explainAdoption(decision)]),
    ...steps("Moderator", listModeratorSteps(decision)),
  ];
}

function listDebate(debate: Parameters<typeof summariseDebate>[0]): Section[] {
  const turns = summariseDebate(debate);
  return [...new Set(turns.map((turn) => turn.round))].map((round): Section => {
    const own = turns.filter((turn) => turn.round === round);
    return {
      kind: "cards",
      title: own[0]?.key === "judge" ? "Judge" : `Round ${round}`,
      cards: own.map((turn) => ({ id: `${round}/${turn.key}`, title: turn.speaker, body: turn.lines.join("\n") })),
    };
  });
}
