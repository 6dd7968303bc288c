import type * as z from "zod";
import type { PromptLanguage } from "../contract/prompt.ts";
import type { Problem } from "../contract/turn.ts";
import {
  dropThoughts,
  findJsonFault,
  findRepeatedKey,
  findReplyJson,
  type FoundJson,
  repairJson,
  unwrapToolCalls,
} from "./mend-reply.ts";
import { type Mended, mendReply, valueAt } from "./mend-reply.ts";
import { buildJsonSchema } from "./prompt.ts";
import { encodeCanonicalJson } from "./hash.ts";
import type { Played } from "./player.ts";
import { expectAt, localeOf, type Tell, problemWords, sayIssue } from "./reply-problems.ts";
import { findReplySmells, type Told } from "./reply-problems.ts";
import type { Role } from "./role.ts";

/** A reply as read: a value when it fits the schema, everything that is wrong with it, and what was mended. */
export type Read<O> = { value: O | null; problems: Problem[]; mends: string[] };

/** The code of a list item that does not fit: it costs that item, not the reply. */
export const badItem = "bad_item";

/**
 * Reads what a player gave: JSON, then schema, then smells, then the role's own check. What has one meaning only is mended
 * first; nothing that was not said is filled in.
 */
export function readReply<I, O>(role: Role<I, O>, input: I, told: Told, played: Given): Read<O> {
  const { value, problems, mends } = readPlayed(role, input, told, played);
  return {
    value,
    problems: problems.map(tidyProblem),
    mends: mends.slice(0, maxMends).map((one) => shortenMiddle(one, maxMend)),
  };
}

const maxMends = 20;
const maxMend = 200;

function readPlayed<I, O>(role: Role<I, O>, input: I, told: Told, played: Given): Read<O> {
  const { reply } = played;
  const { language = "en" } = told.prompt;
  const tell = problemWords(language);
  const asked = { role, input, language, tell, parse: parseOnce(role, language) };
  if ("value" in reply) return reply.value === null ? nothing("no_answer", tell("noAnswer")) : fit(asked, reply.value);
  const stopped = findStopProblem(played, reply.text, tell);
  if (stopped) return { value: null, problems: [stopped], mends: [] };
  const read = readText(asked, reply.text);
  if (read.value === null) return read;
  return { ...read, problems: [...findReplySmells(reply.text, read.value, told), ...read.problems] };
}

/** The longest reply that is read: far more than any role asks for, and short enough for every check. */
const maxCharacters = 400_000;

/** Who was asked what, and the language in which it is told what is wrong. */
type Asked<I, O> = {
  role: Role<I, O>;
  input: I;
  language: PromptLanguage;
  tell: Tell;
  parse(value: unknown): z.ZodSafeParseResult<O>;
};

function readText<I, O>(asked: Asked<I, O>, text: string): Read<O> {
  const { tell } = asked;
  if (text.length > maxCharacters)
    return nothing("too_long", tell("tooLong", { length: text.length, most: maxCharacters }));
  const fits = (value: unknown): boolean => asked.parse(value).success;
  const repaired: string[] = [];
  const candidates = unwrapToolCalls(findCandidates(text, repaired), fits);
  const [first] = candidates;
  if (first === undefined) return explainNoJson(text, tell);
  const strict = candidates.filter(({ value }) => fits(value));
  const loose = strict.length > 0 ? strict : candidates.filter(({ value }) => fits(mend(asked, value).value));
  const fitting = distinct(candidates.length === 1 ? [] : loose, asked);
  if (fitting.length > 1) return nothing("several_replies", tell("severalReplies", { count: fitting.length }));
  const chosen = fitting[0] ?? candidates.reduce((best, one) => (one.source.length > best.source.length ? one : best));
  const twice = findRepeatedKey(chosen.source, chosen.value);
  if (twice !== null)
    return { value: null, problems: [reject("repeated_key", tell("repeatedKey"), [twice])], mends: [] };
  const { value, mends } = mend(asked, chosen.value);
  if (!fits(chosen.value)) return { ...fit(asked, value), mends: [...repaired, ...mends] };
  // A schema may take on its own what its JSON schema does not say: that is noted, and the reply is read as it stands.
  const isSame = mends.length > 0 && distinct([chosen, { ...chosen, value }], asked).length === 1;
  return { ...fit(asked, chosen.value), mends: [...repaired, ...(isSame ? mends : [])] };
}

