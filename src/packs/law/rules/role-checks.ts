import { claimOf, type DebateSummary } from "../schemas/decision.ts";
import {
  type AgentOutput,
  type Claim,
  type Critique,
  type CritiqueMessage,
  opponentOf,
  type Response,
  type SoloAnswer,
  type Supervision,
} from "../schemas/messages.ts";
import { word } from "../words/word.ts";
import {
  type Check,
  checkEach,
  createCitationCheck,
  createClaimChecks,
  createIdCheck,
  createSpeakerCheck,
  createTextCheck,
  flag,
  reject,
} from "./checks.ts";
import { listClaims, minCritiques, namesClaim } from "./claims.ts";
import { bearsOn, findItem, isSameClaim, itemBearsOn, resolveIds } from "./evidence.ts";
import { collectGround, groundOf, textsOf } from "./figures.ts";
import type { AgentInput, CaseInput, CriticInput, SupervisorInput } from "./role-inputs.ts";

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
  const said = claims.map(({ statement }) => statement);
  return itemBearsOn(material, id, [critique.description, critique.suggested_fix, ...said]);
}

const allAnswered: Check<AgentOutput, AgentInput> = (reply, { critiques, material }) => ({
  problems: critiques
    .filter(({ id }) => !reply.responses.some(({ critique_id }) => critique_id === id))
    .map(({ id }) => flag(material.language, "unanswered_critique", ["responses"], { id })),
  mended: reply,
});

const responses = checkEach<"responses", Response, AgentOutput, AgentInput>("responses", (one, input, reply) => {
  const values = { id: one.critique_id };
  if (!input.critiques.some(({ id }) => id === one.critique_id))
    return { code: "unknown_critique", key: "critique_id", values, instead: null };
  if (!one.reason.trim()) return { code: "no_reason", key: "reason", values, instead: null };
  const idle = one.evidence.filter((id) => !bears(id, one, input, reply));
  if (idle.length === 0) return null;
  const unknown = idle.filter((id) => !findItem(input.material, id));
  return {
    code: unknown.length > 0 ? "unknown_evidence" : "idle_evidence",
    key: "evidence",
    values: { ...values, ids: (unknown.length > 0 ? unknown : idle).join(", ") },
    instead: { ...one, evidence: one.evidence.filter((id) => !idle.includes(id)) },
  };
});

/** Nobody becomes surer of a claim without a new source for it or a critique of it answered on evidence. */
const confidence = checkEach<"claims", Claim, AgentOutput, AgentInput>(
  "claims",
  (claim, input, { responses: given }) => {
    const { previous, critiques, material } = input;
    const before = previous?.claims.find((one) => one.id === claim.id || isSameClaim(one, claim));
    if (!before || claim.confidence <= before.confidence) return null;
    const answered = given.filter(({ response, evidence }) => response === "rejected" && evidence.length > 0);
    const isAnswered = critiques.some(
      ({ id, target_claim_id }) =>
        target_claim_id === before.id && answered.some(({ critique_id }) => critique_id === id),
    );
    const added = resolveIds(material, claim.evidence).filter((id) => !before.evidence.includes(id));
    if (isAnswered || added.some((id) => itemBearsOn(material, id, [claim.statement]))) return null;
    const values = { id: claim.id, before: before.confidence };
    return { code: "surer", key: "confidence", values, instead: { ...claim, confidence: before.confidence } };
  },
);

export const agentChecks: Check<AgentOutput, AgentInput>[] = [
  createSpeakerCheck(),
  ...createClaimChecks<AgentOutput, AgentInput>(),
  createCitationCheck(
    ({ material, query }) => groundOf(material, query),
    ({ claims }, { material }) =>
      claims.flatMap(({ statement, risk }) => (risk ? [] : [statement])).join(" ") ||
      word(material.language, "say.nothing_known"),
  ),
  allAnswered,
  responses,
  confidence,
];

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
  return [description, suggested_fix].every((text) => /\p{L}{4}/u.test(text));
}

/** Whether what a critique brings bears on anything that it is about; a clash of norms brings the other norm. */
function isToThePoint(id: string, critique: Critique, { target, material, query }: CriticInput): boolean {
  if (critique.issue_type === "conflict") return findItem(material, id) !== null;
  const { target_claim_id, description, suggested_fix } = critique;
  const said = claimOf(target, target_claim_id)?.statement ?? "";
  const { title = "", title_en = "" } = findItem(material, id) ?? {};
  if ([id, title, title_en].some((name) => name !== "" && description.includes(name))) return true;
  return itemBearsOn(material, id, [said, `${description} ${suggested_fix}`, query]);
}

