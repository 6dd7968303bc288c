import type {
  AgentOutput,
  Claim,
  Critique,
  CritiqueMessage,
  Response,
  SoloAnswer,
  Supervision,
} from "../schemas/messages.ts";
import { opponentOf } from "../schemas/messages.ts";
import { claimOf } from "../schemas/decision.ts";
import { word } from "../words/word.ts";
import {
  type Check,
  createCitationCheck,
  createClaimChecks,
  createSpeakerCheck,
  findRepeatedIds,
  flag,
  makeIdsDistinct,
  reject,
} from "./checks.ts";
import { bearsOn, findItem, groundOf, itemBearsOn, listFigures } from "./evidence.ts";
import type { AgentInput, CaseInput, CriticInput, SupervisorInput } from "./role-inputs.ts";

/** Whether what a response cites bears on the critique or the claim it is about; giving way needs no ground. */
function bears(
  id: string,
  { response, critique_id }: Response,
  { material, critiques, previous }: AgentInput,
  reply: AgentOutput,
): boolean {
  const critique = critiques.find((one) => one.id === critique_id);
  if (response === "accepted" || !critique) return findItem(material, id) !== null;
  const claims = [...reply.claims, ...(previous?.claims ?? [])].filter(
    (claim) => claim.id === critique.target_claim_id,
  );
  return itemBearsOn(material, id, [
    critique.description,
    critique.suggested_fix,
    ...claims.map(({ statement }) => statement),
  ]);
}

/** Each critique on the agent is answered once, with a reason, on evidence that was retrieved and bears on it. */
const responses: Check<AgentOutput, AgentInput> = {
  find: (reply, input) => {
    const { critiques, material } = input;
    const { language } = material;
    const answered = new Set(reply.responses.map(({ critique_id }) => critique_id));
    return [
      ...critiques
        .filter(({ id }) => !answered.has(id))
        .map(({ id }) => flag(language, "unanswered_critique", ["responses"], { id })),
      ...reply.responses.flatMap((one, index) => {
        const tell = (code: string, key: string, ids: string[] = []) => [
          flag(language, code, ["responses", index, key], { id: one.critique_id, ids: ids.join(", ") }),
        ];
        if (!critiques.some(({ id }) => id === one.critique_id)) return tell("unknown_critique", "critique_id");
        if (!one.reason.trim()) return tell("no_reason", "reason");
        const unknown = one.evidence.filter((id) => !findItem(material, id));
        if (unknown.length > 0) return tell("unknown_evidence", "evidence", unknown);
        const idle = one.evidence.filter((id) => !bears(id, one, input, reply));
        return idle.length > 0 ? tell("idle_evidence", "evidence", idle) : [];
      }),
    ];
  },
  mend: (reply, input) => ({
    ...reply,
    responses: reply.responses
      .filter(({ critique_id, reason }) => reason.trim() && input.critiques.some(({ id }) => id === critique_id))
      .map((one) => ({ ...one, evidence: one.evidence.filter((id) => bears(id, one, input, reply)) })),
  }),
};

export const agentChecks: Check<AgentOutput, AgentInput>[] = [
  createSpeakerCheck(),
  ...createClaimChecks<AgentOutput>(),
  createCitationCheck(
    ({ material, query }) => groundOf(material, query),
    ({ claims }, { material }) =>
      claims.map(({ statement }) => statement).join(" ") || word(material.language, "say.nothing_known"),
  ),
  responses,
];

/** How many critiques a critic is expected to have in round 1; fewer may mean that the two sides only echo each other. */
const minCritiques = 3;

export function isEchoChamber(critiques: Critique[], { round, target }: CriticInput): boolean {
  return (
    round === 1 && target.claims.length > 0 && critiques.filter(({ ungrounded }) => !ungrounded).length < minCritiques
  );
}

function hasTarget({ target_claim_id, evidence }: Critique, { target, material }: CriticInput): boolean {
  if (target_claim_id === null) return evidence.some((id) => findItem(material, id));
  return claimOf(target, target_claim_id) !== null;
}

function isComplete({ description, suggested_fix }: Critique): boolean {
  return description.trim() !== "" && suggested_fix.trim() !== "";
}

/**
 * Whether a critique has ground: it brings evidence that bears on the claim or says what it is about, or it names what in the claim is
 * wrong (its words, its sources, its figures). "This is very wrong" has none.
 */
