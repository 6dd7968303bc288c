import type { Turn } from "../../contract/turn.ts";
import { truncated } from "../../engine/read-reply.ts";
import { formatCount } from "../../text/number-text.ts";

/** What can be done about replies that were cut off at the output limit: one line per player. */
export function adviseLimits(turns: readonly Turn[]): string[] {
  const cut = turns.filter(({ attempts }) => attempts.some(isCut));
  return [...Map.groupBy(cut, ({ player }) => player)].map(([player, own]) => {
    const limits = own.flatMap(({ attempts }) => attempts.filter(isCut).map(({ outputLimit }) => outputLimit ?? 0));
    const limit = Math.max(...limits);
    const lost = own.filter(({ status }) => status === "abstained").length;
    const end = lost === 0 ? "each came whole the second time" : `${formatCount(lost, "turn")} came to nothing`;
    const where = limit > 0 ? `at ${limit} tokens` : "at the output limit";
    return `${player}: ${formatCount(own.length, "reply", "replies")} cut off ${where}, ${end}: raise max_output_tokens`;
  });
}

function isCut({ problems }: Turn["attempts"][number]): boolean {
  return problems.some(({ code }) => code === truncated);
}
