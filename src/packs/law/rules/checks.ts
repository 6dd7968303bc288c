import type { Problem } from "../../../contract/turn.ts";
import type { Language } from "../schemas/material.ts";
import type { Claim, Fault } from "../schemas/messages.ts";
import { segmentSentences } from "../../../text/split-text.ts";
import { matchWord, word } from "../words/word.ts";
import { deniesSource, findItem, isInOtherLanguage, itemBearsOn } from "./evidence.ts";
import { findForeign, findInvented, type Ground } from "./figures.ts";
import type { CaseInput } from "./role-inputs.ts";

/** A parse-time check (law spec §3.1): the problems of a reply, and the reply with them struck, flagged or cut. */
export type Check<R, I> = (reply: R, input: I) => { problems: Problem[]; mended: R };
type Path = (string | number)[];
type Values = Record<string, string | number>;

type Checked<R, I> = {
  check: (reply: R, input: I) => Problem[];
  salvage: (reply: R, problems: Problem[], input: I) => R;
};

/** Combines checks into the form a role needs: all problems, and the reply with each one corrected in turn. */
export function applyChecks<R extends { faults?: Fault[] | undefined }, I>(checks: Check<R, I>[]): Checked<R, I> {
  return {
    check: (reply, input) => checks.flatMap((check) => check(reply, input).problems),
    salvage: (reply, problems, input) => ({
      ...checks.reduce((one, check) => check(one, input).mended, reply),
      faults: problems.map(({ code, message }) => ({ code, message })),
    }),
  };
}

/** For a reply that nobody can repair: strikes what is wrong and records it. */
export function mendReply<R extends { faults?: Fault[] | undefined }, I>(checks: Check<R, I>[], reply: R, input: I): R {
  const { check, salvage } = applyChecks(checks);
  const problems = check(reply, input);
  return problems.length > 0 ? salvage(reply, problems, input) : reply;
}

export function flag(language: Language, code: string, path: Path, values: Values = {}): Problem {
  return { code, message: word(language, `problem.${code}`, values), severity: "salvage", path };
}

export function reject(language: Language, code: string, path: Path, values: Values = {}): Problem {
  return { ...flag(language, code, path, values), severity: "reject" };
}

/** Removes invisible letters, and line breaks within a claim, before anything is read. */
export function hiddenLetters<R extends object>(reply: R, { material }: CaseInput) {
  const problems: Problem[] = [];
  const show = (value: unknown, path: Path): unknown => {
    if (typeof value === "string") {
      const hidden = value.match(/\p{Cf}/gu)?.length ?? 0;
      if (hidden > 0) problems.push(flag(material.language, "hidden_letters", path, { hidden }));
      const seen = value.replaceAll(/(?!\n)\p{Cc}/gu, " ").replaceAll(/\p{Cf}/gu, "");
      return path.at(-1) === "answer" ? seen : seen.replaceAll(/\s*\n\s*/g, " ");
    }
    if (Array.isArray(value)) return value.map((one, at) => show(one, [...path, at]));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, show(one, [...path, name])]));
  };
  const mended = show(reply, []) as R;
  return { problems, mended };
}

type Wrong<T> = { code: string; key?: string; values?: Values; instead: T | null };

export function checkEach<K extends string, T, R extends Record<K, T[]>, I extends CaseInput>(
  list: K,
  inspect: (item: R[K][number], input: I, reply: R) => Wrong<R[K][number]> | null,
): Check<R, I> {
  return (reply, input) => {
    const found = reply[list].map((item) => inspect(item, input, reply));
    const problems = found.flatMap((wrong, at) => {
      if (!wrong) return [];
      const path = [list, at, ...(wrong.key === undefined ? [] : [wrong.key])];
      return [flag(input.material.language, wrong.code, path, wrong.values)];
    });
    const items = reply[list].flatMap((item, at) => {
      const wrong = found[at];
      return wrong ? (wrong.instead ?? []) : [item];
    });
    return { problems, mended: { ...reply, [list]: items } };
  };
}

/** Takes out the evidence that was not retrieved, or that does not bear on what it is cited for. */
export function selectEvidence<T extends { evidence: string[] }>(
  one: T,
  { material }: CaseInput,
  values: Values,
  bears: (id: string) => boolean,
): Wrong<T> | null {
  const unknown = one.evidence.filter((id) => !findItem(material, id));
  const idle = one.evidence.filter((id) => !unknown.includes(id) && !bears(id));
  if (unknown.length + idle.length === 0) return null;
  const evidence = one.evidence.filter((id) => !unknown.includes(id) && !idle.includes(id));
  const [code, ids] = unknown.length > 0 ? ["unknown_evidence", unknown] : ["idle_evidence", idle];
  return { code, key: "evidence", values: { ...values, ids: ids.join(", ") }, instead: { ...one, evidence } };
}

export function createSpeakerCheck<
  R extends { agent: string; round: number },
  I extends CaseInput & { agent: string; round: number },
>(): Check<R, I> {
  return (reply, { agent, round, material: { language } }) => ({
    problems: [
      ...(reply.agent === agent ? [] : [reject(language, "wrong_agent", ["agent"], { agent, said: reply.agent })]),
      ...(reply.round === round ? [] : [flag(language, "wrong_round", ["round"], { round, said: reply.round })]),
    ],
    mended: { ...reply, round },
  });
}

/** Ids are printed in answers, so none may say anything. */
const plainId = /^[\p{L}\p{N}._:-]{1,12}$/u;