function isGrounded(
  { target_claim_id, description, suggested_fix, evidence, issue_type }: Critique,
  { target, material }: CriticInput,
): boolean {
  const claim = claimOf(target, target_claim_id);
  if (!claim) return evidence.length > 0;
  if (claim.risk && (issue_type === "evidence_gap" || issue_type === "overclaim")) return true;
  const said = `${description} ${suggested_fix}`;
  const sources = claim.evidence.flatMap((id) => findItem(material, id) ?? []);
  const isNamed = [...claim.evidence, ...sources.flatMap(({ title, title_en }) => [title, title_en])].some((name) =>
    said.toLowerCase().includes(name.toLowerCase()),
  );
  const sharesFigure = listFigures(description).some((figure) => listFigures(claim.statement).includes(figure));
  const texts = [
    claim.statement,
    ...claim.assumptions,
    ...sources.flatMap(({ statement, statement_en }) => [statement, statement_en]),
  ];
  return (
    isNamed ||
    sharesFigure ||
    bearsOn(description, texts) ||
    evidence.some((id) => itemBearsOn(material, id, [claim.statement, description]))
  );
}

const eachCritique = (
  code: string,
  key: string,
  isFine: (one: Critique, input: CriticInput) => boolean,
  mend: (one: Critique, input: CriticInput) => Critique | null,
): Check<CritiqueMessage, CriticInput> => ({
  find: ({ critiques }, input) =>
    critiques.flatMap((one, index) =>
      isFine(one, input)
        ? []
        : [
            flag(input.material.language, code, ["critiques", index, key], {
              id: one.id,
              claim: one.target_claim_id ?? "–",
              ids: one.evidence.join(", "),
            }),
          ],
    ),
  mend: (reply, input) => ({
    ...reply,
    critiques: reply.critiques.flatMap((one) => (isFine(one, input) ? one : (mend(one, input) ?? []))),
  }),
});

/** The target is the other agent: nobody criticises, and so approves, itself. */
const target: Check<CritiqueMessage, CriticInput> = {
  find: (reply, { agent, material }) =>
    reply.target === opponentOf(agent)
      ? []
      : [flag(material.language, "self_criticism", ["target"], { other: opponentOf(agent) })],
  mend: (reply, { agent }) =>
    reply.target === opponentOf(agent) ? reply : { ...reply, target: opponentOf(agent), critiques: [], cleared: [] },
};

/** From round 2 on each earlier critique of one's own is upheld or withdrawn; nobody judges another's. */
const verdicts: Check<CritiqueMessage, CriticInput> = {
  find: (reply, { earlier, material: { language } }) => {
    const own = earlier.map(({ critique }) => critique.id);
    const judged = reply.verdicts.map(({ critique_id }) => critique_id);
    return [
      ...judged.flatMap((id, at) =>
        own.includes(id) ? [] : [flag(language, "unknown_critique", ["verdicts", at, "critique_id"], { id })],
      ),
      ...own.filter((id) => !judged.includes(id)).map((id) => flag(language, "no_verdict", ["verdicts"], { id })),
    ];
  },
  mend: (reply, { earlier }) => ({
    ...reply,
    verdicts: reply.verdicts.filter(({ critique_id }) => earlier.some(({ critique }) => critique.id === critique_id)),
  }),
};

const echoChamber: Check<CritiqueMessage, CriticInput> = {
  find: (reply, input) =>
    isEchoChamber(
      reply.critiques.filter((one) => isComplete(one) && hasTarget(one, input)),
      input,
    ) && !reply.fewer_reason?.trim()
      ? [flag(input.material.language, "echo_chamber", ["critiques"], { least: minCritiques })]
      : [],
  mend: (reply) => reply,
};

export const critiqueChecks: Check<CritiqueMessage, CriticInput>[] = [
  createSpeakerCheck(),
  target,
  eachCritique(
    "unknown_evidence",
    "evidence",
    ({ evidence }, { material }) => evidence.every((id) => findItem(material, id)),
    (one, { material }) => ({ ...one, evidence: one.evidence.filter((id) => findItem(material, id)) }),
  ),
  eachCritique("unknown_target", "target_claim_id", hasTarget, () => null),
  eachCritique("incomplete_critique", "suggested_fix", isComplete, () => null),
  eachCritique("ungrounded_critique", "description", isGrounded, (one) => ({ ...one, ungrounded: true })),
  {
    find: ({ critiques }, { material }) => findRepeatedIds(material.language, "critiques", critiques),
    mend: (reply) => ({ ...reply, critiques: makeIdsDistinct(reply.critiques, "K") }),
  },
  verdicts,
  echoChamber,
];

