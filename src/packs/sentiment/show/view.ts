import type { Cell, Section } from "../../../contract/view.ts";
import type { Polarity } from "../schemas/stage1.ts";
import type { FinalOutput } from "../schemas/final-output.ts";
import { summariseDebate } from "./debate-lines.ts";
import { findMarks, toneOf } from "./evidence-marks.ts";
import { type Done, showVerdict } from "./report.ts";
import { explainAdoption, listGateSteps, listModeratorSteps, listSettleSteps, type Step } from "./rule-steps.ts";

/** What exports and the viewer show of a decision. */
export function view({ result }: Done): Section[] {
  const { decision } = result;
  if (!decision) return [{ kind: "text", title: "No decision", text: result.reasons.join("\n") }];
  const { final_result, meta, debate } = decision;
  const { label } = final_result;
  const steps = (title: string, list: Step[]): Section[] =>
    list.length === 0 ? [] : [{ kind: "steps", title, steps: list }];
  return [
    showVerdict(decision, result),
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
    { kind: "highlight", title: "Text", lead: true, text: meta.text, marks: findMarks(decision) },
    tabulateAspects(decision),
    ...(debate === null ? [] : listDebate(debate)),
    ...steps("Override gate", listGateSteps(decision)),
    ...steps("Settling", listSettleSteps(decision)),
    ...steps("Adoption", [explainAdoption(decision)]),
    ...steps("Moderator", listModeratorSteps(decision)),
  ];
}

/** Each aspect before and after: what Stage 1 said, what was decided, on which words and why. */
function tabulateAspects({ final_result, settlements, override_gate }: FinalOutput): Section {
  const { stage1_tuples, final_aspects } = final_result;
  const aspects = [...new Set([...stage1_tuples, ...final_aspects].map(({ aspect_ref }) => aspect_ref))];
  const explain = (aspect: string) => {
    const gated = override_gate.find((one) => one.aspect === aspect);
    const settled = settlements.find((one) => one.aspect === aspect)?.reason;
    return (settled ?? gated?.skip_reason ?? gated?.override_action ?? "").replaceAll("_", " ");
  };
  return {
    kind: "table",
    title: "Before and after the debate",
    lead: true,
    columns: ["aspect", "Stage 1", "final", { name: "sure", numeric: true }, "evidence", "why"],
    rows: aspects.map((aspect) => {
      const before = stage1_tuples.find(({ aspect_ref }) => aspect_ref === aspect);
      const after = final_aspects.find(({ aspect_ref }) => aspect_ref === aspect);
      return [
        aspect || "(implicit)",
        showPolarity(before?.polarity),
        showPolarity(after?.polarity),
        after?.confidence.toFixed(2) ?? "",
        after?.opinion_term?.term ?? after?.evidence ?? "",
        explain(aspect),
      ];
    }),
  };
}

function showPolarity(polarity: Polarity | undefined): Cell {
  return polarity ? { text: polarity, tone: toneOf(polarity) } : { text: "none", tone: "neutral" };
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
