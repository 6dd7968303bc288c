import type { Budget } from "../../contract/budget.ts";
import { ParleyError } from "../../contract/error.ts";
import { shortenText } from "../../text/format.ts";

const limits = ["calls", "tokens", "usd", "wallMs"] as const;

/** A budget within the owner's: of each limit the smaller one holds. */
export function capBudget(owner: Budget = {}, asked: Budget = {}): Budget {
  const capped: Budget = {};
  for (const name of limits) {
    const given = [owner[name], asked[name]].filter((limit) => limit !== undefined);
    if (given.length > 0) capped[name] = Math.min(...given);
  }
  return capped;
}

/** Refuses a limit above the owner's instead of lowering it silently. */
export function requireBudget(owner: Budget = {}, asked: Budget = {}): Budget {
  for (const name of limits) {
    const [most, wanted] = [owner[name], asked[name]];
    if (most !== undefined && wanted !== undefined && wanted > most)
      throw new ParleyError(
        "bad_input",
        `budget.${name}: ${wanted} is more than the ${most} that the owner allows here`,
      );
  }
  return asked;
}

export function requireCast(casts: readonly string[], given: string | undefined): string {
  const wanted = (given ?? casts[0] ?? "expert").trim();
  if (casts.includes(wanted)) return wanted;
  throw new ParleyError(
    "bad_cast",
    `the cast "${shortenText(wanted)}" may not be used here; allowed: ${casts.join(" · ")}. Whoever runs the server adds others with --allow-cast`,
  );
}
