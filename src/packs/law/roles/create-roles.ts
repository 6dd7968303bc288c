import { isFiled } from "../../../contract/run.ts";
import type { Block, Prompt } from "../../../contract/prompt.ts";
import { readFileSync } from "node:fs";
import { type AnyRole, defineRole, type Role } from "../../../engine/role.ts";
import { remember } from "../../../text/search.ts";
import { applyChecks } from "../rules/checks.ts";
import { agents } from "../rules/claims.ts";
import { findItem, scopeOf, statementOf, titleOf } from "../rules/evidence.ts";
import { agentChecks, critiqueChecks, soloChecks, supervisorChecks } from "../rules/role-checks.ts";
import type { AgentInput, CaseInput, CriticInput, SupervisorInput } from "../rules/role-inputs.ts";
import { critiqueOf, outputOf, type Round, type DebateSummary } from "../schemas/decision.ts";
import type { Language, Material, MaterialItem } from "../schemas/material.ts";
import {
  type Agent,
  type AgentOutput,
  AgentOutputSchema,
  type CritiqueMessage,
  CritiqueMessageSchema,
  opponentOf,
  sides,
  type SoloAnswer,
  SoloAnswerSchema,
  type Supervision,
  SupervisionSchema,
} from "../schemas/messages.ts";
import { formLabels, word } from "../words/word.ts";

export type LawExperts = {
  answer(input: AgentInput): AgentOutput;
  criticise(input: CriticInput): CritiqueMessage;
  supervise(input: SupervisorInput): Supervision;
  answerAlone(input: CaseInput): SoloAnswer;
};

export type LawRoles = ReturnType<typeof createRoles>;

export function createRoles(experts: LawExperts) {
  return {
    agents: { NLA: createAgent("NLA", experts.answer), ALA: createAgent("ALA", experts.answer) },
    critics: { NLA: createCritic("NLA", experts.criticise), ALA: createCritic("ALA", experts.criticise) },
    supervisor: createSupervisor(experts.supervise),
    solo: createSolo(experts.answerAlone),
  };
}

export function selectRoles(
  roles: LawRoles,
  { protocol, critique }: { protocol: string; critique: boolean },
): AnyRole[] {
  if (protocol !== "debate") return [roles.solo];
  return [...Object.values(roles.agents), ...(critique ? Object.values(roles.critics) : []), roles.supervisor];
}

/** The material of one side (law spec §2.7): its own sources, shared ones, and those it has heard. */
export function selectSide(material: Material, agent: Agent, said: Round[], isCritic = false): Material {
  const other = opponentOf(agent);
  const cited = said.flatMap((round) => [
    ...outputOf(round, other).claims,
    ...outputOf(round, other).responses,
    ...agents.flatMap((critic) => critiqueOf(round, critic)?.critiques ?? []),
  ]);
  const heard = new Set(cited.flatMap(({ evidence }) => evidence));
  const isOwn = ({ holder, id, domain }: MaterialItem): boolean =>
    holder === sides[agent] ||
    holder === "both" ||
    heard.has(id) ||
    (isCritic && holder === "critic" && domain === sides[other]);
  return { ...material, evidence: material.evidence.filter(isOwn) };
}

const readFile = remember(50, (file): string =>
  readFileSync(new URL(`../prompts/${file}.md`, import.meta.url), "utf8").trim(),
);
const readPrompt = (language: Language, name: string): string => readFile(`${language}/${name}`);

type PromptParts = { tasks: string[]; said?: Block[]; own?: Block[]; only?: string[] };

function buildPrompt({ query, material }: CaseInput, { tasks, said = [], own = [], only }: PromptParts): Prompt {
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
    Object.entries(value).filter(
      ([, one]) => one !== false && one !== null && !(Array.isArray(one) && one.length === 0),
    ),
  );
}

