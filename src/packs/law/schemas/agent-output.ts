import * as z from "zod";

/** Which of the two debaters speaks (law spec §1). */
export const AgentSchema = z.enum(["NLA", "ALA"]);
export type Agent = z.infer<typeof AgentSchema>;

/** The other debater. */
export function opponentOf(agent: Agent): Agent {
  return agent === "NLA" ? "ALA" : "NLA";
}

const maxCharacters = 20_000;

/** Text of a reply, at most as long as anybody would read. */
export const text = z.string().refine((words) => words.length <= maxCharacters, {
  error: `longer than ${maxCharacters} characters`,
  params: { limit: "characters", most: maxCharacters },
});

/** Text that says something. */
export const content = text.refine((words) => words.trim() !== "", {
  error: "must not be empty",
  params: { limit: "empty" },
});

const maxItems = 200;

/** A list of a reply; one far longer than any role asks for is a reply gone wrong, not a list to cut. */
export function limitList<T extends z.ZodType>(item: T) {
  return z.array(item).refine((items) => items.length <= maxItems, {
    error: `more than ${maxItems} items`,
    params: { limit: "items", most: maxItems },
  });
}

/** One thing an agent says is so, on the sources it names (law spec §3). */
export const ClaimSchema = z.strictObject({
  id: content,
  evidence: limitList(text),
  assumptions: limitList(text),
  statement: content,
  confidence: z.number().min(0).max(1),
});
/** `risk` is set by the parse-time checks, never by the agent. */
export type Claim = z.infer<typeof ClaimSchema> & { risk?: "no_evidence" };

/** How an agent answers one critique on it, from round 2 on (law spec §4). */
export const ResponseSchema = z.strictObject({
  critique_id: content,
  reason: text,
  evidence: limitList(text),
  response: z.enum(["accepted", "rejected"]),
});
export type Response = z.infer<typeof ResponseSchema>;

/** What an agent says in a round; `responses` is empty in round 1. The keys go from reasons to the conclusion. */
export const AgentOutputSchema = z.strictObject({
  round: z.int(),
  agent: AgentSchema,
  responses: limitList(ResponseSchema),
  claims: limitList(ClaimSchema),
  uncertainties: limitList(text),
  open_questions: limitList(text),
  answer: content,
});
/** `faults` says what the parse-time checks struck, flagged or cut; `vector` is the answer's embedding where stability is semantic. */
export type AgentOutput = Omit<z.infer<typeof AgentOutputSchema>, "claims"> & {
  claims: Claim[];
  faults?: Fault[];
  vector?: number[];
};

/** Something that stayed wrong with a reply after its repair turn, and what was done about it. */
export type Fault = { code: string; message: string };
