import type { Problem } from "../../../contract/turn.ts";
import type { Language } from "../schemas/material.ts";
import type { Claim, Fault } from "../schemas/messages.ts";
import { word } from "../words/word.ts";
import { findForeignFigures, findInvented, findItem, type Ground, groundOf, strikeInvented } from "./evidence.ts";
import type { CaseInput } from "./role-inputs.ts";

/** One parse-time check (law spec §3.1): what is wrong, and what is struck, flagged or cut when it stays wrong. */
export type Check<R, I> = { find(reply: R, input: I): Problem[]; mend(reply: R, input: I): R };
type Path = (string | number)[];

/** Everything the checks find wrong with a reply. */
export function findAll<R, I>(checks: Check<R, I>[], reply: R, input: I): Problem[] {
  return checks.flatMap((check) => check.find(reply, input));
}

/** The reply with every check's mend applied in order, and what was wrong recorded as its faults. */
export function mendAll<R extends { faults?: Fault[] | undefined }, I>(
  checks: Check<R, I>[],
  reply: R,
  problems: Problem[],
  input: I,
): R {
  const mended = checks.reduce((one, check) => check.mend(one, input), reply);
  return { ...mended, faults: problems.map(({ code, message }) => ({ code, message })) };
}

/** A problem that is struck, flagged or cut when it stays, told in the language of the case. */
export function flag(
  language: Language,
  code: string,
  path: Path,
  values: Record<string, string | number> = {},
): Problem {
  return { code, message: word(language, `problem.${code}`, values), severity: "salvage", path };
}

/** A problem that no mending can answer: it ends in an abstention. */
export function reject(
  language: Language,
  code: string,
  path: Path,
  values: Record<string, string | number> = {},
): Problem {
  return { ...flag(language, code, path, values), severity: "reject" };
}

/** The speaker speaks for itself and for this round. */
export function createSpeakerCheck<
  R extends { agent: string; round: number },
  I extends CaseInput & { agent: string; round: number },
>(): Check<R, I> {
  return {
    find: (reply, { agent, round, material: { language } }) => [
      ...(reply.agent === agent ? [] : [reject(language, "wrong_agent", ["agent"], { agent, said: reply.agent })]),
      ...(reply.round === round ? [] : [flag(language, "wrong_round", ["round"], { round, said: reply.round })]),
    ],
    mend: (reply, { round }) => ({ ...reply, round }),
  };
}

/** The items with each id used once: a repeated one becomes the first free number. */
export function makeIdsDistinct<T extends { id: string }>(
  items: T[],
  prefix: string,
  taken: Iterable<string> = [],
): T[] {
  const used = new Set(taken);
  const reserved = new Set([...used, ...items.map(({ id }) => id)]);
  return items.map((item) => {
    let { id } = item;
    for (let number = 1; used.has(id); number += 1) if (!reserved.has(`${prefix}${number}`)) id = `${prefix}${number}`;
    used.add(id);
    reserved.add(id);
    return { ...item, id };
  });
}

/** A problem for each item of a list whose id an earlier one has. */
export function findRepeatedIds(language: Language, list: "claims" | "critiques", items: { id: string }[]): Problem[] {
  const repeated = items
    .map(({ id }, at) => ({ id, at }))
    .filter(({ id, at }) => items.findIndex((one) => one.id === id) < at);
  return repeated.map(({ id, at }) => flag(language, `duplicate_${list.slice(0, -1)}_id`, [list, at, "id"], { id }));
}

const maxClaims = 10;
const placeholder = /^(?:source|evidence|context|konteks|bukti|doc|id)(?:[_ -]?(?:id|par))?(?:[_ -]?\d+)?$/i;

