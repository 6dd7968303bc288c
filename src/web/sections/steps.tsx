import type { SectionOf } from "../../contract/view.ts";
import { sayName, showHidden } from "../text/words.ts";

/** Rules in the order in which they fired, each with its outcome and its numbers. */
export function Steps({ section }: { section: SectionOf<"steps"> }) {
  return (
    <div>
      {section.steps.map(({ label, outcome, detail, numbers, tone }, at) => (
        <div key={at} className="step">
          <span>{showHidden(label)}</span>
          <strong className={tone ?? ""}>{showHidden(sayName(outcome))}</strong>
          {detail !== "" && <p className="detail">{showHidden(detail)}</p>}
          {numbers && detail === "" && <p className="detail number">{sayNumbers(numbers)}</p>}
        </div>
      ))}
    </div>
  );
}

function sayNumbers(numbers: Record<string, number>): string {
  return Object.entries(numbers)
    .map(([name, value]) => `${sayName(name)} ${Number(value.toFixed(3))}`)
    .join(" · ");
}
