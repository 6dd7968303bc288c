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

/** A reply as read: a value when it fits the schema, everything that is wrong with it, and what was mended. */
export type Read<O> = { value: O | null; problems: Problem[]; mends: string[] };

/** What is read of a reply: what came back, and why it stopped. */
export type Given = Pick<Played, "reply" | "finish"> &
  Partial<Pick<Played, "usage">> & { outputLimit?: number | undefined };

/** The code of a list item that does not fit: it costs that item, not the reply. */
export const badItem = "bad_item";

/** The code of a reply that was cut off at the output limit: a repair needs a larger one. */
export const truncated = "truncated";

/** The code of a refusal: asking again would pay for the refusal again. */
export const refused = "refused";

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

/** Far more than any role asks for, and short enough for every check. */
const maxCharacters = 400_000;

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
  const candidates = found.unwrapToolCalls(findCandidates(text, repaired), fits);
  if (candidates.length === 0) return explainNoJson(text, tell);
  const strict = candidates.filter(({ value }) => fits(value));
  const loose = strict.length > 0 ? strict : candidates.filter(({ value }) => fits(mend(asked, value).value));
  const fitting = candidates.length === 1 ? [] : distinct(loose, asked);
  if (fitting.length > 1) return nothing("several_replies", tell("severalReplies", { count: fitting.length }));
  const chosen = fitting[0] ?? candidates.reduce((best, one) => (one.source.length > best.source.length ? one : best));
  // What is read as it was written has no key twice and nothing to mend.
  if (JSON.stringify(asked.parse(chosen.value).data) === chosen.source)
    return { ...fit(asked, chosen.value), mends: repaired };
  const twice = found.findRepeatedKey(chosen.source, chosen.value);
  if (twice !== null)
    return { value: null, problems: [reject("repeated_key", tell("repeatedKey"), [twice])], mends: [] };
  const { value, mends } = mend(asked, chosen.value);
  if (!fits(chosen.value)) return { ...fit(asked, value), mends: [...repaired, ...mends] };
  // A schema may take on its own what its JSON schema does not say: that is noted, and the reply is read as it stands.
  const isSame = mends.length > 0 && distinct([chosen, { ...chosen, value }], asked).length === 1;
  return { ...fit(asked, chosen.value), mends: [...repaired, ...(isSame ? mends : [])] };
}

/** The JSON values of a reply; where there are none, what its broken JSON can only mean. */
function findCandidates(text: string, repaired: string[]): found.FoundJson[] {
  const all = found.findReplyJson(text);
  if (all[0]?.source === text.trim() && typeof all[0].value === "object") return all;
  if (all.some(({ value }) => typeof value === "object" && value !== null) && found.findJsonFault(text) === null)
    return all;
  const mended = found.repairJson(found.dropThoughts(text));
  if (mended === null) return all;
  repaired.push("the JSON was mended: commas, quotes, comments or line breaks");
  return [mended];
}

function mend<I, O>({ role }: Asked<I, O>, value: unknown): found.Mended {
  return found.mendReply(buildJsonSchema(role.reply), value);
}

function explainNoJson<O>(text: string, tell: Tell): Read<O> {
  if (text.trim() === "") return nothing("no_json", tell("empty"));
  const fault = found.findJsonFault(text);
  if (fault !== null) return nothing("no_json", tell("brokenJson", { fault, place: /\d+/.exec(fault)?.[0] ?? "?" }));
  const excerpt = cutExcerpt(text);
  return isRefusal(text)
    ? nothing(refused, tell("refused", { excerpt }))
    : nothing("no_json", tell("noJson", { excerpt }));
}

/** Parses each value by a role's schema once. */
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

function describeIssue<I, O>({ role, language, tell }: Asked<I, O>, issue: z.core.$ZodIssue, given: unknown): Problem {
  const path = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part));
  const isMissing = issue.code === "invalid_type" && path.length > 0 && found.valueAt(given, path) === undefined;
  const write = (): string => expectAt(buildJsonSchema(role.reply), path);
  return reject("schema", isMissing ? tell("missing", { write: write() }) : sayIssue(issue, language), path);
}

/** The reply without the list items that do not fit, inner lists first; null when something else does not fit either. */
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

/** What is wrong with a reply because of how it ended, whatever it says; null when it ended as it should. */
function findStopProblem({ finish, outputLimit, usage }: Given, text: string, tell: Tell): Problem | null {
  if (finish === "content-filter") return reject(refused, tell("withheld", { excerpt: cutExcerpt(text) }));
  if (finish === "reasoning-only") return reject("reasoning_only", tell("reasoningOnly"));
  if (finish !== "length") return null;
  const reasoning = usage?.reasoningTokens ?? 0;
  const phrase = outputLimit === undefined ? "cut" : reasoning > 0 ? "cutAtReasoning" : "cutAt";
  return reject(truncated, tell(phrase, { limit: outputLimit ?? 0, reasoning }));
}

