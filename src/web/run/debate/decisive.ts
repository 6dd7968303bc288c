import type { WhyReply } from "../../../contract/api/index.ts";
import { sayName } from "../../text/words.ts";

/** The turns without which the decision would be another, each with what it would be. */
export type Decisive = ReadonlyMap<string, string>;

/** Says of each decisive turn what its silence would change. */
export function sayDecisive(why: WhyReply | undefined): Decisive {
  return new Map(
    Object.entries(why?.flips ?? {}).map(([turn, flips]) => [
      turn,
      `without it: ${flips.map(({ name, before, after }) => `${sayName(name)} ${before} → ${after}`).join(", ")}`,
    ]),
  );
}
