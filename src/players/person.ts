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

/** Shown to a person: the role's prompt, the form of the reply, and the problems of an earlier one. */
export type PersonForm = {
  key: TurnKey;
  prompt: RenderedPrompt;
  schema: Record<string, unknown>;
  /** An unreadable reply can never stand. */
  earlier: { raw: string; problems: Problem[]; mayStand?: boolean } | null;
  signal: AbortSignal;
};

/** Where people answer: a terminal or an inbox. A null answer is an abstention; `parked` means nobody is there yet. */
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

/** A person may try as often as they like: an answer that breaks a rule is handed back, never dropped. Repeating it waits for a new one. */
async function askUntilUsable(
  port: PersonPort,
  form: PersonForm,
  read: (reply: unknown) => { value: unknown; problems: Problem[] },
): Promise<unknown> {
  for (let { earlier } = form; ; ) {
    const reply = await port.answer({ ...form, earlier });
    if (reply == null) return null;
    const { value, problems } = read(reply);
    const mayStand = value !== null;
    if (problems.length === 0 || (port.overrule && mayStand)) return reply;
    const raw = JSON.stringify(reply);
    if (earlier?.raw === raw) throw parked(form.key);
    earlier = { raw, problems, mayStand };
  }
}

export function parked(key: TurnKey): ParleyError {
  return new ParleyError("parked", `the turn of ${nameTurn(key)} waits for a person`, {
    details: { turn: turnIdOf(key) },
  });
}

export function nameTurn({ role, round }: TurnKey): string {
  return round === 0 ? role : `${role} in round ${round}`;
}

type ReplyField = {
  name: string;
  about: string;
  nullable: boolean;
} & (
  | { kind: "text" | "boolean" | "json" }
  | { kind: "number"; least: number; most: number }
  | { kind: "choice"; choices: unknown[] }
);

export function listReplyFields(schema: SchemaNode, instructions = ""): ReplyField[] | null {
  if (!isRecord(schema.properties)) return null;
  const abouts = new Map(
    [...instructions.matchAll(/^- `(\w+)`:? (.+)$/gm)].map(([, name = "", about]) => [name, about]),
  );
  return Object.entries(schema.properties as SchemaNode).map(([name, part]) =>
    describeField({ name, about: abouts.get(name) ?? "" }, collectShapes(part as SchemaNode, schema)),
  );
}

function describeField(field: Pick<ReplyField, "name" | "about">, shapes: SchemaNode[]): ReplyField {
  const find = <T>(name: string, other: T): T =>
    (shapes.find((shape) => shape[name] !== undefined)?.[name] ?? other) as T;
  const types = shapes.flatMap(({ type }) => (type ?? []) as string[]);
  const common = { name: field.name, about: find("description", field.about), nullable: types.includes("null") };
  const choices = find(
    "enum",
    shapes.flatMap((shape) => (shape.const === undefined ? [] : [shape.const])),
  );
  if (choices.length > 0) return { ...common, kind: "choice", choices };
  const [type, ...more] = types.filter((one) => one !== "null");
  const kind = (more.length === 0 && kinds[type ?? ""]) || "json";
  if (kind !== "number") return { ...common, kind };
  return { ...common, kind, least: find("minimum", -Infinity), most: find("maximum", Infinity) };
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
    return value >= field.least && value <= field.most ? { value } : { problem: `${hintOf(field)}, please` };
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

/** The person at this terminal, or null without one. Results go to stdout, so questions go to stderr. */
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
  if (form.signal.aborted) throw createInterruption(form.signal);
  const clack = await import("@clack/prompts");
  const asking: Asking = { clack, common: { ...terminal, signal: form.signal } };
  const { earlier } = form;
  const { output } = terminal;
  if (earlier === null || earlier.mayStand === undefined) {
    const title = `You answer as ${nameTurn(form.key)}`;
    clack.note(plain(await describePrompt(form.prompt)), title, { output, format: (line) => line });
  }
  if (earlier === null) return ask(form, asking, {});
  const problems = earlier.problems.map((problem) => `- ${describeProblem(problem)}`);
  clack.note(plain(problems.join("\n")), "Your last answer could not be used", { output });
  const given = JSON.parse(earlier.raw) as unknown;
  if (earlier.mayStand) {
    const message = "Why it should stand anyway (leave this empty to correct it)";
    const why = await clack.text({ ...asking.common, message });
    if (clack.isCancel(why)) throw left(form);
    if (why?.trim()) {
      port.overrule = { by: port.by ?? "person", why: why.trim() };
      return given;
    }
  }
  return ask(form, asking, isRecord(given) ? given : {});
}

