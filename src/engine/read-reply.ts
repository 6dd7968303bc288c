import * as z from "zod";
import { fillIn, type FrameWords, frameOf } from "../contract/frame-words.ts";
import type { Prompt, PromptLanguage } from "../contract/prompt.ts";
import type { Problem } from "../contract/turn.ts";
import { cutText } from "../text/format.ts";
import { remember } from "../text/search.ts";
import { encodeCanonicalJson } from "./hash.ts";
import * as found from "./mend-reply.ts";
import type { Played } from "./player.ts";
import { buildJsonSchema, type Request } from "./prompt.ts";
import type { Role } from "./role.ts";

/** A parsed reply: its value if it fits the schema, its problems, and the mends applied; `isAsSent` when the text is the value's JSON. */
export type Read<O> = { value: O | null; problems: Problem[]; mends: string[]; isAsSent?: boolean };

export type Given = Pick<Played, "reply" | "finish"> &
  Partial<Pick<Played, "usage">> & { outputLimit?: number | undefined };

/** Problem code: one list item does not fit. Only the item is lost. */
export const badItem = "bad_item";

/** Problem code: the reply was cut off at the output limit, so a repair needs a higher one. */
export const truncated = "truncated";

/** Problem code: the model refused, and would refuse again. */
export const refused = "refused";

/** Reads a reply: JSON, schema, placeholders and echoes, then the role's own check. Unambiguous faults are mended; nothing is invented. */
export function readReply<I, O>(role: Role<I, O>, input: I, sent: Sent, played: Given): Read<O> {
  const { value, problems, mends, isAsSent } = readPlayed(role, input, sent, played);
  return {
    value,
    ...(isAsSent && { isAsSent }),
    problems: problems.map(tidyProblem),
    mends: mends.slice(0, maxMends).map((one) => shortenMiddle(one, maxMend)),
  };
}

const maxMends = 20;
const maxMend = 200;

function readPlayed<I, O>(role: Role<I, O>, input: I, sent: Sent, played: Given): Read<O> {
  const { reply } = played;
  const { language = "en" } = sent.prompt;
  const phrase = problemWords(language);
  const asked = { role, input, language, phrase, parse: parseOnce(role, language) };
  if ("value" in reply)
    return reply.value === null ? nothing("no_answer", phrase("noAnswer")) : fit(asked, reply.value);
  const stopped = findStopProblem(played, reply.text, phrase);
  if (stopped) return { value: null, problems: [stopped], mends: [] };
  const read = readText(asked, reply.text);
  if (read.value === null) return read;
  return { ...read, problems: [...findReplySmells(reply.text, read.value, sent), ...read.problems] };
}

/** Far more than any role needs, and small enough for every check. */
const maxCharacters = 400_000;

type Asked<I, O> = {
  role: Role<I, O>;
  input: I;
  language: PromptLanguage;
  phrase: Phrase;
  parse(value: unknown): z.ZodSafeParseResult<O>;
};

function readText<I, O>(asked: Asked<I, O>, text: string): Read<O> {
  const { phrase } = asked;
  if (text.length > maxCharacters)
    return nothing("too_long", phrase("tooLong", { length: text.length, most: maxCharacters }));
  const fits = (value: unknown): boolean => asked.parse(value).success;
  const repaired: string[] = [];
  const candidates = found.unwrapToolCalls(findCandidates(text, repaired), fits);
  if (candidates.length === 0) return explainNoJson(text, phrase);
  const strict = candidates.filter(({ value }) => fits(value));
  const loose = strict.length > 0 ? strict : candidates.filter(({ value }) => fits(mend(asked, value).value));
  const fitting = candidates.length === 1 ? [] : distinct(loose, asked);
  if (fitting.length > 1) return nothing("several_replies", phrase("severalReplies", { count: fitting.length }));
  const chosen = fitting[0] ?? candidates.reduce((best, one) => (one.source.length > best.source.length ? one : best));
  // A reply that round-trips unchanged has no repeated key and nothing to mend.
  if (JSON.stringify(asked.parse(chosen.value).data) === chosen.source)
    return { ...fit(asked, chosen.value), mends: repaired, isAsSent: chosen.source === text };
  const twice = found.findRepeatedKey(chosen.source, chosen.value);
  if (twice !== null)
    return { value: null, problems: [reject("repeated_key", phrase("repeatedKey"), [twice])], mends: [] };
  const { value, mends } = mend(asked, chosen.value);
  if (!fits(chosen.value)) return { ...fit(asked, value), mends: [...repaired, ...mends] };
  // Zod may coerce a value that the JSON schema does not allow: note it, and use the reply as it stands.
  const isSame = mends.length > 0 && distinct([chosen, { ...chosen, value }], asked).length === 1;
  return { ...fit(asked, chosen.value), mends: [...repaired, ...(isSame ? mends : [])] };
}

