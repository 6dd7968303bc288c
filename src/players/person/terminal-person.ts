import type { Readable, Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { turnIdOf } from "../../contract/turn.ts";
import { createInterruption } from "../calls/interruption.ts";
import { parked, type PersonForm, type PersonPort } from "./person-player.ts";
import { readField, type ReplyField, listReplyFields } from "./reply-fields.ts";

export type Terminal = { input: Readable; output: Writable };
type Clack = typeof import("@clack/prompts");

/** The person at this process's terminal, or null when there is none. Results go to stdout, so questions go to stderr. */
export function openTerminalPerson(): PersonPort | null {
  const { stdin: input, stderr: output } = process;
  return input.isTTY && output.isTTY ? createTerminalPerson({ input, output }) : null;
}

/** A person who answers at a terminal, one turn at a time; leaving a question parks the run. */
export function createTerminalPerson(terminal: Terminal): PersonPort {
  let tail: Promise<unknown> = Promise.resolve();
  return {
    answer(form) {
      const answering = tail.then(() => ask(form, terminal));
      tail = answering.catch(() => undefined);
      return answering;
    },
  };
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
  const problems = form.earlier.problems.map((problem) => `- ${problem.path?.join(".") ?? ""} ${problem.message}`);
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
