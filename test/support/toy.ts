import * as z from "zod";
import type { Played, Player, TurnContext } from "../../src/engine/player.ts";
import { definePack } from "../../src/engine/define-pack.ts";
import type { Pack } from "../../src/engine/pack.ts";
import { defineRole, type Role } from "../../src/engine/role.ts";
import { noUsage } from "../../src/contract/budget.ts";

/** A reply of the toy roles: a number that must stay under 100; numbers over 50 can be salvaged to 50. */
export const NumberReplySchema = z.strictObject({ value: z.number() });
export type NumberReply = z.infer<typeof NumberReplySchema>;
export type NumberInput = { question: string; heard: number[] };

/** A role that says a number. */
export function numberRole(name: string): Role<NumberInput, NumberReply> {
  return defineRole({
    name,
    reply: NumberReplySchema,
    prompt: ({ question, heard }) => ({
      instructions: "Say a number as JSON.",
      blocks: [{ label: "QUESTION", text: question }, ...heard.map((value) => ({ label: "HEARD", json: value }))],
      own: [{ label: "YOU", text: name }],
    }),
    check: ({ value }) => [
      ...(value > 100 ? [{ code: "too_big", message: `${value} is over 100`, severity: "reject" as const }] : []),
      ...(value > 50 && value <= 100
        ? [{ code: "large", message: `${value} is over 50`, severity: "salvage" as const }]
        : []),
    ],
    salvage: () => ({ value: 50 }),
    expert: ({ question, heard }) => ({ value: (question.length + heard.length) % 10 }),
  });
}

export type ToyConfig = { rounds: number; speakers: string[] };

/** Speakers say numbers in parallel, each round having heard all before; the sum decides. */
export const toyPack: Pack<{ question: string }, ToyConfig, { sum: number; heard: number[] }> = definePack({
  name: "toy",
  summary: "Speakers say numbers.",
  input: z.strictObject({ question: z.string().min(1) }),
  config: z.strictObject({
    rounds: z.int().min(1).default(2),
    speakers: z.array(z.string()).default(["a", "b", "c"]),
  }),
  decision: z.strictObject({ sum: z.number(), heard: z.array(z.number()) }),
  roles: ({ speakers }) => speakers.map(numberRole),
  async protocol(debate, { input: { question } }, { rounds, speakers }) {
    const roles = speakers.map(numberRole);
    const heard: number[] = [];
    for (let n = 1; n <= rounds; n += 1) {
      const answers = await debate.round(n, () => debate.askAll("say", roles, () => ({ question, heard: [...heard] })));
      heard.push(...answers.map((answer) => answer.reply.value));
      debate.note("heard", { count: heard.length });
      const standing = decisionOf(heard);
      debate.standing(() => standing);
    }
    const { asked, answered } = debate.quorum();
    const enough = answered * 2 > asked;
    return {
      outcome: enough ? "decided" : "undecided",
      reasons: enough ? [] : ["fewer than half answered"],
      decision: decisionOf(heard),
    };
  },
  examples: [{ name: "toy", input: { question: "How many?" } }],
  sections: ({ result }) => [
    {
      kind: "verdict",
      title: "",
      answer: `sum ${result.decision?.sum ?? "?"}`,
      tone: "good",
      points: [],
      headline: { sum: String(result.decision?.sum) },
    },
    { kind: "facts", title: "Sum", rows: [{ label: "sum", value: String(result.decision?.sum) }] },
  ],
});

function decisionOf(heard: number[]) {
  return { sum: heard.reduce((sum, value) => sum + value, 0), heard: [...heard] };
}

/** A player whose replies come from a function of the turn; a string is raw text, anything else a value. */
export function playerOf(reply: (turn: TurnContext) => unknown, tokens = 0): Player {
  return {
    id: "test",
    async play(_role, _input, turn): Promise<Played> {
      turn.signal.throwIfAborted();
      const reservation = await turn.reserve({ calls: 1, tokens: tokens * 2, usd: 0 });
      const value = await reply(turn);
      reservation.settle({ calls: 1, tokens, usd: 0 });
      const usage = { ...noUsage, calls: 1, inputTokens: tokens };
      return { reply: typeof value === "string" ? { text: value } : { value }, usage, finish: "stop" };
    },
  };
}
