import { claimOf, type DebateSummary } from "../schemas/decision.ts";
import type { MaterialItem } from "../schemas/material.ts";
import {
  type AgentOutput,
  type Critique,
  type CritiqueMessage,
  opponentOf,
  type Response,
  type SoloAnswer,
  type Supervision,
} from "../schemas/messages.ts";
import { segmentSentences } from "../../../text/split-text.ts";
import { word } from "../words/word.ts";
import { wordConclusion } from "./answer.ts";
import {
  type Check,
  checkEach,
  createCitationCheck,
  createClaimChecks,
  createIdCheck,
  createSpeakerCheck,
  createTextCheck,
  flag,
  hiddenLetters,
  reject,
  selectEvidence,
} from "./checks.ts";
import { isBorneBy, listClaims, minCritiques, namesClaim } from "./claims.ts";
import {
  addsDenial,
  addsWords,
  bearsOn,
  countSaid,
  deniesSource,
  everyClause,
  findItem,
  itemBearsOn,
  listClauses,
  mixesLaws,
  oversteps,
} from "./evidence.ts";
import { collectGround, findInvented, type Ground, groundOf, listSaid, mixesFigures } from "./figures.ts";
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
  return selectEvidence(one, input, values, (id) => bears(id, one, input, reply));
});

export const agentChecks: Check<AgentOutput, AgentInput>[] = [
  hiddenLetters,
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

/** True when a critique's evidence bears on its subject; a clash of norms brings the other norm. */
function isToThePoint(id: string, critique: Critique, { target, material, query }: CriticInput): boolean {
  if (critique.issue_type === "conflict") return findItem(material, id) !== null;
  const { target_claim_id, description, suggested_fix } = critique;
  const said = claimOf(target, target_claim_id)?.statement ?? "";
  const { title = "", title_en = "" } = findItem(material, id) ?? {};
  if ([id, title, title_en].some((name) => name !== "" && description.includes(name))) return true;
  return itemBearsOn(material, id, [said, `${description} ${suggested_fix}`, query]);
}

/** True when a critique says what is wrong with the claim, which a mere copy does not, or brings evidence the claim does not cite. */
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
  const texts = sources.flatMap(({ statement, statement_en }) => [statement, statement_en]);
  const isNamed =
    names.some((name) => said.includes(name.toLowerCase())) ||
    namesClaim(description, claim) ||
    bearsOn(description, texts);
  return (
    (isNamed && addsWords(description, claim.statement)) ||
    evidence.some((id) => !claim.evidence.includes(id) && itemBearsOn(material, id, [claim.statement, description]))
  );
}

const nameCritique = (one: Critique): Record<string, string> => ({ id: one.id, claim: one.target_claim_id ?? "–" });

const critiqueEvidence = checkEach<"critiques", Critique, CritiqueMessage, CriticInput>("critiques", (one, input) =>
  selectEvidence(one, input, nameCritique(one), (id) => isToThePoint(id, one, input)),
);

const critiques = checkEach<"critiques", Critique, CritiqueMessage, CriticInput>("critiques", (one, input) => {
  const values = nameCritique(one);
  const wrong = (code: string, key: string, instead: Critique | null) => ({ code, key, values, instead });
  if (!hasTarget(one, input)) return wrong("unknown_target", "target_claim_id", null);
  if (!isComplete(one)) return wrong("incomplete_critique", "suggested_fix", null);
  return isGrounded(one, input) ? null : wrong("ungrounded_critique", "description", { ...one, ungrounded: true });
});

const target: Check<CritiqueMessage, CriticInput> = (reply, { agent, material }) => {
  const other = opponentOf(agent);
  if (reply.target === other) return { problems: [], mended: reply };
  return {
    problems: [flag(material.language, "self_criticism", ["target"], { other })],
    mended: { ...reply, target: other, critiques: [], cleared: [] },
  };
};

/** From round 2 on, critics uphold or withdraw each of their own earlier critiques, and nobody else's. */
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

/** The sources that support a clause best. */
function findSayers(clause: string, sources: MaterialItem[], query: string): MaterialItem[] {
  const rank = ({ statement, statement_en }: MaterialItem): number => countSaid(clause, [statement, statement_en]);
  const saying = sources.filter((item) => isBorneBy(item, clause, query));
  const most = Math.max(...saying.map(rank));
  return saying.filter((item) => rank(item) === most);
}

/** A claim is cleared only by a critic who says what one of its sources says: an id, a few words or another source do not show reading. */
const cleared: Check<CritiqueMessage, CriticInput> = (reply, { target, material, query }) => {
  const sourcesOf = (id: string): MaterialItem[] =>
    (claimOf(target, id)?.evidence ?? []).flatMap((one) => findItem(material, one) ?? []);
  const sources = target.claims.flatMap(({ id }) => sourcesOf(id));
  const read = new Set(listClauses(reply.fewer_reason ?? "").flatMap((clause) => findSayers(clause, sources, query)));
  const sound = reply.cleared.filter((id) => sourcesOf(id).some((item) => read.has(item)));
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
  hiddenLetters,
  createSpeakerCheck(),
  target,
  critiqueEvidence,
  critiques,
  createIdCheck("critiques", "duplicate_critique_id", "K"),
  verdicts,
  cleared,
  echoChamber,
];

