import * as z from "zod";

export const JurySchema = z.strictObject({
  format: z.literal("parley-jury"),
  version: z.literal(1),
  /** Weight of each member's vote; negative for one that tends to be wrong, which is informative too. */
  weights: z.record(z.string(), z.number()),
  /** Evidence for none of the given answers, in general and by category; null where one of them must be right. */
  none: z.strictObject({ bias: z.number(), categories: z.record(z.string(), z.number()) }).nullable(),
  learnt_on: z.strictObject({
    source: z.string(),
    cases: z.int(),
    accuracy: z.number(),
    majority: z.number(),
    l2: z.number().nullable(),
  }),
  made_at: z.string(),
});
export type Jury = z.infer<typeof JurySchema>;

export type Ballot = { votes: readonly { member: string; answer: string | null }[]; category?: string | null };

type JuryVerdict = { answer: string | null; confidence: number; shares: Record<string, number> };

/**
 * Decides a ballot by a jury's weights. Only agreement counts: renaming or swapping answers renames the winner.
 * `answers` lists all possible ones, if known; otherwise they come from the votes.
 */
export function applyJury(
  { weights, none }: Pick<Jury, "weights" | "none">,
  { votes, category }: Ballot,
  answers: readonly string[] = [],
): JuryVerdict {
  const scores = new Map(answers.map((answer) => [answer, 0]));
  for (const { member, answer } of votes)
    if (answer !== null) scores.set(answer, (scores.get(answer) ?? 0) + (weights[member] ?? 0));
  if (votes.every(({ answer }) => answer === null)) return { answer: null, confidence: 0, shares: {} };
  const other = none === null ? [] : [none.bias + (none.categories[category ?? ""] ?? 0)];
  const most = Math.max(...scores.values(), ...other);
  const all = [...scores.values(), ...other].reduce((sum, one) => sum + Math.exp(one - most), 0);
  const shares = [...scores].map(([answer, one]): [string, number] => [answer, Math.exp(one - most) / all]);
  const [answer, confidence] = shares.reduce((best, one) => (one[1] > best[1] ? one : best));
  return { answer, confidence, shares: Object.fromEntries(shares) };
}
