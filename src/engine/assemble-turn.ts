import type { AttemptBody } from "../contract/journal.ts";
import type { Turn } from "../contract/turn.ts";
import { sumUsage } from "./add-usage.ts";

/** The turn that its attempts make up, whether they were just made or read from a journal; null while it has no conclusion. */
export function assembleTurn(bodies: readonly AttemptBody[]): Turn | null {
  const last = bodies.at(-1);
  if (!last?.conclusion) return null;
  const { turn: key, player, promptHash, requestHash, lean, conclusion } = last;
  const { status, reply, problems } = conclusion;
  const attempts = bodies.map((body) => body.attempt);
  const usage = sumUsage(attempts.map((attempt) => attempt.usage));
  return { key, player, promptHash, requestHash, ...(lean && { lean }), attempts, status, reply, problems, usage };
}
