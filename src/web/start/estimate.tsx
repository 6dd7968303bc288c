import { skipToken, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { RunEstimate, StartRun } from "../../contract/api/index.ts";
import { callApi } from "../../contract/api/client.ts";
import { sayName } from "../text/words.ts";

/** What the debate would cost, reckoned while it is still being written; nothing is called. */
export function Estimate({ body }: { body: StartRun | null }) {
  const settled = useSettled(body, 600);
  const estimate = useQuery({
    queryKey: ["estimate", settled],
    queryFn: settled === null ? skipToken : () => callApi("estimateRun", { body: settled }),
    retry: false,
  });
  if (body === null) return <p className="secondary">Give a case, and what it would cost is reckoned here.</p>;
  if (settled !== body || estimate.isPending) return <p className="secondary">Reckoning what it would cost…</p>;
  if (estimate.isError)
    return (
      <p className="bad" role="alert">
        {estimate.error.message}
      </p>
    );
  return <Told estimate={estimate.data} />;
}

function Told({ estimate: { roles, expected, most, notes } }: { estimate: RunEstimate }) {
  if (roles.length === 0) return <p className="cost-line">Free: no model is called.</p>;
  return (
    <div role="status">
      <p className="cost-line">
        {expected.usd === null || most.usd === null
          ? "Price unknown"
          : `About ${money(expected.usd)}, at most ${money(most.usd)}`}
      </p>
      <p className="secondary">{`${expected.calls} to ${most.calls} calls, ${count(expected.tokens)} to ${count(most.tokens)} tokens. At most means: as many rounds as the settings allow, a repair of every turn, every reply at its limit.`}</p>
      {notes.map((note) => (
        <p key={note} className="warn">
          {note}
        </p>
      ))}
      <details>
        <summary>By role</summary>
        <dl className="pairs">
          {roles.map(({ role, player, expected: usual }) => (
            <div key={role} className="bar-row">
              <dt>{sayName(role)}</dt>
              <dd>{`${player}, ${usual.calls} ${usual.calls === 1 ? "call" : "calls"}, ${usual.usd === null ? "price unknown" : money(usual.usd)}`}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}

function money(usd: number): string {
  if (usd === 0) return "$0";
  return usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(2)}`;
}

function count(value: number): string {
  return value.toLocaleString("en");
}

/** The value once it has not changed for a while. */
function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