export function makeIdsDistinct<T extends { id: string }>(
  items: T[],
  prefix: string,
  taken: Iterable<string> = [],
): T[] {
  const used = new Set(taken);
  const reserved = new Set([...used, ...items.map(({ id }) => id)]);
  return items.map((item) => {
    let { id } = item;
    for (let number = 1; used.has(id) || !plainId.test(id); number += 1)
      if (!reserved.has(`${prefix}${number}`)) id = `${prefix}${number}`;
    used.add(id);
    reserved.add(id);
    return { ...item, id };
  });
}

export function createIdCheck<K extends string, R extends Record<K, { id: string }[]>, I extends CaseInput>(
  list: K,
  code: string,
  prefix: string,
): Check<R, I> {
  return (reply, { material }) => ({
    problems: reply[list]
      .map(({ id }, at) => ({ id, at }))
      .filter(({ id, at }) => !plainId.test(id) || reply[list].findIndex((one) => one.id === id) < at)
      .map(({ id, at }) => flag(material.language, code, [list, at, "id"], { id })),
    mended: { ...reply, [list]: makeIdsDistinct(reply[list], prefix) },
  });
}

const asks = matchWord("asks");

function dropQuestions(text: string): string {
  return text
    .split(/(?<=[.!?]\s)/u)
    .filter((sentence) => !/\?\s*$/u.test(sentence) && asks.exec(sentence)?.index !== 0)
    .join("");
}

const maxClaims = 10;

/** Checks on every list of claims: ids, evidence, provisions, figures, and number. */
export function createClaimChecks<R extends { claims: Claim[] }, I extends CaseInput>(): Check<R, I>[] {
  return [
    createIdCheck("claims", "duplicate_claim_id", "C"),
    checkEach("claims", (claim, { material }) => {
      const unknown = claim.evidence.filter((id) => !findItem(material, id));
      if (unknown.length === 0 && claim.evidence.length > 0) return null;
      const code = unknown.length > 0 ? "unknown_evidence" : "no_evidence";
      const evidence = claim.evidence.filter((id) => !unknown.includes(id));
      const instead = { ...claim, evidence, risk: "no_evidence" as const };
      return { code, key: "evidence", values: { id: claim.id, ids: unknown.join(", ") }, instead };
    }),
    checkEach("claims", (claim, { material }) => {
      if (claim.risk) return null;
      const stated = dropQuestions(claim.statement);
      const isAsked = stated !== claim.statement && !claim.evidence.some((id) => itemBearsOn(material, id, [stated]));
      const risk = isAsked
        ? ("question" as const)
        : deniesSource(claim, material)
          ? ("denies_source" as const)
          : isInOtherLanguage(claim, material)
            ? ("other_language" as const)
            : null;
      return risk && { code: risk, key: "statement", values: { id: claim.id }, instead: { ...claim, risk } };
    }),
    checkEach("claims", (claim, { material, query }) => {
      const figures = claim.risk ? "" : findForeign(claim, material, query).join(", ");
      const instead = { ...claim, risk: "foreign_figure" as const };
      return figures === ""
        ? null
        : { code: "foreign_figure", key: "statement", values: { id: claim.id, figures }, instead };
    }),
    (reply, { material }) => {
      const surplus = reply.claims.toSorted((a, b) => b.confidence - a.confidence).slice(maxClaims);
      const values = { count: reply.claims.length, most: maxClaims, cut: surplus.map(({ id }) => id).join(", ") };
      return {
        problems: surplus.length > 0 ? [flag(material.language, "too_many_claims", ["claims"], values)] : [],
        mended: { ...reply, claims: reply.claims.filter((claim) => !surplus.includes(claim)) },
      };
    },
  ];
}

function strikeSentences(text: string, find: (sentence: string) => string[]): string {
  return [...segmentSentences(text)]
    .filter((sentence) => find(sentence).length === 0)
    .join("")
    .trim();
}

/** No text of a reply may state a provision or figure that its sources lack. */
export function createCitationCheck<R extends Spoken, I extends CaseInput>(
  ground: (input: I) => Ground,
  instead: (reply: R, input: I) => string,
): Check<R, I> {
  const findIn = (input: I): ((text: string) => string[]) => {
    const known = ground(input);
    return (text) => findInvented(text, known);
  };
  return createTextCheck("invented_citation", findIn, instead);
}

type Spoken = { answer: string };

const texts = ["answer", "reasons", "dissent", "applicable_regimes", "uncertainties", "open_questions"];

/** Checks the sentences of a reply; each faulty one is struck. */
export function createTextCheck<R extends Spoken, I extends CaseInput>(
  code: string,
  findIn: (input: I) => (text: string) => string[],
  instead: (reply: R, input: I) => string,
  checked: readonly string[] = texts,
): Check<R, I> {
  return (reply, input) => {
    const find = findIn(input);
    const problems: Problem[] = [];
    const inspect = (text: string, path: Path): string => {
      const found = find(text).join(", ");
      if (found === "") return text;
      problems.push(flag(input.material.language, code, path, { invented: found }));
      return strikeSentences(text, find);
    };
    const mended = Object.entries<unknown>({ ...reply }).map(([key, value]): [string, unknown] => {
      if (!checked.includes(key)) return [key, value];
      if (!Array.isArray(value)) return [key, typeof value === "string" ? inspect(value, [key]) : value];
      return [key, value.map((one: string, at) => inspect(one, [key, at])).filter((one) => one !== "")];
    });
    const kept: R = { ...reply, ...Object.fromEntries(mended) };
    return { problems, mended: { ...kept, answer: kept.answer || instead(reply, input) } };
  };
}
