import { type Budget, noCost, type Spend, type WorstCase } from "../contract/budget.ts";
import { formatDuration } from "../text/duration.ts";
import { formatUsd } from "../text/number-text.ts";
import { ParleyError } from "../contract/error.ts";

/** Keeps a debate inside its budget: the worst case of a call is set aside before the call is made. */
export type Meter = {
  /**
   * Sets the worst case aside, or throws `budget_exhausted`. The function returned replaces it with what was really spent,
   * the first time it is called, and returns what the call counts for.
   */
  reserve(turn: string, worst: WorstCase): (spent: WorstCase) => WorstCase;
  /** Counts what an earlier process of this run spent, and what it lost in calls that died with it. */
  carry(spent: WorstCase, lost: WorstCase): void;
  spend(): Spend;
};

type Refused = Spend["refused"][number];

const tolerance = 1e-9;

/** A meter over `budget`; `elapsedMs` tells how long the run has been going. */
export function createMeter(budget: Budget, elapsedMs: () => number): Meter {
  const total: WorstCase = { ...noCost };
  const lostBefore: WorstCase = { ...noCost };
  const refused: Spend["refused"] = [];
  const refuse = (turn: string, limit: string, needed: number | null, left: number): never => {
    refused.push({ turn, limit, needed, left });
    throw new ParleyError("budget_exhausted", explainRefusal(turn, budget, { limit, needed, left }));
  };
  const require = (turn: string, limit: "calls" | "tokens" | "usd", needed: number): void => {
    const max = budget[limit];
    const left = (max ?? Number.POSITIVE_INFINITY) - (total[limit] ?? 0) - (lostBefore[limit] ?? 0);
    if (needed > left + tolerance) refuse(turn, limit, needed, Math.max(0, left));
  };
  return {
    reserve(turn, worst) {
      if (budget.wallMs !== undefined && elapsedMs() >= budget.wallMs) refuse(turn, "time", 0, 0);
      require(turn, "calls", worst.calls);
      require(turn, "tokens", worst.tokens);
      if (budget.usd !== undefined && worst.usd === null) refuse(turn, "usd", null, budget.usd - (total.usd ?? 0));
      require(turn, "usd", worst.usd ?? 0);
      add(total, worst, 1);
      let settled: WorstCase | null = null;
      return (spent) => {
        if (settled) return settled;
        settled = spent;
        add(total, worst, -1);
        add(total, spent, 1);
        return settled;
      };
    },
    carry: (spent, lost) => {
      add(total, spent, 1);
      add(lostBefore, lost, 1);
    },
    spend: () => ({ ...total, usd: total.usd === null ? null : clean(total.usd), refused: [...refused] }),
  };
}

function explainRefusal(turn: string, { wallMs }: Budget, { limit, needed, left }: Omit<Refused, "turn">): string {
  if (limit === "time") return `the time limit of ${formatDuration(wallMs ?? 0)} was over before ${turn}`;
  const amount = (value: number): string => (limit === "usd" ? formatUsd(value) : value.toLocaleString("en"));
  const need = needed === null ? "a call of unknown price" : `up to ${amount(needed)}`;
  return `${turn} would pass the ${limit} limit: needs ${need}, ${amount(left)} left`;
}

function add(total: WorstCase, part: WorstCase, sign: 1 | -1): void {
  total.calls += sign * part.calls;
  total.tokens += sign * part.tokens;
  total.usd = total.usd === null || part.usd === null ? null : total.usd + sign * part.usd;
}

/** Adding and taking back leaves dust such as 1e-18. */
function clean(usd: number): number {
  return Math.max(0, Math.round(usd * 1e12) / 1e12);
}