/** Asks field by field, offering earlier values for editing. */
async function ask(form: PersonForm, asking: Asking, given: Record<string, unknown>): Promise<unknown> {
  const fields = listReplyFields(form.schema, form.prompt.system);
  if (fields === null) return askField(wholeReply, form, asking);
  const reply: Record<string, unknown> = {};
  for (const field of fields) reply[field.name] = await askField(field, form, asking, given[field.name]);
  return reply;
}

const wholeReply: ReplyField = { name: "reply", about: "the whole reply as JSON", nullable: true, kind: "json" };

/** The prompt for a human reader: task and material, without the reply format. */
async function describePrompt({ system, shared, own }: RenderedPrompt): Promise<string> {
  const { stringify } = await import("yaml");
  const blocks = [...shared, ...own].map((block) => {
    const [, label = "", , kind, content = block] = /^\[([^\]\n]+)\]\n(`{3,})(\w+)\n([^]*)\n\2\n$/.exec(block) ?? [];
    return `${label}\n${kind === "json" ? stringify(JSON.parse(content)) : content}`.trim();
  });
  return [system.split("\n\n", 1)[0], ...blocks].join("\n\n");
}

function left(form: PersonForm): ParleyError {
  return form.signal.aborted ? createInterruption(form.signal) : parked(form.key);
}

type Asking = { clack: Clack; common: Terminal & { signal: AbortSignal } };

async function askField(field: ReplyField, form: PersonForm, asking: Asking, given?: unknown): Promise<unknown> {
  const answer = await askOne(field, asking, given);
  if (asking.clack.isCancel(answer)) throw left(form);
  return answer;
}

async function askOne(field: ReplyField, { clack, common }: Asking, given: unknown): Promise<unknown> {
  const message = plain([field.name, field.about].filter(Boolean).join(": "));
  if (field.kind === "boolean" && !field.nullable)
    return clack.confirm({ ...common, message, initialValue: given !== false });
  if (field.kind === "choice" || field.kind === "boolean") {
    const choices: unknown[] = field.kind === "choice" ? field.choices : [true, false];
    const options = [...choices, ...(field.nullable ? [null] : [])].map((value) => ({
      value,
      label: value === null ? "none" : String(value as string | number | boolean),
    }));
    return clack.select({ ...common, message, options, initialValue: given });
  }
  const validate = (typed: string | undefined): string | undefined => {
    const read = readField(field, typed ?? "");
    return "problem" in read ? read.problem : undefined;
  };
  const before = given == null ? "" : typeof given === "string" ? given : JSON.stringify(given);
  const placeholder = field.nullable ? `${hintOf(field)}, or nothing` : hintOf(field);
  const typed = await clack.text({ ...common, message, validate, placeholder, initialValue: plain(before) });
  if (clack.isCancel(typed)) return typed;
  const read = readField(field, typed ?? "");
  return "value" in read ? read.value : null;
}

function hintOf(field: ReplyField): string {
  if (field.kind === "number") {
    const { least, most } = field;
    const isOpen = most >= Number.MAX_SAFE_INTEGER;
    return least === -Infinity ? "a number" : `a number from ${least}${isOpen ? " up" : ` to ${most}`}`;
  }
  return field.kind === "json" ? "JSON" : "text";
}

/** Text from outside must not control the terminal. */
function plain(text: string): string {
  return stripVTControlCharacters(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "�");
}