/** Whether a critique names what in the claim is wrong, or brings evidence that the claim does not cite. */
function isGrounded(
  { target_claim_id, description, suggested_fix, evidence, issue_type }: Critique,
  { target, material }: CriticInput,
): boolean {
  const claim = claimOf(target, target_claim_id);
  if (!claim) return evidence.length > 0;
  if (claim.risk && (issue_type === "evidence_gap" || issue_type === "overclaim")) return true;
  const said = `${description} ${suggested_fix}`.toLowerCase();
  const sources = claim.evidence.flatMap((id) => findItem(material, id) ?? []);
  const names = [...claim.evidence, ...sources.flatMap(({ title, title_en }) => [title, title_en])];
  const texts = [
    claim.statement,
    ...claim.assumptions,
    ...sources.flatMap(({ statement, statement_en }) => [statement, statement_en]),
  ];
  return (
    names.some((name) => said.includes(name.toLowerCase())) ||
    namesClaim(description, claim) ||
    bearsOn(description, texts) ||
    evidence.some((id) => !claim.evidence.includes(id) && itemBearsOn(material, id, [claim.statement, description]))
  );
}

function checkCritiques(
  code: string,
  key: string,
  isFine: (one: Critique, input: CriticInput) => boolean,
  mend: (one: Critique, input: CriticInput) => Critique | null,
): Check<CritiqueMessage, CriticInput> {
  return checkEach<"critiques", Critique, CritiqueMessage, CriticInput>("critiques", (one, input) => {
    const values = { id: one.id, claim: one.target_claim_id ?? "–", ids: one.evidence.join(", ") };
    return isFine(one, input) ? null : { code, key, values, instead: mend(one, input) };
  });
}

const target: Check<CritiqueMessage, CriticInput> = (reply, { agent, material }) => {
  const other = opponentOf(agent);
  if (reply.target === other) return { problems: [], mended: reply };
  return {
    problems: [flag(material.language, "self_criticism", ["target"], { other })],
    mended: { ...reply, target: other, critiques: [], cleared: [] },
  };
};

/** From round 2 on each earlier critique of one's own is upheld or withdrawn; nobody judges another's. */
const verdicts: Check<CritiqueMessage, CriticInput> = (reply, { earlier, material: { language } }) => {
  const own = earlier.map(({ critique }) => critique.id);
  const given = reply.verdicts.filter(({ reason }) => /\p{L}{3}/u.test(reason));
  const judged = given.map(({ critique_id }) => critique_id);
  return {
    problems: [
      ...reply.verdicts.flatMap(({ critique_id: id }, at) =>
        own.includes(id) ? [] : [flag(language, "unknown_critique", ["verdicts", at, "critique_id"], { id })],
      ),
      ...own.filter((id) => !judged.includes(id)).map((id) => flag(language, "no_verdict", ["verdicts"], { id })),
    ],
    mended: { ...reply, verdicts: given.filter(({ critique_id }) => own.includes(critique_id)) },
  };
};

