import type { Problem } from "../../../../contract/turn.ts";
import { findEvidence } from "../../../../knowledge/law/index.ts";
import { phrasesOf } from "../wording/phrases.ts";
import type { Claim } from "../../schemas/agent-output.ts";
import type { Supervision } from "../../schemas/supervision.ts";
import { isUnsettled } from "../critique-status.ts";
import type { SupervisorInput } from "../role-inputs.ts";
import { type Check, reject, flag, tellingOf } from "./check.ts";
import type { Ground } from "./invented-citations.ts";
import { createCitationCheck } from "./text-citations.ts";

type SupervisorCheck = Check<Supervision, SupervisorInput>;

/** The supervisor speaks only of claims that the agents made, and does not use one without evidence or under an open CRITICAL. */
const claims: SupervisorCheck = {
  find: (reply, input) => {
    const known = mapClaims(input);
    const tell = tellingOf(input);
    const unknown = (name: string, path: (string | number)[]): Problem[] =>
      known.has(name) ? [] : [flag("unknown_claim", tell.unknownClaim(name), path)];
    const unsound = (name: string, path: (string | number)[]): Problem[] => {
      const why = known.has(name) ? findUnsoundness(name, input) : null;
      return why === null ? [] : [flag("unsound_claim", tell.unsound(name, why), path)];
    };
    return [
      ...reply.used_claims.flatMap((name, at) => unknown(name, ["used_claims", at])),
      ...reply.rejected_claims.flatMap(({ claim }, at) => unknown(claim, ["rejected_claims", at, "claim"])),
      ...reply.used_claims.flatMap((name, at) => unsound(name, ["used_claims", at])),
    ];
  },
  mend: (reply, input) => {
    const known = mapClaims(input);
    const unsound = reply.used_claims.filter((name) => known.has(name) && findUnsoundness(name, input) !== null);
    const dropped = unsound.map((claim) => ({ claim, why: findUnsoundness(claim, input) ?? "" }));
    return {
      ...reply,
      used_claims: reply.used_claims.filter((name) => known.has(name) && !unsound.includes(name)),
      rejected_claims: [...reply.rejected_claims.filter(({ claim }) => known.has(claim)), ...dropped],
    };
  },
};

/** A question outside the knowledge base is answered D; any other position needs a claim that supports it. */
const position: SupervisorCheck = {
  find: (reply, input) => {
    if (reply.position === "D") return [];
    if (input.file.route.out_of_scope)
      return [flag("out_of_scope", tellingOf(input).outOfScope(reply.position), ["position"])];
    const known = mapClaims(input);
    return reply.used_claims.some((name) => known.has(name) && findUnsoundness(name, input) === null)
      ? []
      : [reject("unsupported_position", tellingOf(input).unsupported(reply.position), ["used_claims"])];
  },
  mend: (reply, { file }) => (file.route.out_of_scope ? { ...reply, position: "D", used_claims: [] } : reply),
};

/** The answer, its reasons and the dissent name no provision that neither the claims nor the question name. */
const citations: SupervisorCheck = createCitationCheck(getGround, ({ position }, { file }) =>
  phrasesOf(file.retrieval.language).answer.positionLine(position),
);

/** A debate that needs a person says so. */
const cautions: SupervisorCheck = {
  find: (reply, { summary, file }) =>
    summary.needs_human_review && !reply.needs_human_review
      ? [flag("review_needed", tellingOf({ file }).reviewNeeded(), ["needs_human_review"])]
      : [],
  mend: (reply, { summary }) => ({
    ...reply,
    needs_human_review: reply.needs_human_review || summary.needs_human_review,
  }),
};

export const supervisorChecks: SupervisorCheck[] = [claims, position, citations, cautions];

/** Every answer says that it is not legal advice: what does not say so, or in a language that is not read here, is added to. Nobody is asked again for it. */
export function completeDisclaimer(text: string, language: "id" | "en"): string {
  return isDisclaimer(text) ? text : `${text} ${phrasesOf(language).disclaimer()}`.trim();
}

/** True when a text says that it is not legal advice. */
export function isDisclaimer(text: string): boolean {
  return /bukan (?:merupakan )?nasihat hukum|not (?:constitute |be )?legal advice|no legal advice/i.test(text);
}

function mapClaims({ nla, ala }: SupervisorInput): Map<string, Claim> {
  return new Map([nla, ala].flatMap((output) => output.claims.map((claim) => [`${output.agent}:${claim.id}`, claim])));
}

function findUnsoundness(name: string, input: SupervisorInput): string | null {
  if (mapClaims(input).get(name)?.evidence.length === 0) return tellingOf(input).withoutEvidence();
  const open = input.summary.critiques.find(
    (one) =>
      isUnsettled(one) &&
      one.critique.severity === "CRITICAL" &&
      one.critique.target_claim_id !== null &&
      `${one.critique.target}:${one.critique.target_claim_id}` === name,
  );
  return open ? tellingOf(input).underCritical(`${open.critique.agent}:${open.critique.id}`) : null;
}

/** The supervisor may speak of the agents' claims and of the sources they cite. */
function getGround(input: SupervisorInput): Ground {
  let ground = grounds.get(input);
  if (!ground) {
    const claims = [...input.nla.claims, ...input.ala.claims];
    const ids = new Set(claims.flatMap(({ evidence }) => evidence));
    ground = {
      sources: [...ids].flatMap((id) => findEvidence(input.file, id) ?? []),
      said: claims.flatMap(({ statement, assumptions }) => [statement, ...assumptions]),
    };
    grounds.set(input, ground);
  }
  return ground;
}

const grounds = new WeakMap<SupervisorInput, Ground>();
