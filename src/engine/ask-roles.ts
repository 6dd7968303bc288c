import { hasCode } from "../contract/error.ts";
import type { Turn } from "../contract/turn.ts";
import { Abstained, type Answer, type Debate } from "./debate.ts";
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
        onAnswers?.(answersOf<O>(played));
      });
      throwFailure(await Promise.allSettled(playing));
      return answersOf<O>(played);
    },
  };
}

/** The answers among the turns, in their order. */
function answersOf<O>(turns: readonly (Turn | null)[]): Answer<O>[] {
  return turns
    .filter((turn): turn is Turn => turn !== null && turn.status !== "abstained")
    .map((turn) => ({ role: turn.key.role, reply: turn.reply as O }));
}

/** Throws the first failure, if there is one; a turn that waits for a person gives way to a real failure. */
function throwFailure(settled: PromiseSettledResult<void>[]): void {
  const failures = settled.filter((one) => one.status === "rejected").map((one) => one.reason as unknown);
  const failure = failures.find((reason) => !hasCode(reason, "parked")) ?? failures[0];
  if (failure !== undefined) throw failure;
}