function claimsOf({ nla, ala }: SupervisorInput): Map<string, Claim> {
  return new Map(
    [nla, ala].flatMap(({ agent, claims }) => claims.map((claim) => [`${agent}:${claim.id}`, claim] as const)),
  );
}

/** The supervisor speaks only of claims that the agents made, and rests on none that does not stand. */
const claims: Check<Supervision, SupervisorInput> = {
  find: ({ used_claims, rejected_claims, position }, input) => {
    const [known, standing, { language }] = [claimsOf(input), input.summary.position.standing, input.material];
    return [
      ...used_claims.flatMap((name, at) =>
        known.has(name) ? [] : [flag(language, "unknown_claim", ["used_claims", at], { name })],
      ),
      ...rejected_claims.flatMap(({ claim: name }, at) =>
        known.has(name) ? [] : [flag(language, "unknown_claim", ["rejected_claims", at, "claim"], { name })],
      ),
      ...(position !== "D" && !used_claims.some((name) => standing.includes(name))
        ? [reject(language, "unsupported_position", ["used_claims"], { position })]
        : []),
      ...used_claims.flatMap((name, at) =>
        known.has(name) && !standing.includes(name)
          ? [flag(language, "fallen_claim", ["used_claims", at], { name })]
          : [],
      ),
    ];
  },
  mend: (reply, input) => ({
    ...reply,
    used_claims: reply.used_claims.filter((name) => input.summary.position.standing.includes(name)),
    rejected_claims: reply.rejected_claims.filter(({ claim }) => claimsOf(input).has(claim)),
  }),
};

/** A debate that needs a person says so. */
const cautions: Check<Supervision, SupervisorInput> = {
  find: (reply, { summary, material }) =>
    summary.needs_human_review && !reply.needs_human_review
      ? [flag(material.language, "review_needed", ["needs_human_review"])]
      : [],
  mend: (reply, { summary }) => ({
    ...reply,
    needs_human_review: reply.needs_human_review || summary.needs_human_review,
  }),
};

export const supervisorChecks: Check<Supervision, SupervisorInput>[] = [
  claims,
  createCitationCheck(
    (input) => {
      const all = [...claimsOf(input).values()];
      const items = all.flatMap(({ evidence }) => evidence.flatMap((id) => findItem(input.material, id) ?? []));
      return {
        texts: [
          input.query,
          ...all.map(({ statement }) => statement),
          ...items.flatMap((item) => [item.title, item.title_en, item.statement, item.statement_en, ...item.aliases]),
        ],
      };
    },
    (_, { material, summary }) => word(material.language, `position.${summary.position.position}`),
  ),
  cautions,
];

/** As in the debate: D outside the knowledge base, and any other position needs a claim. */
const soloPosition: Check<SoloAnswer, CaseInput> = {
  find: (reply, { material: { language, route } }) => {
    if (reply.position === "D") return [];
    if (route.out_of_scope) return [flag(language, "out_of_scope", ["position"], { position: reply.position })];
    return reply.claims.some(({ evidence }) => evidence.length > 0)
      ? []
      : [reject(language, "unsupported_position", ["claims"], { position: reply.position })];
  },
  mend: (reply, { material }) => ({ ...reply, position: material.route.out_of_scope ? "D" : reply.position }),
};

export const soloChecks: Check<SoloAnswer, CaseInput>[] = [
  ...createClaimChecks<SoloAnswer>(),
  createCitationCheck(
    ({ material, query }) => groundOf(material, query),
    (reply, { material }) => word(material.language, `position.${reply.position}`),
  ),
  soloPosition,
];

/** Every answer says that it is not legal advice: what does not say so is added to, and nobody is asked again for it. */
export function completeDisclaimer(text: string, language: "id" | "en"): string {
  return isDisclaimer(text) ? text : `${text} ${word(language, "say.disclaimer")}`.trim();
}

export function isDisclaimer(text: string): boolean {
  return /bukan (?:merupakan )?nasihat hukum|not (?:constitute |be )?legal advice|no legal advice/i.test(text);
}