/** The JSON values of a reply, or those its broken JSON must mean. */
function findCandidates(text: string, repaired: string[]): found.FoundJson[] {
  const all = found.findReplyJson(text);
  if (all[0]?.source === text.trim() && typeof all[0].value === "object") return all;
  if (all.some(({ value }) => typeof value === "object" && value !== null) && found.findJsonFault(text) === null)
    return all;
  const mended = found.repairJson(found.dropThoughts(text));
  if (mended === null) return all;
  repaired.push("the JSON was repaired: commas, quotes, comments or line breaks");
  return [mended];
}

function mend<I, O>({ role }: Asked<I, O>, value: unknown): found.Mended {
  return found.mendReply(buildJsonSchema(role.reply), value);
}

function explainNoJson<O>(text: string, phrase: Phrase): Read<O> {
  if (text.trim() === "") return nothing("no_json", phrase("empty"));
  const fault = found.findJsonFault(text);
  if (fault !== null) return nothing("no_json", phrase("brokenJson", { fault, place: /\d+/.exec(fault)?.[0] ?? "?" }));
  const excerpt = cutExcerpt(text);
  return isRefusal(text)
    ? nothing(refused, phrase("refused", { excerpt }))
    : nothing("no_json", phrase("noJson", { excerpt }));
}

/** Caches the parse of each value. */
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

const maxIssues = 20;

function describeIssue<I, O>(
  { role, language, phrase }: Asked<I, O>,
  issue: z.core.$ZodIssue,
  given: unknown,
): Problem {
  const path = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part));
  const isMissing = issue.code === "invalid_type" && path.length > 0 && found.valueAt(given, path) === undefined;
  const write = (): string => expectAt(buildJsonSchema(role.reply), path);
  return reject("schema", isMissing ? phrase("missing", { write: write() }) : sayIssue(issue, language), path);
}

/** Removes list items that do not fit, inner lists first; null when something else is wrong too. */
function strikeItems<I, O>({ parse }: Asked<I, O>, given: unknown, issues: readonly z.core.$ZodIssue[]): O | null {
  for (const find of ["findLastIndex", "findIndex"] as const) {
    const places = issues.map(({ path }) => path.slice(0, path[find]((part) => typeof part === "number") + 1));
    if (places.some((place) => place.length === 0)) return null;
    const kept = structuredClone(given);
    for (const inside of Map.groupBy(places, (place) => JSON.stringify(place.slice(0, -1))).values()) {
      const list = found.valueAt(kept, (inside[0] ?? []).slice(0, -1));
      const struck = new Set(inside.map((place) => place.at(-1)));
      if (Array.isArray(list)) list.splice(0, list.length, ...list.filter((_, index) => !struck.has(index)));
    }
    const parsed = parse(kept);
    if (parsed.success) return parsed.data;
  }
  return null;
}

/** Problems quote their subject and go back to the player, so each is kept to one short line. */
function tidyProblem(problem: Problem): Problem {
  const message = shortenMiddle(problem.message, maxMessage);
  const path = problem.path?.map((part) => (typeof part === "string" ? shortenMiddle(part, maxPathPart) : part));
  return { ...problem, message, ...(path ? { path } : {}) };
}

const maxMessage = 600;
const maxPathPart = 80;

/** Shortens to one line by cutting the middle, so that the end of the message survives. */
function shortenMiddle(text: string, most: number): string {
  const cut = text.length > most ? `${text.slice(0, most / 2)} … ${text.slice(-most / 2)}` : text;
  return cut.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").toWellFormed();
}

function nothing<O>(code: string, message: string): Read<O> {
  return { value: null, problems: [reject(code, message)], mends: [] };
}

function reject(code: string, message: string, path: Problem["path"] = []): Problem {
  return { code, message, severity: "reject", path };
}