/** What each side says now, and every critique with what was answered to it. */
function buildDebateBlocks({ language }: Material, rounds: Round[]): Block[] {
  const buildBlock = (key: string, agent: Agent, round: number, json: object): Block[] => {
    const shown = dropEmpty({ ...json });
    const label = word(language, `prompt.${key}`, { agent, round });
    return Object.keys(shown).length > 0 ? [{ label, json: shown }] : [];
  };
  return rounds.flatMap((round) => [
    ...agents.flatMap((agent) => {
      const output = outputOf(round, agent);
      const shown = round === rounds.at(-1) ? showOutput(output) : {};
      return buildBlock("answer", agent, round.round, { responses: output.responses, ...shown });
    }),
    ...agents.flatMap((agent) => {
      const { verdicts, critiques } = critiqueOf(round, agent) ?? {};
      return critiques ? buildBlock("critique", agent, round.round, { verdicts, critiques }) : [];
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
        said: buildDebateBlocks(material, said),
        own: [
          {
            label: word(language, "prompt.to_answer"),
            json: critiques.map(({ id, target_claim_id }) => ({ id, on: target_claim_id })),
          },
        ],
      });
    },
    aids: { form: ({ round }) => ({ known: { round, agent }, labels: formLabels }) },
    ...applyChecks(agentChecks),
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
        said: buildDebateBlocks(material, said),
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
    aids: { form: ({ round }) => ({ known: { round, agent, target: opponentOf(agent) }, labels: formLabels }) },
    ...applyChecks(critiqueChecks),
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
          ...[nla, ala].map((output) => ({
            label: word(language, "prompt.final", { agent: output.agent }),
            json: dropEmpty(showOutput(output)),
          })),
          { label: word(language, "prompt.summary"), json: showSummary(summary) },
        ],
      });
    },
    aids: {
      form({ material, nla, ala }) {
        const named = [nla, ala].flatMap(({ agent, claims }) =>
          claims.map(({ id, statement }) => [`${agent}:${id}`, `${agent}:${id} ${statement}`]),
        );
        const claims = Object.fromEntries(named) as Record<string, string>;
        const known = { disclaimer: word(material.language, "say.disclaimer") };
        return { known, labels: formLabels, choices: { used_claims: claims, claim: claims } };
      },
    },
    ...applyChecks(supervisorChecks),
    expert,
  });
}

function createSolo(expert: LawExperts["answerAlone"]): Role<CaseInput, SoloAnswer> {
  return defineRole<CaseInput, SoloAnswer>({
    name: "single",
    reply: SoloAnswerSchema,
    prompt: (input) => buildPrompt(input, { tasks: [readPrompt(input.material.language, "single")] }),
    aids: { form: () => ({ labels: formLabels }) },
    ...applyChecks(soloChecks),
    expert,
  });
}

function showItems(items: MaterialItem[], language: Language) {
  const groups = Map.groupBy(items, (item) => JSON.stringify([item.regime, item.community, scopeOf(item, language)]));
  return [...groups.values()].map((group) => {
    const [first] = group as [MaterialItem];
    const items = group.map((item) =>
      dropEmpty({
        id: item.id,
        title: item.kind !== "rule" && item.kind !== "kg" && titleOf(item, language),
        statement: statementOf(item, language),
        unconfirmed: item.confidence === "unconfirmed",
        no_citable_source: item.source === null,
        imported: item.imported && item.source,
      }),
    );
    return dropEmpty({ regime: first.regime, community: first.community, scope: scopeOf(first, language), items });
  });
}

function showOutput({ claims, uncertainties, open_questions, answer }: AgentOutput) {
  return { claims: claims.map((claim) => dropEmpty(claim)), uncertainties, open_questions, answer };
}

function showSummary({ position, convergence, critiques, reasons, ...summary }: DebateSummary) {
  return {
    position_of_the_claims: position,
    converged: convergence.met,
    critiques: critiques.map(
      ({ critique: { round: _round, evidence: _ids, suggested_fix: _fix, ...critique }, ...course }) => ({
        ...critique,
        ...course,
      }),
    ),
    agreed: summary.agreed_claims.map(({ claim }) => claim),
    disputed: summary.disputed_claims.map(({ claim }) => claim),
    dropped: summary.dropped_claims.map(({ claim, statement }) => ({ claim, statement })),
    human_review: reasons.map(({ message }) => message),
  };
}
