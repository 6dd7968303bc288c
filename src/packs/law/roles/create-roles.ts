import { isFiled } from "../../../contract/run.ts";
import type { Block, Prompt } from "../../../contract/prompt.ts";
import { readFileSync } from "node:fs";
import type { AnyRole } from "../../../engine/role.ts";
import { defineRole, type Role } from "../../../engine/role.ts";
import { findAll, mendAll } from "../rules/checks.ts";
import { findItem } from "../rules/evidence.ts";
import { agentChecks, critiqueChecks, soloChecks, supervisorChecks } from "../rules/role-checks.ts";
import type { AgentInput, CaseInput, CriticInput, Lens, SupervisorInput } from "../rules/role-inputs.ts";
import { critiqueOf, outputOf, type Round } from "../schemas/decision.ts";
import type { Language, Material, MaterialItem } from "../schemas/material.ts";
import {
  type Agent,
  type AgentOutput,
  AgentOutputSchema,
  type CritiqueMessage,
  CritiqueMessageSchema,
  opponentOf,
  type SoloAnswer,
  SoloAnswerSchema,
  type Supervision,
  SupervisionSchema,
} from "../schemas/messages.ts";
import { word } from "../words/word.ts";
import { showItems, showRevision, showSummary } from "./show-material.ts";

export type LawExperts = {
  answer(input: AgentInput): AgentOutput;
  criticise(input: CriticInput): CritiqueMessage;
  supervise(input: SupervisorInput): Supervision;
  answerAlone(input: CaseInput, lens: Lens): SoloAnswer;
};

export type LawRoles = ReturnType<typeof createRoles>;

export function createRoles(experts: LawExperts) {
  return {
    nla: createAgent("NLA", experts.answer),
    ala: createAgent("ALA", experts.answer),
    nlaCritic: createCritic("NLA", experts.criticise),
    alaCritic: createCritic("ALA", experts.criticise),
    supervisor: createSupervisor(experts.supervise),
    solo: createSolo("single", "neutral", experts.answerAlone),
    voters: (["national", "adat", "neutral"] as const).map((lens) =>
      createSolo(`voter_${lens}`, lens, experts.answerAlone),
    ),
  };
}

export function selectRoles(
  roles: LawRoles,
  { protocol, critique }: { protocol: string; critique: boolean },
): AnyRole[] {
  if (protocol === "vote") return roles.voters;
  if (protocol !== "debate") return [roles.solo];
  return [roles.nla, roles.ala, ...(critique ? [roles.nlaCritic, roles.alaCritic] : []), roles.supervisor];
}

const sides = { NLA: "national", ALA: "adat" } as const;

/** The material as a side knows it (law spec §2.7): its own sources, what both need, and what it has heard. */
export function selectSide(material: Material, agent: Agent, said: Round[], isCritic = false): Material {
  const other = opponentOf(agent);
  const cited = said.flatMap((round) =>
    [...outputOf(round, other).claims, ...outputOf(round, other).responses].flatMap(({ evidence }) => evidence),
  );
  const brought = said.flatMap((round) =>
    [other, agent].flatMap((critic) => critiqueOf(round, critic)?.critiques ?? []).flatMap(({ evidence }) => evidence),
  );
  const heard = new Set([...cited, ...brought]);
  const isOwn = ({ holder, id, domain }: MaterialItem): boolean =>
    holder === sides[agent] ||
    holder === "both" ||
    heard.has(id) ||
    (isCritic && holder === "critic" && domain === sides[other]);
  return { ...material, evidence: material.evidence.filter(isOwn) };
}

const prompts = new Map<string, string>();

function readPrompt(language: Language, name: string): string {
  const file = `${language}/${name}.md`;
  let prompt = prompts.get(file);
  if (prompt === undefined)
    prompts.set(file, (prompt = readFileSync(new URL(`../prompts/${file}`, import.meta.url), "utf8").trim()));
  return prompt;
}

type Told = { tasks: string[]; said?: Block[]; own?: Block[]; only?: string[] };

function buildPrompt({ query, material }: CaseInput, { tasks, said = [], own = [], only }: Told): Prompt {
  const { language, frame, cited, route, missing } = material;
  const label = (key: string): string => word(language, `prompt.${key}`);
  const evidence = only
    ? only.flatMap((id) => findItem(material, id) ?? [])
    : material.evidence.filter(({ id }) => !isFiled(id));
  const question = {
    query,
    communities: frame.communities,
    adat_not_held: frame.uncovered,
    cited_provisions: cited.map(({ text, known }) => ({ text, known })),
    out_of_scope: route.out_of_scope,
    missing,
  };
  const blocks: Block[] = [
    { label: label("question"), json: dropEmpty(question) },
    ...(evidence.length > 0 ? [{ label: label("evidence"), json: showItems([...new Set(evidence)], language) }] : []),
    ...said,
  ];
  return {
    instructions: readPrompt(language, "common"),
    blocks,
    own: [...own, { label: label("task"), text: tasks.join("\n\n") }],
    language,
  };
}