function distinct<I, O>(all: found.FoundJson[], asked: Asked<I, O>): found.FoundJson[] {
  const read = (value: unknown) => asked.parse(value).data ?? asked.parse(mend(asked, value).value).data;
  return [...new Map(all.map((one) => [encodeCanonicalJson(read(one.value)), one])).values()];
}

/** The problem with how a reply ended; null when it ended properly. */
function findStopProblem({ finish, outputLimit, usage }: Given, text: string, phrase: Phrase): Problem | null {
  if (finish === "content-filter") return reject(refused, phrase("withheld", { excerpt: cutExcerpt(text) }));
  if (finish === "reasoning-only") return reject("reasoning_only", phrase("reasoningOnly"));
  if (finish !== "length") return null;
  const reasoning = usage?.reasoningTokens ?? 0;
  const name = outputLimit === undefined ? "cut" : reasoning > 0 ? "cutAtReasoning" : "cutAt";
  return reject(truncated, phrase(name, { limit: outputLimit ?? 0, reasoning }));
}

/** Openings of refusals in each prompt language. */
const refusals = [
  /^(?:(?:i['’]?m|i am)(?: really| very| so)? sorry|sorry|my apologies|i apologi[sz]e|unfortunately|i appreciate [^.!]{0,60})?[^.!?]{0,40}\b(?:i|we)(?:['’]m| am| are|['’]re)? (?:can(?:no|['’])t|could ?n['’]t|won['’]t|will not|am not able|unable|not able|must decline|have to decline|decline|refuse|not comfortable)\b[^.!?]{0,40}\b(?:help|assist|compl(?:y|ete)|fulfil+|provide|do (?:that|this|so)|answer|continue|respond|engage|discuss|participate|generate|process|with (?:that|this)|to (?:this|that))/iu,
  /^(?:(?:mohon )?maaf|sayangnya)?[^.!?]{0,60}\b(?:tidak|tak|belum) (?:dapat|bisa|mampu|bersedia)\b[^.!?]{0,40}(?:bantu|jawab|penuhi|lanjutkan|lakukan|berikan|melayani|memproses)/iu,
  /^(?:정말 |대단히 )?(?:죄송|미안|유감)[^.!?]{0,80}(?:수 없|수가 없|어렵|못 ?합니다|않습니다)/u,
  /^[^.!?]{0,60}(?:도와\s?드릴|답변(?:해 드릴|할|드릴)|도움을 드릴|응할|제공할|처리할) 수(?:가)? 없/u,
];

/** True for a refusal in plain words, without JSON. */
export function isRefusal(text: string): boolean {
  const opening = text.trim().slice(0, 400).replaceAll(/\s+/g, " ");
  return refusals.some((refusal) => refusal.test(opening));
}

function cutExcerpt(text: string): string {
  return cutText(text.slice(0, 1000).replace(/\s+/g, " ").trim(), 120);
}

/** The prompt, as blocks and as text. */
export type Sent = Pick<Request, "prompt" | "rendered">;

type Path = (string | number)[];

/** Finds replies that fit the schema but say nothing: placeholders, echoes of the prompt, copies of its examples. */
function findReplySmells(raw: string, value: unknown, { prompt, rendered }: Sent): Problem[] {
  const phrase = problemWords(prompt.language);
  const problems: Problem[] = [];
  const add = (code: string, message: string, path: Path): void => {
    problems.push({ code, message, severity: "reject", path });
  };
  const isInData = (text: string, read = (shown: string): string => shown): boolean =>
    prompt.blocks.some((block) => read("text" in block ? block.text : JSON.stringify(block.json)).includes(text));
  const written = listWritten(prompt);
  const given = raw.trim();
  if (given.length >= minEcho && (rendered.system.includes(given) || rendered.own.join("\n").includes(given)))
    add("echo", phrase("repeatsPrompt"), []);
  const sayings = listExampleSayings(prompt);
  visitStrings(value, [], (text, path) => {
    const lower = text.toLowerCase();
    const fitting = sayings.filter(({ longest }) => lower.includes(longest));
    const said = fitting.length > 0 ? ` ${loosen(text)} ` : "";
    const copied = fitting.filter(({ words }) => said.includes(` ${words} `));
    if (looksLikePlaceholder(text.trim(), path) && !isInData(text.trim()))
      add("placeholder", phrase("placeholder", { text }), path);
    else if (copied.some(({ words }) => !isInData(words, loosen))) add("example", phrase("repeatsExample"), path);
    else if (text.length >= minEcho && written.some((one) => one.includes(text)) && !isInData(text))
      add("echo", phrase("repeatsInstructions"), path);
  });
  return problems;
}

