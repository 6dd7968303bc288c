/** A small complete pack for tests of studies: three speakers name the colour of a thing, may follow the majority, and a rule decides. */
import * as z from "zod";
import { sha256 } from "../../src/engine/hash.ts";
import { definePack } from "../../src/engine/define-pack.ts";
import type { Position } from "../../src/engine/pack.ts";
import { defineRole, type Role } from "../../src/engine/role.ts";
import type { Turn } from "../../src/contract/turn.ts";

export const colours = ["red", "green", "blue"] as const;
const ColourSchema = z.enum(colours);
type Colour = z.infer<typeof ColourSchema>;

const InputSchema = z.strictObject({ text: z.string().min(1) });
const ConfigSchema = z.strictObject({
  protocol: z.enum(["debate", "single", "vote", "self_consistency"]).default("debate"),
  /** How often the one speaker of self-consistency is asked. */
  samples: z.int().min(1).max(9).default(3),
  rounds: z.int().min(1).max(3).default(2),
  /** Votes needed to decide. */
  quorum: z.int().min(1).default(1),
});
const AnswerSchema = z.strictObject({ colour: ColourSchema, confidence: z.number().min(0).max(1) });
type Answer = z.infer<typeof AnswerSchema>;
const DecisionSchema = z.strictObject({ colour: ColourSchema, votes: z.int(), of: z.int() });
type Task = { text: string; others: Colour[] };

function speaker(name: string, persona: string): Role<Task, Answer> {
  return defineRole({
    name,
    reply: AnswerSchema,
    prompt: ({ text, others }) => ({
      instructions: "Name the colour of the thing.",
      blocks: [{ label: "THING", text }],
      own: [{ label: "OTHERS", json: others }],
    }),
    expert: ({ text, others }) => opinion(persona, text, others),
  });
}

/** Right in about seven of ten; follows a majority against it in about half of the cases. */
function opinion(persona: string, text: string, others: Colour[]): Answer {
  const draw = Number.parseInt(sha256(`${persona}|${text}`).slice(0, 6), 16);
  const truth = colours.find((colour) => text.includes(colour)) ?? "red";
  const wrong = colours[(colours.indexOf(truth) + 1 + (draw % 2)) % 3] as Colour;
  const own = draw % 10 < 7 ? truth : wrong;
  const majority = colours.find((colour) => others.filter((one) => one === colour).length * 2 > others.length);
  const colour = majority !== undefined && (draw >> 5) % 2 === 0 ? majority : own;
  return { colour, confidence: 0.5 + ((draw >> 3) % 50) / 100 };
}

export const colourPack = definePack({
  name: "colour",
  summary: "names colours",
  input: InputSchema,
  config: ConfigSchema,
  decision: DecisionSchema,
  roles: (config) => speakersOf(config),
  async protocol(debate, { input }, config) {
    const roles = speakersOf(config);
    let last: Colour[] = [];
    for (let n = 1; n <= (config.protocol === "debate" ? config.rounds : 1); n++) {
      const others = last;
      const answers = await debate.round(n, () => debate.askAll("answer", roles, () => ({ text: input.text, others })));
      last = answers.map((answer) => answer.reply.colour);
    }
    const decision = vote(last);
    const outcome = decision.votes >= config.quorum ? "decided" : "undecided";
    return { outcome, reasons: [`${decision.votes} of ${decision.of}`], decision };
  },
  examples: [{ name: "thing", input: { text: "a red thing" } }],
  sections: ({ result }) => [{ kind: "text", title: "", text: JSON.stringify(result.decision) }],
  measure: {
    gold: ColourSchema,
    primary: "accuracy",
    score: (decision, gold) => ({
      accuracy: decision.colour === gold ? 1 : 0,
      unanimous: decision.votes === decision.of ? 1 : 0,
    }),
    confidence: (decision) => decision.votes / decision.of,
    tally: (decision, gold) => ({ [decision.colour === gold ? "right" : "wrong"]: 1 }),
    rates: (totals) => ({ micro_accuracy: (totals.right ?? 0) / ((totals.right ?? 0) + (totals.wrong ?? 0)) }),
    warnings: (rates) =>
      (rates.micro_accuracy ?? 1) < 0.99
        ? [
            {
              level: "warn",
              metric: "micro_accuracy",
              value: rates.micro_accuracy ?? 0,
              tip: "look again at the things",
            },
          ]
        : [],
    positions: (_decision, turns: Turn[]): Position[] =>
      turns.flatMap((turn) =>
        turn.status === "abstained"
          ? []
          : [{ round: turn.key.round, role: turn.key.role, answer: (turn.reply as Answer).colour }],
      ),
    isCorrect: (answer, gold) => answer === gold,
  },
});

function speakersOf({ protocol, samples }: z.infer<typeof ConfigSchema>): Role<Task, Answer>[] {
  const count = { debate: 3, vote: 3, single: 1, self_consistency: samples }[protocol];
  return Array.from({ length: count }, (_, i) =>
    speaker(`speaker_${i + 1}`, protocol === "self_consistency" ? "one" : String(i)),
  );
}

function vote(answers: Colour[]): z.infer<typeof DecisionSchema> {
  const count = (colour: Colour): number => answers.filter((one) => one === colour).length;
  const colour = colours.reduce((best, one) => (count(one) > count(best) ? one : best));
  return { colour, votes: count(colour), of: answers.length };
}