function dropEmpty(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).filter(([, one]) => one !== false && !(Array.isArray(one) && one.length === 0)),
  );
}

function tellDebate({ language }: Material, rounds: Round[]): Block[] {
  const label = (key: string, agent: string, round: number): string =>
    word(language, `prompt.${key}`, { agent, round });
  return rounds.flatMap((round, at) => [
    ...(["NLA", "ALA"] as const).map((agent) => ({
      label: label("answer", agent, round.round),
      json: showRevision(outputOf(round, agent), rounds[at - 1] ? outputOf(rounds[at - 1] as Round, agent) : null),
    })),
    ...(["NLA", "ALA"] as const).flatMap((agent) => {
      const message = critiqueOf(round, agent);
      return message
        ? [
            {
              label: label("critique", agent, round.round),
              json: dropEmpty({ verdicts: message.verdicts, critiques: message.critiques }),
            },
          ]
        : [];
    }),
  ]);
}

function createAgent(agent: Agent, expert: LawExperts["answer"]): Role<AgentInput, AgentOutput> {
  return defineRole<AgentInput, AgentOutput>({
    name: agent.toLowerCase(),
    reply: AgentOutputSchema,
    prompt: (input) => {
      const { material, round, previous, critiques, said } = input;
      const { language } = material;
      const who = word(language, `prompt.you_are_${agent}`, { round });
      if (!previous) return buildPrompt(input, { tasks: [who, readPrompt(language, "answer")] });
      return buildPrompt(input, {
        tasks: [who, readPrompt(language, "revision")],
        said: tellDebate(material, said),
        own: [
          {
            label: word(language, "prompt.to_answer"),
            json: critiques.map(({ id, target_claim_id }) => ({ id, on: target_claim_id })),
          },
        ],
      });
    },
    check: (reply, input) => findAll(agentChecks, reply, input),
    salvage: (reply, problems, input) => mendAll(agentChecks, reply, problems, input),
    expert,
  });
}

function createCritic(agent: Agent, expert: LawExperts["criticise"]): Role<CriticInput, CritiqueMessage> {
  return defineRole<CriticInput, CritiqueMessage>({
    name: `${agent.toLowerCase()}_critic`,
    reply: CritiqueMessageSchema,
    prompt: (input) => {
      const { material, round, earlier, said, changed } = input;
      const { language } = material;
      const who = word(language, `prompt.you_criticise_as_${agent}`, { round });
      return buildPrompt(input, {
        tasks: [
          who,
          readPrompt(language, "critic"),
          readPrompt(language, round === 1 ? "critic-first" : "critic-again"),
        ],
        said: tellDebate(material, said),
        own:
          round === 1
            ? []
            : [
                {
                  label: word(language, "prompt.to_judge"),
                  json: { verdicts_on: earlier.map(({ critique }) => critique.id), changed_claims: changed },
                },
              ],
      });
    },
    check: (reply, input) => findAll(critiqueChecks, reply, input),
    salvage: (reply, problems, input) => mendAll(critiqueChecks, reply, problems, input),
    expert,
  });
}

function createSupervisor(expert: LawExperts["supervise"]): Role<SupervisorInput, Supervision> {
  return defineRole<SupervisorInput, Supervision>({
    name: "sup",
    reply: SupervisionSchema,
    prompt: (input) => {
      const { material, nla, ala, summary } = input;
      const { language } = material;
      const only = [...nla.claims, ...ala.claims, ...summary.critiques.map(({ critique }) => critique)].flatMap(
        ({ evidence }) => evidence,
      );
      return buildPrompt(input, {
        only,
        tasks: [readPrompt(language, "supervisor")],
        own: [
          {
            label: word(language, "prompt.final", { agent: "NLA" }),
            json: showRevision({ ...nla, responses: [] }, null),
          },
          {
            label: word(language, "prompt.final", { agent: "ALA" }),
            json: showRevision({ ...ala, responses: [] }, null),
          },
          { label: word(language, "prompt.summary"), json: showSummary(summary) },
        ],
      });
    },
    check: (reply, input) => findAll(supervisorChecks, reply, input),
    salvage: (reply, problems, input) => mendAll(supervisorChecks, reply, problems, input),
    expert,
  });
}

function createSolo(name: string, lens: Lens, expert: LawExperts["answerAlone"]): Role<CaseInput, SoloAnswer> {
  return defineRole<CaseInput, SoloAnswer>({
    name,
    reply: SoloAnswerSchema,
    prompt: (input) => {
      const { language } = input.material;
      return buildPrompt(input, { tasks: [word(language, `prompt.lens_${lens}`), readPrompt(language, "single")] });
    },
    check: (reply, input) => findAll(soloChecks, reply, input),
    salvage: (reply, problems, input) => mendAll(soloChecks, reply, problems, input),
    expert: (input) => expert(input, lens),
  });
}
