import type { SectionOf } from "../../contract/view.ts";
import { sayName, showHidden } from "../text/words.ts";

type Step = SectionOf<"steps">["steps"][number];

/** Rules in the order in which they fired, each with its outcome, its numbers and how far they were from their threshold. */
export function Steps({ section }: { section: SectionOf<"steps"> }) {
  return (
    <ol className="steps">
      {section.steps.map((step, at) => (
        <li key={at} className={`step ${step.tone ?? ""}`}>
          <span className="step-label">{showHidden(sayName(step.label))}</span>
          <div>
            {step.outcome !== "" && <strong className={step.tone ?? ""}>{showHidden(sayName(step.outcome))}</strong>}
            {step.limits?.map((limit) => (
              <Gauge key={limit.name} limit={limit} />
            ))}
            {step.detail !== "" && <p className="detail">{showHidden(step.detail)}</p>}
            {step.numbers && !step.limits && step.detail === "" && (
              <p className="detail number">{sayNumbers(step.numbers)}</p>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** A number on a bar with its threshold as a tick, and by how much it passed or missed it. */
function Gauge({ limit }: { limit: NonNullable<Step["limits"]>[number] }) {
  const { name, value, threshold, isMet, bound = "least" } = limit;
  const sign = signs[bound][isMet ? 0 : 1];
  const most = Math.max(value, threshold, 1e-9) * 1.15;
  const share = (part: number) => (100 * Math.max(0, part)) / most;
  const margin = bound === "least" ? value - threshold : threshold - value;
  return (
    <div className="gauge">
      <span className="key">{sayName(name)}</span>
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect className={isMet ? "met" : "missed"} y="2" height="6" width={share(value)} />
        <line x1={share(threshold)} x2={share(threshold)} y1="0" y2="10" />
      </svg>
      <span className="number">{`${show(value)} ${sign} ${show(threshold)}`}</span>
      <span className={`number ${isMet ? "good" : "bad"}`}>{`${margin < 0 ? "−" : "+"}${show(Math.abs(margin))}`}</span>
    </div>
  );
}

/** How a number compares with its threshold: as it should, and as it should not. */
const signs = { least: ["≥", "<"], most: ["≤", ">"], below: ["<", "≥"] };

function show(value: number): string {
  return String(Number(value.toFixed(2)));
}

function sayNumbers(numbers: Record<string, number>): string {
  return Object.entries(numbers)
    .map(([name, value]) => `${sayName(name)} ${Number(value.toFixed(3))}`)
    .join(" · ");
}
