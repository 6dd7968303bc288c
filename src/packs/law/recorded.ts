import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import { composeDecision } from "./decision.ts";
import { buildMaterial, findNamedItems } from "./prepare.ts";
import { briefAgent, briefCritic, collectCriticism, stabiliseCritique, stabiliseOutput } from "./protocol.ts";
import { mendReply } from "./rules/checks.ts";
import { agents } from "./rules/claims.ts";
import { summariseDebate } from "./rules/debate-summary.ts";
import { agentChecks, critiqueChecks } from "./rules/role-checks.ts";
import { critiqueOf, type LawDecision, type Round } from "./schemas/decision.ts";
import { type LawInput, type Material, type RouteLabel, RouteLabelSchema } from "./schemas/material.ts";
import {
  type Agent,
  type AgentOutput,
  AgentOutputSchema,
  CritiqueSchema,
  CritiqueMessageSchema,
} from "./schemas/messages.ts";

const OutputSchema = z.object(AgentOutputSchema.shape);

const RecordedCritiqueSchema = z.preprocess(
  (value) =>
    typeof value === "object" && value !== null && "suggested fix" in value
      ? { suggested_fix: value["suggested fix"], ...value }
      : value,
  z.object({ ...CritiqueSchema.shape, suggested_fix: z.string().default("") }),
);

const MessageSchema = z.object({ ...CritiqueMessageSchema.shape, critiques: z.array(RecordedCritiqueSchema) });

type RecordedRound = Omit<Round, "round" | "silent">;

/** A debate held elsewhere, in the artifacts of the law document (law spec §6). */
export type RecordedDebate = { id: string | null; query: string; hint: RouteLabel | null; rounds: RecordedRound[] };

const FileSchema = z.object({
  id: z.string().optional(),
  query: z.string().optional(),
  routing: z.string().optional(),
  files: z.record(z.string(), z.unknown()),
});

export function readRecorded(value: unknown, where: string): RecordedDebate {
  const fail = (why: string): never => {
    throw new ParleyError("bad_input", `${where}: ${why}`);
  };
  const read = FileSchema.safeParse(value);
  if (!read.success) return fail('a recorded debate is { query, files: { "debate_round1_nla.json": …, … } }');
  const { id = null, files, routing } = read.data;
  const summary = z.object({ query: z.string() }).safeParse(files["debate_summary.json"]);
  const query = read.data.query ?? summary.data?.query ?? "";
  if (!query.trim()) fail("the question is missing (query, or debate_summary.json)");
  const take = <T>(name: string, schema: z.ZodType<T>): T | null => {
    if (files[name] === undefined || files[name] === null) return null;
    const parsed = schema.safeParse(files[name]);
    const [issue] = parsed.error?.issues ?? [];
    return parsed.data ?? fail(`${name}: ${issue?.path.join(".") || "the whole"}: ${issue?.message ?? "not readable"}`);
  };
  const rounds: RecordedRound[] = [];
  for (let n = 1; n <= 3; n += 1) {
    const [nla, ala] = [
      take(`debate_round${n}_nla.json`, OutputSchema),
      take(`debate_round${n}_ala.json`, OutputSchema),
    ];
    if (!nla || !ala) break;
    rounds.push({
      nla,
      ala,
      nla_on_ala: take(`critique_round${n}_nla_on_ala.json`, MessageSchema),
      ala_on_nla: take(`critique_round${n}_ala_on_nla.json`, MessageSchema),
    });
  }
  if (rounds.length === 0) fail("no round is complete; debate_round1_nla.json and debate_round1_ala.json are needed");
  const beyond = Object.keys(files).find((name) => Number(/_round(\d+)_/.exec(name)?.[1] ?? 0) > rounds.length);
  if (beyond) fail(`${beyond} belongs to no complete round; ${rounds.length} of at most 3 rounds are there`);
  return { id, query, hint: RouteLabelSchema.safeParse(routing).data ?? null, rounds };
}

const widest = 100;

export type Decided = { outcome: "decided" | "escalated"; reasons: string[]; decision: LawDecision };

/** Decides a recorded debate without calls, by the same rules as a live one (law spec §6.1). */
export function decide(recorded: RecordedDebate, corpus: LawInput["corpus"] = []): Decided {
  const input: LawInput = { query: recorded.query, corpus, ...(recorded.hint ? { domain_hint: recorded.hint } : {}) };
  const read = buildMaterial(input, widest);
  const evidence = [...read.evidence];
  // A recording may cite in words ("Pasal 35 UU Perkawinan 1974"): they are further names of what they cite.
  for (const text of recorded.rounds.flatMap(listEvidence))
    for (const named of findNamedItems(text, corpus)) {
      const at = evidence.findIndex(({ id }) => id === named.id);
      const item = evidence[at] ?? named;
      evidence.splice(at < 0 ? evidence.length : at, 1, { ...item, aliases: [...item.aliases, text] });
    }
  const material: Material = { ...read, evidence, route: { ...read.route, out_of_scope: false }, missing: [] };
  const rounds = recorded.rounds.reduce<Round[]>(
    (before, said) => [...before, replayRound(input, material, before, said)],
    [],
  );
  const summary = summariseDebate(recorded.query, material, rounds, {
    rounds: Math.min(2, rounds.length),
    max_rounds: rounds.length,
  });
  const decision = composeDecision(recorded.query, material, rounds, summary, null, "provisional");
  const isOpen = decision.review_reasons.length > 0;
  return {
    outcome: isOpen ? "escalated" : "decided",
    reasons: decision.review_reasons.map(({ code }) => code),
    decision: { ...decision, decided_by: "rules", needs_human_review: isOpen },
  };
}

function listEvidence({ nla, ala, nla_on_ala, ala_on_nla }: RecordedRound): string[] {
  const lists = [nla.claims, nla.responses, ala.claims, ala.responses, nla_on_ala?.critiques, ala_on_nla?.critiques];
  return lists.flatMap((list: { evidence: string[] }[] | undefined) => list ?? []).flatMap(({ evidence }) => evidence);
}

function replayRound(input: LawInput, material: Material, before: Round[], said: RecordedRound): Round {
  const held = { input, material };
  const speak = (agent: Agent, output: AgentOutput): AgentOutput =>
    stabiliseOutput(material, mendReply(agentChecks, output, { ...briefAgent(held, agent, before), material }));
  const [nla, ala] = [speak("NLA", said.nla), speak("ALA", said.ala)];
  const spoken: Round = { round: before.length + 1, nla, ala, nla_on_ala: null, ala_on_nla: null };
  const heard = agents.map((agent) => {
    const brief = { ...briefCritic(held, agent, before, spoken), material };
    const message = critiqueOf(said, agent);
    return {
      brief,
      message: message && stabiliseCritique(material, mendReply(critiqueChecks, message, brief), brief, before),
    };
  });
  // Nobody says whether a critic without a message was asked after the first round.
  const asked = heard.filter(({ message }) => before.length === 0 || message !== null);
  return {
    ...spoken,
    ...collectCriticism(
      asked.map(({ brief }) => brief),
      asked.map(({ message }) => message),
    ),
  };
}
