import type { Budget } from "../../contract/budget.ts";
import { ParleyError } from "../../contract/error.ts";
import { shortenText } from "../../text/format.ts";

const limits = ["calls", "tokens", "usd", "wallMs"] as const;

/** The owner's budget with what is asked for in its place; more than the owner allows is refused, not lowered silently. */
export function limitBudget(owner: Budget = {}, asked: Budget = {}): Budget {
  for (const name of limits) {
    const [most, wanted] = [owner[name], asked[name]];
    if (most !== undefined && wanted !== undefined && wanted > most)
      throw new ParleyError(
        "bad_input",
        `budget.${name}: ${wanted} is more than the ${most} that the owner allows here`,
      );
  }
  return { ...owner, ...asked };
}

export function requireCast(casts: readonly string[], given: string | undefined): string {
  const wanted = (given ?? casts[0] ?? "expert").trim();
  if (casts.includes(wanted)) return wanted;
  throw new ParleyError(
    "bad_cast",
    `the cast "${shortenText(wanted)}" may not be used here; allowed: ${casts.join(" · ")}. Whoever runs the server adds others with --allow-cast`,
  );
}
