import * as z from "zod";
import { ParleyError } from "../../../contract/error.ts";
import { type RouteLabel, routeLabels } from "../../../knowledge/law/index.ts";
import { AgentOutputSchema, AgentSchema, ClaimSchema, ResponseSchema } from "../schemas/agent-output.ts";
import { CritiqueSchema, CritiqueVerdictSchema } from "../schemas/critique-message.ts";

/** What an agent said, in the document's own form: an earlier implementation had no responses. */
const RecordedOutputSchema = z.object({
  ...AgentOutputSchema.shape,
  responses: z.array(ResponseSchema).default([]),
  claims: z.array(z.object({ ...ClaimSchema.shape, assumptions: z.array(z.string()).default([]) })),
  uncertainties: z.array(z.string()).default([]),
  open_questions: z.array(z.string()).default([]),
});

/** Models have written "suggested fix" as well. */
const RecordedCritiqueSchema = z.preprocess(
  (value) =>
    typeof value === "object" && value !== null && "suggested fix" in value && !("suggested_fix" in value)
      ? { ...value, suggested_fix: value["suggested fix"] }
      : value,
  z.object({
    ...CritiqueSchema.shape,
    evidence: z.array(z.string()).default([]),
    suggested_fix: z.string().default(""),
  }),
);

const RecordedMessageSchema = z.object({
  round: z.int(),
  agent: AgentSchema,
  target: AgentSchema,
  verdicts: z.array(CritiqueVerdictSchema).default([]),
  critiques: z.array(RecordedCritiqueSchema),
  fewer_reason: z.string().nullable().default(null),
});

export type RecordedOutput = z.infer<typeof RecordedOutputSchema>;
export type RecordedMessage = z.infer<typeof RecordedMessageSchema>;

/** One round of a recorded debate: both answers, and the critiques that were made. */
export type RecordedRound = {
  nla: RecordedOutput;
  ala: RecordedOutput;
  nla_on_ala: RecordedMessage | null;
  ala_on_nla: RecordedMessage | null;
};

/** A debate that was held elsewhere, in the artifacts of the law document (law spec §6). */
export type RecordedDebate = { id: string | null; query: string; hint: RouteLabel | null; rounds: RecordedRound[] };

const FileSchema = z.object({
  id: z.string().optional(),
  query: z.string().optional(),
  routing: z.string().optional(),
  files: z.record(z.string(), z.unknown()),
});

/**
 * Reads a recorded debate from its artifacts by name (`debate_round1_nla.json`, `critique_round1_ala_on_nla.json`, …);
 * `where` names it in errors.
 */
export function readRecorded(value: unknown, where: string): RecordedDebate {
  const read = FileSchema.safeParse(value);
  if (!read.success)
    throw new ParleyError(
      "bad_input",
      `${where}: a recorded debate is { query, files: { "debate_round1_nla.json": …, … } }`,
    );
  const { id = null, files, routing } = read.data;
  const query = read.data.query ?? readQuery(files);
  if (!query?.trim())
    throw new ParleyError("bad_input", `${where}: the question is missing (query, or debate_summary.json)`);
  const rounds = readRounds(files, where);
  if (rounds.length === 0)
    throw new ParleyError(
      "bad_input",
      `${where}: no round is complete; debate_round1_nla.json and debate_round1_ala.json are needed`,
    );
  return { id, query, hint: routeLabels.find((label) => label === routing) ?? null, rounds };
}

function readQuery(files: Record<string, unknown>): string | undefined {
  const summary = z.object({ query: z.string() }).safeParse(files["debate_summary.json"]);
  return summary.data?.query;
}

const maxRounds = 3;

/** The rounds in order, up to the first in which an agent did not speak. */
function readRounds(files: Record<string, unknown>, where: string): RecordedRound[] {
  const rounds: RecordedRound[] = [];
  for (let n = 1; n <= maxRounds; n += 1) {
    const take = <T>(name: string, schema: z.ZodType<T>): T | null => parseFile(files, name, schema, where);
    const nla = take(`debate_round${n}_nla.json`, RecordedOutputSchema);
    const ala = take(`debate_round${n}_ala.json`, RecordedOutputSchema);
    if (!nla || !ala) break;
    const nla_on_ala = take(`critique_round${n}_nla_on_ala.json`, RecordedMessageSchema);
    const ala_on_nla = take(`critique_round${n}_ala_on_nla.json`, RecordedMessageSchema);
    rounds.push({ nla, ala, nla_on_ala, ala_on_nla });
  }
  return rounds;
}

function parseFile<T>(files: Record<string, unknown>, name: string, schema: z.ZodType<T>, where: string): T | null {
  const value = files[name];
  if (value === undefined || value === null) return null;
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new ParleyError(
    "bad_input",
    `${where}: ${name}: ${issue?.path.join(".") || "the whole"}: ${issue?.message ?? "not readable"}`,
  );
}