/** The JSON values of a reply; where there are none, what its broken JSON can only mean. */
function findCandidates(text: string, repaired: string[]): FoundJson[] {
  const found = findReplyJson(text);
  if (found[0]?.source === text.trim() && typeof found[0].value === "object") return found;
  if (found.some(({ value }) => typeof value === "object" && value !== null) && findJsonFault(text) === null)
    return found;
  const mended = repairJson(dropThoughts(text));
  if (mended === null) return found;
  repaired.push("the JSON was mended: commas, quotes, comments or line breaks");
  return [mended];
}

function mend<I, O>({ role }: Asked<I, O>, value: unknown): Mended {
  return mendReply(buildJsonSchema(role.reply), value);
}

function explainNoJson<O>(text: string, tell: Tell): Read<O> {
  if (text.trim() === "") return nothing("no_json", tell("empty"));
  const fault = findJsonFault(text);
  if (fault !== null) return nothing("no_json", tell("brokenJson", { fault, place: /\d+/.exec(fault)?.[0] ?? "?" }));
  return isRefusal(text)
    ? nothing(refused, tell("refused", { excerpt: cutExcerpt(text) }))
    : nothing("no_json", tell("noJson", { excerpt: cutExcerpt(text) }));
}

/** Parses values by a role's schema, each once. */
function parseOnce<I, O>({ reply }: Role<I, O>, language: PromptLanguage): Asked<I, O>["parse"] {
  const locale = localeOf(language);
  const known = new Map<unknown, z.ZodSafeParseResult<O>>();
  return (value) => {
    const parsed = known.get(value) ?? reply.safeParse(value, locale);
    known.set(value, parsed);
    return parsed;
  };
}

function fit<I, O>(asked: Asked<I, O>, candidate: unknown): Read<O> {
  const { role, input, parse } = asked;
  const parsed = parse(candidate);
  if (parsed.success) return { value: parsed.data, problems: role.check?.(parsed.data, input) ?? [], mends: [] };
  const problems = parsed.error.issues.slice(0, maxIssues).map((issue) => describeIssue(asked, issue, candidate));
  const kept = strikeItems(asked, candidate, parsed.error.issues);
  if (kept === null) return { value: null, problems, mends: [] };
  const struck = problems.map((problem): Problem => ({ ...problem, code: badItem, severity: "salvage" }));
  return { value: kept, problems: [...struck, ...(role.check?.(kept, input) ?? [])], mends: [] };
}

/** What is wrong with one field, which field it is, and what to write there. */
function describeIssue<I, O>({ role, language, tell }: Asked<I, O>, issue: z.core.$ZodIssue, given: unknown): Problem {
  const path = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part));
  const isMissing = issue.code === "invalid_type" && path.length > 0 && valueAt(given, path) === undefined;
  const message = isMissing
    ? tell("missing", { write: expectAt(buildJsonSchema(role.reply), path) })
    : sayIssue(issue, language);
  return { code: "schema", message, severity: "reject", path };
}

/** The reply without the list items that do not fit; null when something else does not fit either. */
function strikeItems<I, O>({ parse }: Asked<I, O>, given: unknown, issues: readonly z.core.$ZodIssue[]): O | null {
  const indexOf = { inner: "findLastIndex", outer: "findIndex" } as const;
  for (const find of Object.values(indexOf)) {
    const places = issues.map(({ path }) => path.slice(0, path[find]((part) => typeof part === "number") + 1));
    if (places.some((place) => place.length === 0)) return null;
    const kept = structuredClone(given);
    const byList = Map.groupBy(places, (place) => JSON.stringify(place.slice(0, -1)));
    for (const inside of byList.values()) {
      const list = valueAt(kept, (inside[0] ?? []).slice(0, -1));
      const struck = new Set(inside.map((place) => place.at(-1)));
      if (Array.isArray(list)) list.splice(0, list.length, ...list.filter((_, index) => !struck.has(index)));
    }
    const parsed = parse(kept);
    if (parsed.success) return parsed.data;
  }
  return null;
}

const maxIssues = 20;

/** Problems quote what they are about, and go back to the player: so they are kept to one line of limited length. */
function tidyProblem(problem: Problem): Problem {
  const message = shortenMiddle(problem.message, maxMessage);
  const path = problem.path?.map((part) => (typeof part === "string" ? shortenMiddle(part, maxPathPart) : part));
  return { ...problem, message, ...(path ? { path } : {}) };
}

const maxMessage = 600;
const maxPathPart = 80;

