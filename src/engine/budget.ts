import {
  type Budget,
  isCost,
  mostOfACall,
  noCost,
  type Spend,
  type WorstCase,
  noUsage,
  type Usage,
} from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import { fillIn, frameOf } from "../contract/frame-words.ts";
import type { Quorum } from "../contract/result.ts";
import { type Turn, turnIdOf, type TurnKey } from "../contract/turn.ts";
import { formatDuration, formatUsd } from "../text/format.ts";
import type { JournalWriter } from "./journal.ts";
import type { Reservation } from "./player.ts";

/** Keeps a debate inside its budget: the worst case of a call is set aside before the call is made. */
export type Meter = {
  /**
   * Reserves the worst case, or throws `budget_exhausted`. Call the returned function with the real cost; it replaces
   * the reservation once, and returns the amount counted.
   */
  reserve(turn: string, worst: WorstCase): (spent: WorstCase) => WorstCase;
  /** Counts the spending of an earlier process of this run, including calls that died with it. */
  carry(spent: WorstCase, lost: WorstCase): void;
  spend(): Spend;
};

type Refused = Spend["refused"][number];

const tolerance = 1e-9;

/** A meter over `budget`; `elapsedMs` returns the age of the run. */
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
  if (limit === "time") return `the time limit of ${formatDuration(wallMs ?? 0)} ran out before ${turn}`;
  const amount = (value: number): string => (limit === "usd" ? formatUsd(value) : value.toLocaleString("en"));
  const need = needed === null ? "a call of unknown price" : `up to ${amount(needed)}`;
  return `${turn} would exceed the ${limit} limit: needs ${need}, ${amount(left)} left`;
}

function add(total: WorstCase, part: WorstCase, sign: 1 | -1): void {
  total.calls += sign * part.calls;
  total.tokens += sign * part.tokens;
  total.usd = total.usd === null || part.usd === null ? null : total.usd + sign * part.usd;
}

/** Floating-point sums leave residues such as 1e-18. */
function clean(usd: number): number {
  return Math.max(0, Math.round(usd * 1e12) / 1e12);
}

/** Opens the budget of an attempt. A paid call is recorded before it is made, and everything so far is durable before any call that cannot be repeated. */
export function openAttemptBudget(
  { meter, writer }: { meter: Meter; writer: JournalWriter },
  { turn, number: attempt, isRepeatable }: { turn: TurnKey; number: number; isRepeatable: boolean },
): { reserve(worst: WorstCase): Promise<Reservation>; spent(): WorstCase } {
  const held: WorstCase[] = [];
  return {
    async reserve(given) {
      const worst = requireCost(turn, given);
      const settle = meter.reserve(turnIdOf(turn), worst);
      const index = held.push(worst) - 1;
      if (worst.tokens > 0) await writer.write({ kind: "call", turn, attempt, worst });
      // Programs never wait, so without this pause signals, requests and writes would starve.
      else if (isRepeatable) await new Promise<void>((resolve) => setImmediate(resolve));
      else await writer.done();
      return {
        settle: (spent) => {
          held[index] = settle(requireCost(turn, spent));
        },
      };
    },
    spent: () => sumWorstCases(held),
  };
}

function requireCost(turn: TurnKey, cost: WorstCase): WorstCase {
  const { calls, tokens, usd } = cost;
  if (isCost(cost)) return { calls, tokens, usd };
  const said = `${calls} calls, ${tokens} tokens, ${usd} USD`;
  throw new ParleyError(
    "bad_cast",
    `the player of ${turnIdOf(turn)} reported an invalid cost: ${said}; each figure is from 0 to ${mostOfACall}`,
  );
}

/** Adds up the worst cases of several calls; one unknown price makes the sum unknown. */
export function sumWorstCases(parts: readonly WorstCase[]): WorstCase {
  const total = { ...noCost };
  for (const part of parts) add(total, part, 1);
  return total;
}

/** Adds up the usage of calls, turns or runs; one unknown cost makes the sum unknown. */
export function sumUsage(usages: readonly Usage[]): Usage {
  const total = { ...noUsage };
  for (const usage of usages) {
    total.calls += usage.calls;
    total.inputTokens += usage.inputTokens;
    total.outputTokens += usage.outputTokens;
    total.cachedTokens += usage.cachedTokens;
    total.reasoningTokens += usage.reasoningTokens;
    total.costUsd = total.costUsd === null || usage.costUsd === null ? null : total.costUsd + usage.costUsd;
  }
  return total;
}

/** What calls cost, in words; failed calls count at their worst case. */
export function describeSpend(
  { spend, usage }: { spend: WorstCase; usage: Usage },
  words = frameOf("en").spend,
): string {
  const { calls, tokens, usd } = spend;
  const count = fillIn(words.calls, { calls });
  if (calls === 0 && tokens === 0) return words.nothing;
  if (tokens === 0) return `${count}, ${words.uncharged}`;
  const price = usd === null ? words.unknown : usd === 0 ? words.free : formatUsd(usd);
  const say = (phrase: string, amount: number): string => fillIn(phrase, { tokens: amount.toLocaleString("en") });
  const beyond = tokens - usage.inputTokens - usage.outputTokens;
  const notes = [
    ...(usage.cachedTokens > 0 ? [say(words.cached, usage.cachedTokens)] : []),
    ...(beyond > 0 ? [say(words.beyond, beyond)] : []),
  ];
  return `${count}, ${say(words.tokens, tokens)}${notes.length > 0 ? ` (${notes.join("; ")})` : ""}, ${price}`;
}

/** Counts answered, repaired and abstained turns. */
export function countQuorum(turns: readonly Turn[]): Quorum {
  const answered = turns.filter((turn) => turn.status !== "abstained");
  return {
    asked: turns.length,
    answered: answered.length,
    repaired: answered.filter((turn) => turn.attempts.length > 1).length,
    mended: answered.filter((turn) => (turn.attempts.at(-1)?.mends ?? []).length > 0).length,
    abstained: turns.length - answered.length,
  };
}