/** How a refusal begins, in each language that is asked in: who speaks says that it cannot or will not. */
const refusals = [
  /^(?:(?:i['’]?m|i am)(?: really| very| so)? sorry|sorry|my apologies|i apologi[sz]e|unfortunately|i appreciate [^.!]{0,60})?[^.!?]{0,40}\b(?:i|we)(?:['’]m| am| are|['’]re)? (?:can(?:no|['’])t|could ?n['’]t|won['’]t|will not|am not able|unable|not able|must decline|have to decline|decline|refuse|not comfortable)\b[^.!?]{0,40}\b(?:help|assist|compl(?:y|ete)|fulfil+|provide|do (?:that|this|so)|answer|continue|respond|engage|discuss|participate|generate|process|with (?:that|this)|to (?:this|that))/iu,
  /^(?:(?:mohon )?maaf|sayangnya)?[^.!?]{0,60}\b(?:tidak|tak|belum) (?:dapat|bisa|mampu|bersedia)\b[^.!?]{0,40}(?:bantu|jawab|penuhi|lanjutkan|lakukan|berikan|melayani|memproses)/iu,
  /^(?:정말 |대단히 )?(?:죄송|미안|유감)[^.!?]{0,80}(?:수 없|수가 없|어렵|못 ?합니다|않습니다)/u,
  /^[^.!?]{0,60}(?:도와\s?드릴|답변(?:해 드릴|할|드릴)|도움을 드릴|응할|제공할|처리할) 수(?:가)? 없/u,
];

/** Whether a text without JSON in it is a refusal in plain words. */
export function isRefusal(text: string): boolean {
  const opening = text.trim().slice(0, 400).replaceAll(/\s+/g, " ");
  return refusals.some((refusal) => refusal.test(opening));
}

function cutExcerpt(text: string): string {
  return cutText(text.slice(0, 1000).replace(/\s+/g, " ").trim(), 120);
}

/** What a player was told, as blocks and as text. */
export type Told = Pick<Request, "prompt" | "rendered">;

type Path = (string | number)[];

/** Replies that fit the schema and still say nothing: placeholders, echoes of the prompt, what its worked examples say. */
function findReplySmells(raw: string, value: unknown, { prompt, rendered }: Told): Problem[] {
  const tell = problemWords(prompt.language);
  const problems: Problem[] = [];
  const add = (code: string, message: string, path: Path): void => {
    problems.push({ code, message, severity: "reject", path });
  };
  const isInData = (text: string, read = (shown: string): string => shown): boolean =>
    prompt.blocks.some((block) => read("text" in block ? block.text : JSON.stringify(block.json)).includes(text));
  const isWritten = (text: string): boolean => listWritten(prompt).some((written) => written.includes(text));
  const given = raw.trim();
  if (given.length >= minEcho && (rendered.system.includes(given) || rendered.own.join("\n").includes(given)))
    add("echo", tell("repeatsPrompt"), []);
  const sayings = listExampleSayings(prompt);
  visitStrings(value, [], (text, path) => {
    const lower = text.toLowerCase();
    const fitting = sayings.filter(({ longest }) => lower.includes(longest));
    const said = fitting.length > 0 ? ` ${loosen(text)} ` : "";
    const copied = fitting.filter(({ words }) => said.includes(` ${words} `));
    if (looksLikePlaceholder(text.trim(), path) && !isInData(text.trim()))
      add("placeholder", tell("placeholder", { text }), path);
    else if (copied.some(({ words }) => !isInData(words, loosen))) add("example", tell("repeatsExample"), path);
    else if (text.length >= minEcho && isWritten(text) && !isInData(text))
      add("echo", tell("repeatsInstructions"), path);
  });
  return problems;
}

const minEcho = 60;

/** What the organisers wrote: the instructions, and a speaker's own task. */
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

/** Letter case, spaces and marks do not make a copy one's own words. */
function loosen(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/**
 * What the worked examples of a prompt say: the quoted texts of at least three words under each heading that begins with
 * "Example", "Contoh" or "예시", in what the organisers wrote. Shorter ones are keys, ids and choices, which a reply may share.
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

/** The sections of a text that are examples, each up to the next heading. */
export function listExamples(text: string): string[] {
  const sections = ` \n${text}`.split(/\n#{1,6}[ \t]+/).slice(1);
  return sections
    .filter((section) => /^(?:example|contoh|예시)/iu.test(section))
    .map((section) => section.replace(/^.*\n?/, "").trim());
}

/** Says what is wrong with a reply to whoever gave it, in the language of its prompt. */
type Tell = (phrase: keyof FrameWords["problems"], values?: Record<string, string | number>) => string;

/** The words for problems in a language. */
function problemWords(language: PromptLanguage = "en"): Tell {
  const { problems } = frameOf(language);
  return (phrase, values = {}) => fillIn(problems[phrase], values);
}

const locales = { id: z.locales.id().localeError, ko: z.locales.ko().localeError };

/** Makes a schema explain itself in the language of a prompt. */
function localeOf(language: PromptLanguage): Parameters<z.ZodType["safeParse"]>[1] {
  return language === "en" ? {} : { error: locales[language] };
}

/** A schema's complaint in the language of the prompt, or in English if there is no translation. */
function sayIssue(issue: z.core.$ZodIssue, language: PromptLanguage): string {
  const { limit = "", most = 0 } = issue.code === "custom" ? ((issue.params ?? {}) as Limit) : {};
  const phrase = frameOf(language).limits[limit];
  return phrase === undefined ? issue.message : fillIn(phrase, { most });
}

type Limit = { limit?: string; most?: number };

/** The JSON schema at a place of a reply, without what a reader can do without. */
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
