import type { ReportStyle } from "../../../engine/pack.ts";
import { createPaint } from "../../../print/paint.ts";
import type { Round } from "../schemas/decision.ts";
import { countRepeatedSamples, type Done, explainDecision, wordAnswer } from "./answer-text.ts";

/** The report printed in a terminal: the answer, its sources, who stood where, and what the plain vote said. */
export function report(done: Done, style: ReportStyle): string {
  const { input, result } = done;
  const { decision } = result;
  const { bold } = createPaint(style.color);
  if (!decision) return `No answer (${result.outcome}): ${result.reasons.join("; ")}\n`;
  const { judgement, dissent } = decision;
  const shown = countRepeatedSamples(done) > 0 ? 1 : Number.POSITIVE_INFINITY;
  const lines = [
    bold(input.question),
    "",
    `${bold("Answer")}  ${wordAnswer(input, decision, result)}`,
    ...decision.sources.map(({ source, quote }) => `  “${quote}” — ${source}`),
    "",
    `${bold("How")}     ${explainDecision(done, decision)}`,
    ...decision.rounds.flatMap((round) => listRound(round, shown)),
  ];
  if (judgement) lines.push("", `Judge: ${judgement.answer ?? "(no answer)"}`, `    ${judgement.reasoning}`);
  if (dissent.length > 0)
    lines.push(
      "",
      `${bold("Dissent")} ${dissent.map((camp) => `${camp.speakers.join(", ")}: ${camp.answer}`).join(" | ")}`,
    );
  return `${lines.join("\n")}\n`;
}

/** Lists the first speeches of a round. */
function listRound({ round, agreement, speeches }: Round, shown: number): string[] {
  return [
    "",
    `Round ${round} · agreement ${Math.round(agreement * 100)} %`,
    ...speeches
      .slice(0, shown)
      .flatMap(({ speaker, answer, confidence, reasoning }) => [
        `  ${speaker}: ${answer ?? "(no answer)"} [${confidence.toFixed(2)}]`,
        `    ${reasoning}`,
      ]),
  ];
}
