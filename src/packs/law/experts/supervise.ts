import { type CaseFile, isPure } from "../../../knowledge/law/index.ts";
import { isUnsettled } from "../rules/critique-status.ts";
import type { DebateSummary } from "../rules/debate-summary.ts";
import type { AgentOutput, Claim } from "../schemas/agent-output.ts";
import type { LawPosition, Supervision } from "../schemas/supervision.ts";
import type { SupervisorInput } from "../rules/role-inputs.ts";
import { type Clash, findClashes } from "./claims/clashes.ts";
import { askDisputed } from "./claims/disputed-ground.ts";
import { findCitedItems } from "./claims/claim-support.ts";
import { phrasesOf } from "../rules/wording/phrases.ts";
import { nameClaim, findPosition, type Reading } from "./position.ts";
import { selectIndependent } from "./claims/source-confidence.ts";
import { writeSupervisorAnswer } from "./supervisor-answer.ts";

type Rejected = Supervision["rejected_claims"][number];

/** The expert supervisor: synthesises from the two sides' claims only, and says which hold, which do not and why. */
export function supervise(input: SupervisorInput): Supervision {
  const { file, summary } = input;
  const { holding, rejected } = sift(input);
  const reading = readClaims(input, holding);
  const { position, reasons } = findPosition(reading);
  const used = selectUsed(reading, position);
  const unused = holding
    .filter((name) => !used.includes(name))
    .map((claim): Rejected => ({ claim, why: phrasesOf(file.retrieval.language).notAsked() }));
  const phrases = phrasesOf(file.retrieval.language);
  const disputed = askDisputed(file, selectClaims(reading, used));
  return {
    answer: writeSupervisorAnswer({ reading, position, used, disputed }, input),
    position,
    reasons: [...reasons, ...(disputed.length > 0 ? [phrases.reasons.disputed(disputed)] : [])],
    used_claims: used,
    rejected_claims: [...rejected, ...unused],
    applicable_regimes: listRegimes(file, reading, position),
    dissent: writeDissent(reading, position, summary),
    needs_human_review: summary.needs_human_review || disputed.length > 0,
    disclaimer: phrases.disclaimer(),
  };
}

/** A claim holds when it has evidence and no serious critique of it is open. */
function sift({ nla, ala, summary, file }: SupervisorInput): { holding: string[]; rejected: Rejected[] } {
  const phrases = phrasesOf(file.retrieval.language);
  const named = [nla, ala].flatMap((output) =>
    output.claims.map((claim) => ({ name: nameClaim(output, claim), claim })),
  );
  const judged = named.map(({ name, claim }) => ({ name, why: findObstacle(name, claim, summary, phrases) }));
  return {
    holding: judged.filter(({ why }) => why === null).map(({ name }) => name),
    rejected: judged.flatMap(({ name, why }) => (why === null ? [] : [{ claim: name, why }])),
  };
}

function findObstacle(
  name: string,
  claim: Claim,
  summary: DebateSummary,
  phrases: ReturnType<typeof phrasesOf>,
): string | null {
  if (claim.evidence.length === 0) return phrases.noEvidence();
  const open = summary.critiques.find(
    (one) =>
      isUnsettled(one) &&
      one.critique.severity !== "MINOR" &&
      one.critique.target_claim_id !== null &&
      `${one.critique.target}:${one.critique.target_claim_id}` === name,
  );
  return open ? phrases.openCritique(`${open.critique.agent}:${open.critique.id}`, open.critique.description) : null;
}

function readClaims({ file, nla, ala, summary }: SupervisorInput, holding: string[]): Reading {
  const kept = (output: AgentOutput): AgentOutput => ({
    ...output,
    claims: output.claims.filter((claim) => holding.includes(nameClaim(output, claim))),
  });
  const [national, adat] = [kept(nla), kept(ala)];
  const clashes = findClashes(file, national, adat).filter((clash) => !isLetRest(clash, summary));
  const wasCriticised = summary.critiques.length > 0;
  return { file, national: national.claims, adat: adat.claims, clashes, wasCriticised };
}

/** A clash that was raised and that every critic who raised it has let rest: the debate found that the two can be read together. */
function isLetRest({ nla, ala }: Clash, { critiques }: DebateSummary): boolean {
  const raised = critiques.filter(
    ({ critique: { issue_type, target, target_claim_id } }) =>
      issue_type === "conflict" && target_claim_id === (target === "NLA" ? nla.id : ala.id),
  );
  return raised.length > 0 && raised.every(({ status }) => status === "withdrawn" || status === "accepted");
}

/** Under a pure position the other side's claims are background, not part of the answer. */
function selectUsed({ file, national, adat }: Reading, position: LawPosition): string[] {
  const ofNational = national.map((claim) => nameClaim({ agent: "NLA" }, claim));
  const ofAdat = adat.map((claim) => nameClaim({ agent: "ALA" }, claim));
  const pure = isPure(file);
  if (position === "D") return [];
  if (position === "A" && pure) return ofNational;
  return position === "B" && pure ? ofAdat : [...ofNational, ...ofAdat];
}

function selectClaims({ national, adat }: Reading, used: string[]): Claim[] {
  return [
    ...national.filter((claim) => used.includes(nameClaim({ agent: "NLA" }, claim))),
    ...adat.filter((claim) => used.includes(nameClaim({ agent: "ALA" }, claim))),
  ];
}

/** The bodies of law behind the claims that are used, with whom each binds. */
function listRegimes(file: CaseFile, reading: Reading, position: LawPosition): string[] {
  const phrases = phrasesOf(file.retrieval.language);
  const claims = selectClaims(reading, selectUsed(reading, position));
  const items = claims.flatMap((claim) => selectIndependent(findCitedItems(file, claim)));
  return [...new Set(items.map(phrases.regime))];
}

/** The reading that does not prevail, or what is still disputed. */
function writeDissent({ file, clashes }: Reading, position: LawPosition, summary: DebateSummary): string | null {
  const phrases = phrasesOf(file.retrieval.language);
  const disputed = summary.disputed_claims.map(({ claim }) => claim);
  if (position === "D" || (clashes.length === 0 && disputed.length === 0)) return null;
  return phrases.dissent(
    clashes.map(({ nla, ala }) => `NLA:${nla.id} ↔ ALA:${ala.id}`),
    disputed,
  );
}
