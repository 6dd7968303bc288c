import type { Readable, Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { noCost, noUsage } from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import { describeProblem, type Problem, turnIdOf, type TurnKey } from "../contract/turn.ts";
import type { Player } from "../engine/player.ts";
import { buildJsonSchema, type RenderedPrompt } from "../engine/prompt.ts";
import { readReply } from "../engine/read-reply.ts";
import { collectShapes, isRecord, type SchemaNode } from "../text/json.ts";
import { createInterruption, throwIfInterrupted } from "./with-retry.ts";

/** What a person is shown: the role's prompt, the form of the reply, and what was wrong with an earlier one. */
export type PersonForm = {
  key: TurnKey;
  prompt: RenderedPrompt;
  schema: Record<string, unknown>;
  earlier: { raw: string; problems: Problem[] } | null;
  signal: AbortSignal;
};

/** Where people answer: a terminal, an inbox. A null answer is an abstention; `parked` says that nobody is there yet. */
export type PersonPort = {
  answer(form: PersonForm): Promise<unknown>;
  overrule?: { by: string; why: string };
  by?: string;
};

export function personPlayer(port: PersonPort | null): Player {
  return {
    id: "person",
    async play(role, input, turn) {
      throwIfInterrupted(turn.signal);
      if (port === null) throw parked(turn.key);
      await turn.reserve(noCost);
      const { key, signal, rendered: prompt } = turn;
      const form: PersonForm = { key, prompt, schema: buildJsonSchema(role.reply), earlier: turn.repair, signal };
      const value = await askUntilUsable(port, form, (reply) =>
        readReply(role, input, turn, { reply: { value: reply }, finish: null }),
      );
      return {
        reply: { value: value ?? null },
        usage: { ...noUsage, calls: 1 },
        finish: null,
        final: value == null,
        ...(port.overrule && { overrule: port.overrule }),
        ...(port.by === undefined ? {} : { saidBy: `person/${port.by}` }),
      };
    },
  };
}

/**
 * A person may try as often as they like: an answer that breaks a rule is given back, and is never dropped. The same one
 * given twice waits for another.
 */
async function askUntilUsable(
  port: PersonPort,
  form: PersonForm,
  read: (reply: unknown) => { value: unknown; problems: Problem[] },
): Promise<unknown> {
  for (let { earlier } = form; ; ) {
    const reply = await port.answer({ ...form, earlier });
    if (reply == null) return null;
    const { value, problems } = read(reply);
    if (problems.length === 0 || (port.overrule && value !== null)) return reply;
    const raw = JSON.stringify(reply);
    if (earlier?.raw === raw) throw parked(form.key);
    earlier = { raw, problems };
  }
}

export function parked(key: TurnKey): ParleyError {
  return new ParleyError("parked", `${turnIdOf(key)} waits for a person`, {
    details: { turn: turnIdOf(key) },
  });
}

type ReplyField = {
  name: string;
  about: string;
  nullable: boolean;
} & ({ kind: "text" | "number" | "boolean" | "json" } | { kind: "choice"; choices: unknown[] });

export function listReplyFields(schema: SchemaNode): ReplyField[] | null {
  if (!isRecord(schema.properties)) return null;
  return Object.entries(schema.properties as SchemaNode).map(([name, part]) =>
    describeField(name, collectShapes(part as SchemaNode, schema)),
  );
}

function describeField(name: string, shapes: SchemaNode[]): ReplyField {
  const about = shapes.map(({ description }) => description).find((text) => typeof text === "string") ?? "";
  const types = shapes.flatMap(({ type }) => (type ?? []) as string[]);
  const common = { name, about, nullable: types.includes("null") };
  const choices = shapes.map((shape) => shape.enum ?? (shape.const === undefined ? null : [shape.const])).find(Boolean);
  if (Array.isArray(choices)) return { ...common, kind: "choice", choices };
  const [type, ...more] = types.filter((one) => one !== "null");
  return { ...common, kind: (more.length === 0 && kinds[type ?? ""]) || "json" };
}

const kinds: Record<string, "text" | "number" | "boolean"> = {
  string: "text",
  number: "number",
  integer: "number",
  boolean: "boolean",
};

export function readField(field: ReplyField, typed: string): { value: unknown } | { problem: string } {
  if (typed.trim() === "" && field.nullable) return { value: null };
  if (field.kind === "number") {
    const value = typed.trim() === "" ? Number.NaN : Number(typed);
    return Number.isFinite(value) ? { value } : { problem: "a number, please" };
  }
  if (field.kind !== "json") return { value: typed };
  try {
    return { value: JSON.parse(typed) as unknown };
  } catch (error) {
    return { problem: `not valid JSON: ${(error as Error).message}` };
  }
}

type Terminal = { input: Readable; output: Writable };
type Clack = typeof import("@clack/prompts");

/** The person at this process's terminal, or null when there is none. Results go to stdout, so questions go to stderr. */
export function openTerminalPerson(by?: string): PersonPort | null {
  const { stdin: input, stderr: output } = process;
  return input.isTTY && output.isTTY ? createTerminalPerson({ input, output }, by) : null;
}

export function createTerminalPerson(terminal: Terminal, by?: string): PersonPort {
  let tail: Promise<unknown> = Promise.resolve();
  const port: PersonPort = {
    ...(by === undefined ? {} : { by }),
    answer(form) {
      const answering = tail.then(() => askAgain(form, terminal, port));
      tail = answering.catch(() => undefined);
      return answering;
    },
  };
  return port;
}

async function askAgain(form: PersonForm, terminal: Terminal, port: PersonPort): Promise<unknown> {
  delete port.overrule;
  if (form.earlier === null) return ask(form, terminal);
  const clack = await import("@clack/prompts");
  show(form, clack, terminal);
  const message = "Why it stands all the same (leave this empty to answer anew)";
  const why = await clack.text({ ...terminal, signal: form.signal, message });
  if (clack.isCancel(why)) throw form.signal.aborted ? createInterruption(form.signal) : parked(form.key);
  if (!why?.trim()) return ask(form, terminal);
  port.overrule = { by: port.by ?? "person", why: why.trim() };
  return JSON.parse(form.earlier.raw) as unknown;
}

async function ask(form: PersonForm, terminal: Terminal): Promise<unknown> {
  if (form.signal.aborted) throw createInterruption(form.signal);
  const clack = await import("@clack/prompts");
  const common = { ...terminal, signal: form.signal };
  show(form, clack, terminal);
  const fields = listReplyFields(form.schema);
  if (fields === null) return askField(wholeReply, form, { clack, common });
  const reply: Record<string, unknown> = {};
  for (const field of fields) reply[field.name] = await askField(field, form, { clack, common });
  return reply;
}

const wholeReply: ReplyField = { name: "reply", about: "the whole reply as JSON", nullable: true, kind: "json" };

function show(form: PersonForm, clack: Clack, { output }: Terminal): void {
  const { system, shared, own } = form.prompt;
  const text = [system, ...shared, ...own].join("\n\n");
  clack.note(plain(text), `${turnIdOf(form.key)} is yours`, { output, format: (line) => line });
  if (form.earlier === null) return;
  const problems = form.earlier.problems.map((problem) => `- ${describeProblem(problem)}`);
  clack.note(plain(`${form.earlier.raw}\n\n${problems.join("\n")}`), "Your last answer could not be used", { output });
}

type Asking = { clack: Clack; common: Terminal & { signal: AbortSignal } };

async function askField(field: ReplyField, form: PersonForm, { clack, common }: Asking): Promise<unknown> {
  const message = plain([field.name, field.about].filter(Boolean).join(": "));
  const answer = await askOne(field, message, { clack, common });
  if (!clack.isCancel(answer)) return answer;
  throw form.signal.aborted ? createInterruption(form.signal) : parked(form.key);
}

async function askOne(field: ReplyField, message: string, { clack, common }: Asking): Promise<unknown> {
  if (field.kind === "boolean" && !field.nullable) return clack.confirm({ ...common, message });
  if (field.kind === "choice" || field.kind === "boolean") {
    const choices: unknown[] = field.kind === "choice" ? field.choices : [true, false];
    const options = [...choices, ...(field.nullable ? [null] : [])].map((value) => ({ value, label: String(value) }));
    return clack.select({ ...common, message, options });
  }
  const validate = (typed: string | undefined): string | undefined => {
    const read = readField(field, typed ?? "");
    return "problem" in read ? read.problem : undefined;
  };
  const typed = await clack.text({ ...common, message, validate, placeholder: hintOf(field) });
  if (clack.isCancel(typed)) return typed;
  const read = readField(field, typed ?? "");
  return "value" in read ? read.value : null;
}

function hintOf(field: ReplyField): string {
  const what = field.kind === "json" ? "JSON" : field.kind;
  return field.nullable ? `${what}, or nothing` : what;
}

/** Text from outside must not steer the terminal. */
function plain(text: string): string {
  return stripVTControlCharacters(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "�");
}