const minEcho = 60;

/** Our own text in a prompt: the instructions and the speaker's task. */
function listWritten({ instructions, own }: Prompt): string[] {
  return [instructions, ...own.flatMap((block) => ("text" in block ? [block.text] : []))];
}

const placeholderPattern = /^(?:<[a-z][a-z0-9 _|,./-]*>|\.{3}|…|\{\{?[a-z_ ]+\}?\}|your [a-z ]+ here|lorem ipsum.*)$/i;

function looksLikePlaceholder(text: string, path: Path): boolean {
  const key = path.findLast((part) => typeof part === "string");
  return placeholderPattern.test(text) || text === "string" || (text === key && key.length > 4);
}

function visitStrings(value: unknown, path: Path, visit: (text: string, path: Path) => void): void {
  if (typeof value === "string") return visit(value, path);
  if (value === null || typeof value !== "object") return;
  for (const [key, inner] of Array.isArray(value) ? value.entries() : Object.entries(value))
    visitStrings(inner, [...path, key], visit);
}

function loosen(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/**
 * Quoted texts of at least three words under headings that begin with "Example", "Contoh" or "예시". Shorter quotes are
 * keys, ids and choices, which a reply may share.
 */
export function listExampleSayings(prompt: Prompt): { text: string; words: string; longest: string }[] {
  return listWritten(prompt).flatMap(readSayings);
}

const readSayings = remember(256, (written) => {
  const quoted = listExamples(written).flatMap((example) => [...example.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)]);
  const sayings = quoted.map(([, text = ""]) => text.replaceAll(/\\(.)/g, "$1").trim());
  const long = [...new Set(sayings)].filter((text) => text.split(/\s+/).length >= 3);
  return long.map((text) => {
    const words = loosen(text);
    const longest = words.split(" ").reduce((best, word) => (word.length > best.length ? word : best));
    return { text, words, longest };
  });
});

/** The example sections of a text, each up to the next heading. */
export function listExamples(text: string): string[] {
  const sections = ` \n${text}`.split(/\n#{1,6}[ \t]+/).slice(1);
  return sections
    .filter((section) => /^(?:example|contoh|예시)/iu.test(section))
    .map((section) => section.replace(/^.*\n?/, "").trim());
}

type Phrase = (phrase: keyof FrameWords["problems"], values?: Record<string, string | number>) => string;

function problemWords(language: PromptLanguage = "en"): Phrase {
  const { problems } = frameOf(language);
  return (phrase, values = {}) => fillIn(problems[phrase], values);
}

const locales = { id: z.locales.id().localeError, ko: z.locales.ko().localeError };

function localeOf(language: PromptLanguage): Parameters<z.ZodType["safeParse"]>[1] {
  return language === "en" ? {} : { error: locales[language] };
}

/** A schema issue in the prompt's language, or in English without a translation. */
function sayIssue(issue: z.core.$ZodIssue, language: PromptLanguage): string {
  const { limit = "", most = 0 } = issue.code === "custom" ? ((issue.params ?? {}) as Limit) : {};
  const phrase = frameOf(language).limits[limit];
  return phrase === undefined ? issue.message : fillIn(phrase, { most });
}

type Limit = { limit?: string; most?: number };

/** The part of a JSON schema at a path, reduced for readers. */
function expectAt(schema: Record<string, unknown>, path: readonly (string | number)[]): string {
  type Node = {
    items?: Node;
    properties?: Record<string, Node>;
    anyOf?: Node[];
    type?: string | string[];
    enum?: unknown[];
  };
  const solid = (node: Node): Node => node.anyOf?.find(({ type }) => type !== "null") ?? node;
  const step = (node: Node, key: string | number): Node =>
    (typeof key === "number" ? solid(node).items : solid(node).properties?.[key]) ?? {};
  const { type = "JSON", enum: choices } = solid(path.reduce(step, schema as Node));
  return choices ? choices.map((one) => JSON.stringify(one)).join(" | ") : `\`${[type].flat().join("` | `")}\``;
}
