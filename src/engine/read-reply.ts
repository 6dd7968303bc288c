import type { Prompt } from "../contract/prompt.ts";
import type { Problem } from "../contract/turn.ts";
import { extractJson } from "./extract-json.ts";
import { canonicalJson } from "./hash.ts";
import type { Played } from "./player.ts";
import { replySmells } from "./reply-smells.ts";
import type { Role } from "./role.ts";

/** A reply as read: a value when it fits the schema, and everything that is wrong with it. */
export type Read<O> = { value: O | null; problems: Problem[] };

/** Reads what a player gave: JSON, then schema, then smells, then the role's own check. Nothing is ever filled in. */
export function readReply<I, O>(
  role: Role<I, O>,
  input: I,
  prompt: Prompt,
  played: Pick<Played, "reply" | "finish">,
): Read<O> {
  const { reply } = played;
  if ("value" in reply)
    return reply.value === null ? nothing("no_answer", "the player has no answer") : fit(role, input, reply.value);
  const stopped = stopProblem(played.finish, reply.text);
  if (stopped) return { value: null, problems: [stopped] };
  const read = readText(role, input, reply.text);
  if (read.value === null) return read;
  return { value: read.value, problems: [...replySmells(reply.text, read.value, prompt), ...read.problems] };
}

function readText<I, O>(role: Role<I, O>, input: I, text: string): Read<O> {
  const candidates = extractJson(text);
  const [first] = candidates;
  if (first === undefined)
    return nothing("no_json", text.trim() === "" ? "the reply is empty" : `no JSON in the reply: ${excerpt(text)}`);
  if (candidates.length === 1) return fit(role, input, first);
  const fitting = distinct(candidates.filter((candidate) => role.reply.safeParse(candidate).success));
  if (fitting.length > 1)
    return nothing("several_replies", `${fitting.length} different replies in one; give exactly one JSON object`);
  return fit(role, input, fitting[0] ?? largest(candidates));
}

function fit<I, O>(role: Role<I, O>, input: I, candidate: unknown): Read<O> {
  const parsed = role.reply.safeParse(candidate);
  if (parsed.success) return { value: parsed.data, problems: role.check?.(parsed.data, input) ?? [] };
  const problems = parsed.error.issues.slice(0, maxIssues).map(
    (issue): Problem => ({
      code: "schema",
      message: issue.message,
      severity: "reject",
      path: issue.path.map((part) => (typeof part === "symbol" ? String(part) : part)),
    }),
  );
  return { value: null, problems };
}

const maxIssues = 20;

function stopProblem(finish: string | null, text: string): Problem | null {
  if (finish === "length") return reject("truncated", "the reply was cut off at the output limit; answer more briefly");
  if (finish === "content-filter") return reject("refused", `the provider withheld the reply: ${excerpt(text)}`);
  return null;
}

function nothing<O>(code: string, message: string): Read<O> {
  return { value: null, problems: [reject(code, message)] };
}

function reject(code: string, message: string): Problem {
  return { code, message, severity: "reject" };
}

function distinct(values: unknown[]): unknown[] {
  return [...new Map(values.map((value) => [canonicalJson(value), value])).values()];
}

function largest(values: unknown[]): unknown {
  return values.toSorted((a, b) => JSON.stringify(b).length - JSON.stringify(a).length)[0];
}

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