/** One line, with the middle left out when it is too long, so that what is said about a quoted text stays. */
function shortenMiddle(text: string, most: number): string {
  if (text.length <= most && !unprintable.test(text)) return text;
  const cut = text.length > most ? `${text.slice(0, most / 2)} … ${text.slice(-most / 2)}` : text;
  return cut.replaceAll(unprintables, " ").toWellFormed();
}

const unprintable = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const unprintables = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

function nothing<O>(code: string, message: string): Read<O> {
  return { value: null, problems: [reject(code, message)], mends: [] };
}

function reject(code: string, message: string, path: Problem["path"] = []): Problem {
  return { code, message, severity: "reject", path };
}

function distinct<I, O>(found: FoundJson[], asked: Asked<I, O>): FoundJson[] {
  const read = (value: unknown) => asked.parse(value).data ?? asked.parse(mend(asked, value).value).data;
  return [...new Map(found.map((one) => [encodeCanonicalJson(read(one.value)), one])).values()];
}

/** What is read of a reply: what came back, and why it stopped. */
export type Given = Pick<Played, "reply" | "finish"> &
  Partial<Pick<Played, "usage">> & { outputLimit?: number | undefined };

/** The code of a reply that was cut off at the output limit: a repair needs a larger one. */
export const truncated = "truncated";

/** What is wrong with a reply because of how it ended, whatever it says; null when it ended as it should. */
export function findStopProblem(given: Given, text: string, tell: Tell = problemWords()): Problem | null {
  const explain = explanations[given.finish ?? ""];
  return explain ? explain(given, text, tell) : null;
}

const explanations: Record<string, (given: Given, text: string, tell: Tell) => Problem> = {
  length: ({ outputLimit: limit, usage }, _, tell) => {
    const reasoning = usage?.reasoningTokens ?? 0;
    const phrase = limit === undefined ? "cut" : reasoning > 0 ? "cutAtReasoning" : "cutAt";
    return reject(truncated, tell(phrase, { limit: limit ?? 0, reasoning }));
  },
  "content-filter": (_, text, tell) => reject(refused, tell("withheld", { excerpt: cutExcerpt(text) })),
  "reasoning-only": (_, __, tell) => reject("reasoning_only", tell("reasoningOnly")),
};

/** The code of a reply that is a refusal: asking again would pay for the refusal again. */
export const refused = "refused";

/** How a refusal begins, in each language that is asked in: who speaks says that it cannot or will not. */
const refusals = [
  /^(?:(?:i['’]?m|i am)(?: really| very| so)? sorry|sorry|my apologies|i apologi[sz]e|unfortunately|i appreciate [^.!]{0,60})?[^.!?]{0,40}\b(?:i|we)(?:['’]m| am| are|['’]re)? (?:can(?:no|['’])t|could ?n['’]t|won['’]t|will not|am not able|unable|not able|must decline|have to decline|decline|refuse|not comfortable)\b[^.!?]{0,40}\b(?:help|assist|compl(?:y|ete)|fulfil+|provide|do (?:that|this|so)|answer|continue|respond|engage|discuss|participate|generate|process|with (?:that|this)|to (?:this|that))/iu,
  /^(?:(?:mohon )?maaf|sayangnya)?[^.!?]{0,60}\b(?:tidak|tak|belum) (?:dapat|bisa|mampu|bersedia)\b[^.!?]{0,40}(?:bantu|jawab|penuhi|lanjutkan|lakukan|berikan|melayani|memproses)/iu,
  /^(?:정말 |대단히 )?(?:죄송|미안|유감)[^.!?]{0,80}(?:수 없|수가 없|어렵|못 ?합니다|않습니다)/u,
  /^[^.!?]{0,60}(?:도와\s?드릴|답변(?:해 드릴|할|드릴)|도움을 드릴|응할|제공할|처리할) 수(?:가)? 없/u,
];

/** Whether a text without JSON in it is a refusal in plain words. */
export function isRefusal(text: string): boolean {
  const opening = text.trim().slice(0, maxOpening).replaceAll(/\s+/g, " ");
  return refusals.some((refusal) => refusal.test(opening));
}

const maxOpening = 400;

/** Whether what is wrong with a reply is that it is a refusal. */
export function isRefused(problems: Problem[]): boolean {
  return problems.some(({ code }) => code === refused);
}

/** The beginning of a text on one line, to be quoted in a message. */
export function cutExcerpt(text: string): string {
  const line = text.slice(0, 1000).replace(/\s+/g, " ").trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
