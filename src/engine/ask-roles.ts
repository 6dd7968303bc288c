import { hasCode } from "../contract/error.ts";
import type { Turn } from "../contract/turn.ts";
import { Abstained, type Answer, type Debate } from "./debate.ts";
import { findReplyJson } from "./reply-json.ts";
import type { Role } from "./role.ts";

/** Plays a role once, under a step name. */
export type Play = <I, O>(role: Role<I, O>, input: I, step: string) => Promise<Turn>;

/** The ways in which a protocol can ask, built on a function that plays one role. */
export function askRoles(play: Play): Pick<Debate, "ask" | "tryAsk" | "askAll"> {
  return {
    async ask<I, O>(role: Role<I, O>, input: I, step = role.name): Promise<O> {
      const turn = await play(role, input, step);
      if (turn.status === "abstained")
        throw new Abstained(role.name, turn.problems.map((one) => one.message).join("; "));
      return turn.reply as O;
    },
    async tryAsk<I, O>(role: Role<I, O>, input: I, step = role.name): Promise<O | null> {
      const turn = await play(role, input, step);
      return turn.status === "abstained" ? null : (turn.reply as O);
    },
    async askAll<I, O>(
      step: string,
      roles: Role<I, O>[],
      inputOf: (role: Role<I, O>, index: number) => I,
      onAnswers?: (answers: Answer<O>[]) => void,
    ) {
      const played: (Turn | null)[] = roles.map(() => null);
      const playing = roles.map(async (role, index) => {
        played[index] = await play(role, inputOf(role, index), step);
        onAnswers?.(answersOf(roles, played));
      });
      throwFailure(await Promise.allSettled(playing));
      return answersOf(roles, played);
    },
  };
}

/** The answers among the turns, in their order. */
function answersOf<I, O>(roles: readonly Role<I, O>[], turns: readonly (Turn | null)[]): Answer<O>[] {
  return turns.flatMap((turn, index) => {
    if (turn === null || turn.status === "abstained") return [];
    const first = turn.attempts.length > 1 ? readFirst(roles[index], turn.attempts[0]?.raw ?? "") : null;
    return [{ role: turn.key.role, reply: turn.reply as O, player: turn.player, first }];
  });
}

/** What a first reply said, when it fits the schema as it stands. */
function readFirst<I, O>(role: Role<I, O> | undefined, raw: string): O | null {
  const [first] = findReplyJson(raw);
  const parsed = role?.reply.safeParse(first?.value);
  return parsed?.success ? parsed.data : null;
}

/** Throws the first failure, if there is one; a turn that waits for a person gives way to a real failure. */
function throwFailure(settled: PromiseSettledResult<void>[]): void {
  const failures = settled.filter((one) => one.status === "rejected").map((one) => one.reason as unknown);
  const failure = failures.find((reason) => !hasCode(reason, "parked")) ?? failures[0];
  if (failure !== undefined) throw failure;
}
