import type { Section } from "../../../contract/view.ts";
import type { Finished } from "../../../engine/pack.ts";
import type { FinalOutput } from "../schemas/final-output.ts";
import { summariseDebate } from "./debate-lines.ts";
import { findMarks, toneOf } from "./evidence-marks.ts";
import { explainAdoption, listGateSteps, listModeratorSteps, listSettleSteps } from "./rule-steps.ts";
import { formatSpend } from "../../../text/spend-text.ts";

/** What is shown of a run: its result. */
export type Done = Pick<Finished<unknown, unknown, FinalOutput>, "result">;

/** What a terminal shows: the label, the text with its evidence underlined, the tuples, the debate in brief, each rule with its numbers. */
export function report({ result }: Done): Section[] {
  const { decision } = result;
  if (!decision)
    return [
      { kind: "verdict", title: "", answer: `No decision (${result.outcome})`, tone: "warn", points: result.reasons },
    ];
  return [
    showVerdict(decision, result, []),
    { kind: "highlight", title: "", text: decision.meta.text, marks: findMarks(decision) },
    showTuples(decision),
    showDebate(decision),
    { kind: "steps", title: "Override gate", steps: listGateSteps(decision).map(dropNumbers) },
    { kind: "steps", title: "Settling", steps: listSettleSteps(decision) },
    { kind: "steps", title: "Result", steps: [dropNumbers(explainAdoption(decision))] },
    { kind: "steps", title: "Moderator", steps: listModeratorSteps(decision) },
    { kind: "text", title: "Cost", text: writeCost(result) },
  ];
}

/** A step whose detail says its numbers already. */
function dropNumbers<S extends { numbers?: unknown; limits?: unknown }>({
  numbers: _numbers,
  limits: _limits,
  ...step
}: S): Omit<S, "numbers" | "limits"> {
  return step;
}

/** The label, how sure it is, and in the viewer which aspects carry it and whether the debate changed anything. */
export function showVerdict(decision: FinalOutput, result: Done["result"], points = tellWhy(decision)): Section {
  const { label, confidence } = decision.final_result;
  const isDecided = result.outcome === "decided";
  return {
    kind: "verdict",
    title: "",
    answer: isDecided ? label : `${label} (${result.outcome})`,
    tone: label === "mixed" ? "warn" : toneOf(label),
    confidence,
    points: isDecided ? points : [...result.reasons, ...points],
  };
}

function tellWhy({ final_result: { final_aspects }, meta, debate }: FinalOutput): string[] {
  const byPolarity = Map.groupBy(final_aspects, ({ polarity }) => polarity);
  const said = [...byPolarity].map(
    ([polarity, own]) => `${polarity}: ${own.map(({ aspect_ref }) => aspect_ref || "(implicit)").join(", ")}`,
  );
  const reason = meta.adopt_reason.replaceAll("_", " ");
  const moved = meta.adopt_decision === "adopted" ? `The debate changed it: ${reason}.` : `Stage 1 stands: ${reason}.`;
  return [...(said.length > 0 ? [said.join("; ")] : []), ...(debate === null ? [] : [moved])];
}

function showTuples({ final_result: { final_aspects, mentions } }: FinalOutput): Section {
  const note = mentions.length === 0 ? {} : { note: `mentioned without an opinion: ${mentions.join(", ")}` };
  if (final_aspects.length === 0) return { kind: "text", title: "", text: "no opinion on any aspect", ...note };
  return {
    kind: "table",
    title: "",
    columns: ["aspect", "polarity", { name: "sure", numeric: true }, "evidence"],
    rows: final_aspects.map((one) => {
      const words = one.opinion_term?.term ?? one.evidence.trim();
      return [
        one.aspect_ref || "(implicit)",
        { text: one.polarity, tone: toneOf(one.polarity) },
        one.confidence.toFixed(2),
        words === "" ? "" : `“${words}”`,
      ];
    }),
    ...note,
  };
}

function showDebate({ debate }: FinalOutput): Section {
  if (debate === null) return { kind: "lines", title: "Debate", lines: [] };
  const several = debate.rounds.length > 1;
  const separator = debate.style === "patch" ? " · " : " ";
  const { injected, injected_before } = debate.memory;
  return {
    kind: "lines",
    title: `Debate (${debate.style})`,
    ...(injected_before.length > 0 && {
      note: `memory of ${injected.length} episodes shown before ${injected_before.join(", ")}`,
    }),
    lines: summariseDebate(debate).map(({ speaker, round, key, lines }) => ({
      ref: several && key !== "judge" ? `${speaker} ${round}` : speaker,
      text: lines.join(separator),
    })),
  };
}

function writeCost({ usage, spend, quorum }: Done["result"]): string {
  const used = usage.inputTokens + usage.outputTokens;
  const paid = formatSpend({ ...spend, used, cached: usage.cachedTokens });
  const quiet = quorum.abstained > 0 ? `, ${quorum.abstained} abstained` : "";
  return `${quorum.asked} turns${quiet} · ${paid}`;
}
