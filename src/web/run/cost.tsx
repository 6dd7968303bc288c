import type { RunDetail } from "../../contract/api/index.ts";
import { sayName, tellDuration } from "../text/words.ts";

/** What it cost, by role: turns, calls, tokens, money and time. */
export function Cost({ detail }: { detail: RunDetail }) {
  const roles = [...new Set(detail.turns.map(({ key }) => key.role))];
  const spend = detail.result?.spend;
  return (
    <section className="section">
      <h2>Cost</h2>
      {spend && (
        <p>
          {`${spend.calls} calls, ${spend.tokens.toLocaleString("en")} tokens, ${spend.usd === null ? "price unknown" : `$${spend.usd.toFixed(4)}`}`}
          {spend.refused.length > 0 && ` · ${spend.refused.length} calls refused by the budget`}
        </p>
      )}
      <div className="scroll" tabIndex={0} role="region" aria-label="Cost by role">
        <table>
          <thead>
            <tr>
              {["role", "player", "turns", "tokens in", "tokens out", "time"].map((name, at) => (
                <th key={name} scope="col" className={at > 1 ? "number" : ""}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {roles.map((role) => (
              <RoleRow key={role} role={role} turns={detail.turns.filter(({ key }) => key.role === role)} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function RoleRow({ role, turns }: { role: string; turns: RunDetail["turns"] }) {
  const sum = (pick: (turn: RunDetail["turns"][number]) => number) =>
    turns.reduce((total, turn) => total + pick(turn), 0);
  const ms = sum(({ attempts }) => attempts.reduce((total, { durationMs }) => total + durationMs, 0));
  return (
    <tr>
      <td>{sayName(role)}</td>
      <td>{[...new Set(turns.map(({ player }) => player))].join(", ")}</td>
      <td className="number">{turns.length}</td>
      <td className="number">{sum(({ usage }) => usage.inputTokens).toLocaleString("en")}</td>
      <td className="number">{sum(({ usage }) => usage.outputTokens).toLocaleString("en")}</td>
      <td className="number">{tellDuration(ms)}</td>
    </tr>
  );
}