function groundOfClaims(input: SupervisorInput): Ground {
  return collectGround([...listSaid(listClaims(input), input.query, input.material), ...input.material.laws]);
}

const listNames = (input: SupervisorInput): string[] => listClaims(input).map(({ claim }) => claim);

function findUnknown(name: string, key: string | undefined, input: SupervisorInput) {
  const names = listNames(input);
  const values = { name, claims: names.join(", ") || "–" };
  return names.includes(name) ? null : { code: "unknown_claim", ...(key && { key }), values, instead: null };
}

const usedClaims = checkEach<"used_claims", string, Supervision, SupervisorInput>(
  "used_claims",
  (name, input) =>
    findUnknown(name, undefined, input) ??
    (input.summary.position.standing.includes(name) ? null : { code: "fallen_claim", values: { name }, instead: null }),
);

const synthesis: Check<Supervision, SupervisorInput> = (reply, { summary, material: { language } }) => {
  const { used_claims, position, needs_human_review } = reply;
  const isSupported = position === "D" || used_claims.some((name) => summary.position.standing.includes(name));
  const isWaved = summary.needs_human_review && !needs_human_review;
  return {
    problems: [
      ...(isSupported ? [] : [reject(language, "unsupported_position", ["used_claims"], { position })]),
      ...(isWaved ? [flag(language, "review_needed", ["needs_human_review"])] : []),
    ],
    mended: { ...reply, needs_human_review: needs_human_review || summary.needs_human_review },
  };
};

const named = new RegExp(
  `(?:${word("id", "label.position")}|${word("en", "label.position")})\\s*[:=]?\\s*([A-E])(?![\\p{L}\\p{N}])`,
  "giu",
);

/** Positions that differ from the one the claims lead to. */
function findPositions(text: string, { position }: DebateSummary): string[] {
  const others = [...text.matchAll(named)].filter(([, letter = ""]) => letter.toUpperCase() !== position.position);
  return others.map(([whole]) => whole);
}

/** The sentences of a text, also split at colons, since "All of this is wrong: …" makes a statement. */
function listStatements(text: string): string[] {
  return [...segmentSentences(text)]
    .flatMap((one) => [one, ...one.split(/:\s/u).slice(0, -1)])
    .map((one) => one.trim());
}

/** Sentences with a clause that no source of a standing claim says under its own law, and that the rules do not say either. */
function findUnclaimed(input: SupervisorInput): (text: string) => string[] {
  const { query, material, summary } = input;
  const standing = listClaims(input).filter(({ claim }) => summary.position.standing.includes(claim));
  const items = [
    ...new Set(standing.flatMap(({ evidence }) => evidence.flatMap((id) => findItem(material, id) ?? []))),
  ];
  const { answer, reasons, dissent, disclaimer } = wordConclusion(input);
  const own = [
    answer,
    ...reasons,
    dissent ?? "",
    disclaimer,
    ...["reading_unclear", "match_unclear"].map((key) => word(material.language, `say.${key}`)),
  ];
  const worded = new Set(own.flatMap(listStatements));
  const isSaid = (clause: string): boolean => {
    const [source] = findSayers(clause, items, query);
    if (!source || addsDenial(clause, source)) return false;
    const others = items.filter(({ regime }) => regime !== source.regime);
    if (mixesLaws(clause, [source], others)) return false;
    if (mixesFigures(clause, source)) return false;
    return !items.some(({ id }) => deniesSource({ statement: clause, evidence: [id] }, material));
  };
  const isFine = (one: string): boolean =>
    one === "" ||
    worded.has(one) ||
    (everyClause(one, isSaid) && !listClauses(one, 1).some((clause) => oversteps(clause, items, query)));
  return (text) => listStatements(text).filter((one) => !isFine(one));
}

const sayPosition = (_: Supervision, { material, summary }: SupervisorInput): string =>
  word(material.language, `position.${summary.position.position}`);

/** The rules say why a claim is not used; additions by the supervisor may not invent anything. */
const refusals = checkEach<"rejected_claims", Supervision["rejected_claims"][number], Supervision, SupervisorInput>(
  "rejected_claims",
  (one, input) => {
    const invented = findInvented(one.why, groundOfClaims(input)).join(", ");
    const wrong = { code: "invented_citation", key: "why", values: { invented }, instead: null };
    return findUnknown(one.claim, "claim", input) ?? (invented === "" ? null : wrong);
  },
);

export const supervisorChecks: Check<Supervision, SupervisorInput>[] = [
  hiddenLetters,
  usedClaims,
  synthesis,
  refusals,
  createTextCheck(
    "contradicts_claims",
    ({ summary }) =>
      (text) =>
        findPositions(text, summary),
    sayPosition,
  ),
  createTextCheck("not_claimed", findUnclaimed, sayPosition, ["answer", "reasons", "dissent"]),
  createCitationCheck(groundOfClaims, sayPosition),
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
  hiddenLetters,
  ...createClaimChecks<SoloAnswer, CaseInput>(),
  createCitationCheck(
    ({ material, query }) => groundOf(material, query),
    (reply, { material }) => word(material.language, `position.${reply.position}`),
  ),
  soloPosition,
];