const denial = /(?<!\S)(?:tidak|belum|bukan|tanpa|not|never|without|no|\w+n't)\s/u;
const unread =
  /(?<!\S)(?:tidak|belum|not|never|\w+n't)\s(?:\S+\s)?(?:di|mem)?(?:baca|banding|periksa|lihat|read|compare|check|look|open)/u;

/** A claim is found sound only by a critic who says with which of its sources it was compared. */
const cleared: Check<CritiqueMessage, CriticInput> = (reply, { target, material }) => {
  const sentences = (reply.fewer_reason ?? "").toLowerCase().split(/(?<=[.!?;])\s+/u);
  // "I have not read X" names X as well.
  const isNamed = (name: string): boolean =>
    sentences.some((one) => one.includes(name) && !denial.test(one.slice(0, one.indexOf(name))) && !unread.test(one));
  const isRead = (id: string): boolean =>
    claimOf(target, id)?.evidence.some((one) => {
      const item = findItem(material, one);
      return item && [item.id, ...item.aliases].some((name) => isNamed(name.toLowerCase()));
    }) ?? false;
  const sound = reply.cleared.filter(isRead);
  return {
    problems: reply.cleared.flatMap((id, at) =>
      sound.includes(id) ? [] : [flag(material.language, "cleared_unread", ["cleared", at], { id })],
    ),
    mended: { ...reply, cleared: sound },
  };
};

const echoChamber: Check<CritiqueMessage, CriticInput> = (reply, input) => {
  const counting = reply.critiques.filter((one) => isComplete(one) && hasTarget(one, input));
  const isEcho = isEchoChamber(counting, input) && !reply.fewer_reason?.trim();
  const problem = flag(input.material.language, "echo_chamber", ["critiques"], { least: minCritiques });
  return { problems: isEcho ? [problem] : [], mended: reply };
};

export const critiqueChecks: Check<CritiqueMessage, CriticInput>[] = [
  createSpeakerCheck(),
  target,
  checkCritiques(
    "unknown_evidence",
    "evidence",
    ({ evidence }, { material }) => evidence.every((id) => findItem(material, id)),
    (one, { material }) => ({ ...one, evidence: one.evidence.filter((id) => findItem(material, id)) }),
  ),
  checkCritiques(
    "idle_evidence",
    "evidence",
    (one, input) => one.evidence.every((id) => isToThePoint(id, one, input)),
    (one, input) => ({ ...one, evidence: one.evidence.filter((id) => isToThePoint(id, one, input)) }),
  ),
  checkCritiques("unknown_target", "target_claim_id", hasTarget, () => null),
  checkCritiques("incomplete_critique", "suggested_fix", isComplete, () => null),
  checkCritiques("ungrounded_critique", "description", isGrounded, (one) => ({ ...one, ungrounded: true })),
  createIdCheck("critiques", "duplicate_critique_id", "K"),
  verdicts,
  cleared,
  echoChamber,
];

function claimsOf(input: SupervisorInput): Map<string, Claim> {
  return new Map(listClaims(input).map((one) => [one.claim, one]));
}

const synthesis: Check<Supervision, SupervisorInput> = (reply, input) => {
  const { summary, material } = input;
  const [known, standing, { language }] = [claimsOf(input), summary.position.standing, material];
  const { used_claims, rejected_claims, position, needs_human_review } = reply;
  const used = used_claims.filter((name) => standing.includes(name));
  const claims = [...known.keys()].join(", ") || "–";
  return {
    problems: [
      ...used_claims.flatMap((name, at) =>
        used.includes(name)
          ? []
          : [flag(language, known.has(name) ? "fallen_claim" : "unknown_claim", ["used_claims", at], { name, claims })],
      ),
      ...rejected_claims.flatMap(({ claim: name }, at) =>
        known.has(name) ? [] : [flag(language, "unknown_claim", ["rejected_claims", at, "claim"], { name, claims })],
      ),
      ...(position !== "D" && used.length === 0
        ? [reject(language, "unsupported_position", ["used_claims"], { position })]
        : []),
      ...(summary.needs_human_review && !needs_human_review
        ? [flag(language, "review_needed", ["needs_human_review"])]
        : []),
    ],
    mended: {
      ...reply,
      used_claims: used,
      rejected_claims: rejected_claims.filter(({ claim }) => known.has(claim)),
      needs_human_review: needs_human_review || summary.needs_human_review,
    },
  };
};

function findContradictions(text: string, { position, needs_human_review }: DebateSummary): string[] {
  const others = [...text.matchAll(/\b(?:posisi|position)\s*[:=]?\s*([A-E])\b/giu)]
    .filter(([, letter = ""]) => letter.toUpperCase() !== position.position)
    .map(([named]) => named);
  const waived = /[^.!?\n]*\b(?:peninjauan|tinjauan|ditinjau|reviews?|reviewed)\b[^.!?\n]*/giu;
  const denials = [...text.matchAll(waived)].map(([sentence]) => sentence.trim());
  return [
    ...others,
    ...(needs_human_review ? denials.filter((one) => /\b(?:tidak|tak|tanpa|no|not|without)\b/iu.test(one)) : []),
  ];
}

const sayPosition = (_: Supervision, { material, summary }: SupervisorInput): string =>
  word(material.language, `position.${summary.position.position}`);

export const supervisorChecks: Check<Supervision, SupervisorInput>[] = [
  synthesis,
  createTextCheck(
    "contradicts_claims",
    ({ summary }) =>
      (text) =>
        findContradictions(text, summary),
    sayPosition,
  ),
  createCitationCheck((input) => {
    const all = [...claimsOf(input).values()];
    const items = all.flatMap(({ evidence }) => evidence.flatMap((id) => findItem(input.material, id) ?? []));
    return collectGround([
      input.query,
      ...all.map(({ statement }) => statement),
      ...items.flatMap((item) => [...textsOf(item), ...item.aliases]),
      ...input.material.laws,
    ]);
  }, sayPosition),
];

const soloPosition: Check<SoloAnswer, CaseInput> = (reply, { material: { language, route } }) => {
  const { position, claims } = reply;
  if (position === "D") return { problems: [], mended: reply };
  if (route.out_of_scope)
    return {
      problems: [flag(language, "out_of_scope", ["position"], { position })],
      mended: { ...reply, position: "D" },
    };
  const isSupported = claims.some(({ evidence }) => evidence.length > 0);
  const problem = reject(language, "unsupported_position", ["claims"], { position });
  return { problems: isSupported ? [] : [problem], mended: reply };
};

export const soloChecks: Check<SoloAnswer, CaseInput>[] = [
  ...createClaimChecks<SoloAnswer, CaseInput>(),
  createCitationCheck(
    ({ material, query }) => groundOf(material, query),
    (reply, { material }) => word(material.language, `position.${reply.position}`),
  ),
  soloPosition,
];
