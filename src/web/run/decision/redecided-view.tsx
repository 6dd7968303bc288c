import type { Redecided } from "../../../contract/api/index.ts";
import { sayName, showHidden } from "../../text/words.ts";

/** What the rules come to with other settings, over the same turns: what changes of what a reader acts on, and by which rules. */
export function RedecidedView({ redecided: { headline, outcome, rules } }: { redecided: Redecided }) {
  const lines = [{ name: "outcome", ...outcome }, ...headline].filter(({ before, after }) => before !== after);
  return (
    <div className="whatif" role="status">
      <strong className={lines.length === 0 ? "secondary" : "warn"}>
        {lines.length === 0 ? "The decision stays the same." : "The decision changes:"}
      </strong>
      {lines.map(({ name, before, after }) => (
        <p key={name}>{`${sayName(name)}: ${showHidden(before)} → ${showHidden(after)}`}</p>
      ))}
      {rules.length > 0 && (
        <p className="secondary">{`rules that decide otherwise: ${rules.map(({ rule, about }) => `${sayName(rule)} ${about}`).join(", ")}`}</p>
      )}
      <p className="faint small">No call was made: the recorded turns were decided again.</p>
    </div>
  );
}