/** The checks on every list of claims, whoever makes them: ids, evidence, figures, provisions, and how many. */
export function createClaimChecks<R extends { claims: Claim[] }>(): Check<R, CaseInput>[] {
  const each = (find: (claim: Claim, input: CaseInput, index: number) => Problem[]) => (reply: R, input: CaseInput) =>
    reply.claims.flatMap((claim, index) => find(claim, input, index));
  const map = (mend: (claim: Claim, input: CaseInput) => Claim) => (reply: R, input: CaseInput) => ({
    ...reply,
    claims: reply.claims.map((claim) => mend(claim, input)),
  });
  const unknownOf = ({ evidence }: Claim, { material }: CaseInput): string[] =>
    evidence.filter((id) => !findItem(material, id));
  const inventedOf = ({ statement }: Claim, { material, query }: CaseInput): string[] =>
    findInvented(statement, groundOf(material, query));
  const surplus = (claims: Claim[]): Claim[] => claims.toSorted((a, b) => b.confidence - a.confidence).slice(maxClaims);
  return [
    {
      find: ({ claims }, { material }) => findRepeatedIds(material.language, "claims", claims),
      mend: (reply) => ({ ...reply, claims: makeIdsDistinct(reply.claims, "C") }),
    },
    {
      find: each((claim, input, index) => {
        const unknown = unknownOf(claim, input);
        const copied = unknown.filter((id) => placeholder.test(id.trim()));
        const tell = (code: string, ids: string[]): Problem[] => [
          flag(input.material.language, code, ["claims", index, "evidence"], { id: claim.id, ids: ids.join(", ") }),
        ];
        if (copied.length > 0) return tell("placeholder_evidence", copied);
        if (unknown.length > 0) return tell("unknown_evidence", unknown);
        return claim.evidence.length === 0 ? tell("no_evidence", []) : [];
      }),
      mend: map((claim, input) => {
        const unknown = unknownOf(claim, input);
        if (unknown.length === 0 && claim.evidence.length > 0) return claim;
        return { ...claim, evidence: claim.evidence.filter((id) => !unknown.includes(id)), risk: "no_evidence" };
      }),
    },
    {
      find: each((claim, input, index) => {
        const invented = inventedOf(claim, input);
        return invented.length === 0
          ? []
          : [
              flag(input.material.language, "invented_citation", ["claims", index, "statement"], {
                invented: invented.join(", "),
              }),
            ];
      }),
      mend: map((claim, input) =>
        inventedOf(claim, input).length > 0 ? { ...claim, evidence: [], risk: "no_evidence" } : claim,
      ),
    },
    {
      find: each((claim, { material, query }, index) => {
        const figures = claim.risk ? [] : findForeignFigures(claim, material, query);
        return figures.length === 0
          ? []
          : [
              flag(material.language, "foreign_figure", ["claims", index, "statement"], {
                id: claim.id,
                figures: figures.join(", "),
              }),
            ];
      }),
      mend: map((claim, { material, query }) =>
        !claim.risk && findForeignFigures(claim, material, query).length > 0
          ? { ...claim, risk: "foreign_figure" }
          : claim,
      ),
    },
    {
      find: ({ claims }, { material: { language } }) =>
        claims.length > maxClaims
          ? [
              flag(language, "too_many_claims", ["claims"], {
                count: claims.length,
                most: maxClaims,
                cut: surplus(claims)
                  .map(({ id }) => id)
                  .join(", "),
              }),
            ]
          : [],
      mend: (reply) => ({ ...reply, claims: reply.claims.filter((claim) => !surplus(reply.claims).includes(claim)) }),
    },
  ];
}

type Spoken = { answer: string; reasons?: string[]; dissent?: string | null };

/** No text of a reply names a provision that neither its ground nor the question names: the sentence is struck. */
export function createCitationCheck<R extends Spoken, I extends CaseInput>(
  ground: (input: I) => Ground,
  instead: (reply: R, input: I) => string,
): Check<R, I> {
  return {
    find: ({ answer, reasons = [], dissent }, input) => {
      const places: [string, Path][] = [
        [answer, ["answer"]],
        ...reasons.map((text, at): [string, Path] => [text, ["reasons", at]]),
        [dissent ?? "", ["dissent"]],
      ];
      return places.flatMap(([text, path]) => {
        const invented = findInvented(text, ground(input));
        return invented.length === 0
          ? []
          : [flag(input.material.language, "invented_citation", path, { invented: invented.join(", ") })];
      });
    },
    mend: (reply, input) => {
      const sound = (text: string): string =>
        findInvented(text, ground(input)).length === 0 ? text : strikeInvented(text, ground(input));
      return {
        ...reply,
        answer: sound(reply.answer) || instead(reply, input),
        ...(reply.reasons ? { reasons: reply.reasons.map(sound).filter((one) => one !== "") } : {}),
        ...(reply.dissent ? { dissent: sound(reply.dissent) || null } : {}),
      };
    },
  };
}
