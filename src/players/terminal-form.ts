import { stripVTControlCharacters } from "node:util";
import type { ParleyError } from "../contract/error.ts";
import {
  type Field,
  findOutside,
  isNumbering,
  kindOf,
  listNumbered,
  mayBeNull,
  type Numbered,
  pickField,
  readBlocks,
  sayField,
  sayProblem,
  tidyValue,
} from "../contract/form.ts";
import { describeProblem } from "../contract/turn.ts";
import { shortenText } from "../text/format.ts";
import { nameTurn, parked, type PersonForm, type PersonPort, type Terminal } from "./person.ts";
import { createInterruption } from "./with-retry.ts";

type Clack = typeof import("@clack/prompts");

export async function askAtTerminal(form: PersonForm, terminal: Terminal, port: PersonPort): Promise<unknown> {
  delete port.overrule;
  if (form.signal.aborted) throw createInterruption(form.signal);
  const asking = new TerminalForm(form, terminal, await import("@clack/prompts"));
  const { earlier } = form;
  if (earlier === null || earlier.mayStand === undefined)
    asking.note(`You answer as ${nameTurn(form.key)}`, await describePrompt(form));
  if (earlier === null) return asking.fill();
  const problems = earlier.problems.map((problem) => `- ${sayProblem(describeProblem(problem), form.schema)}`);
  asking.note("Your last answer could not be used", problems.join("\n"));
  const before = JSON.parse(earlier.raw) as unknown;
  if (earlier.mayStand) {
    const why = await asking.text("Why it should stand anyway (leave empty to correct it)");
    if (why.trim()) {
      port.overrule = { by: port.by ?? "person", why: why.trim() };
      return before;
    }
  }
  return asking.fill(before);
}

/** The prompt for a human reader. A form with labels was made for people, who need no instructions to a model. */
async function describePrompt({ prompt: { system, shared, own }, schema }: PersonForm): Promise<string> {
  const { stringify } = await import("yaml");
  const isLabelled = Object.values(schema.properties ?? {}).some(({ title }) => title !== undefined);
  const blocks = readBlocks([...shared, ...own]);
  const read = isLabelled && typeof blocks.at(-1)?.value === "string" && own.length > 0 ? blocks.slice(0, -1) : blocks;
  const material = read.map(({ label, value }) =>
    `${label}\n${typeof value === "string" ? value : stringify(value)}`.trim(),
  );
  return [...(isLabelled ? [] : [system]), ...material].join("\n\n");
}

function left(form: PersonForm): ParleyError {
  return form.signal.aborted ? createInterruption(form.signal) : parked(form.key);
}

type Option = { value: unknown; label: string };
const yesAndNo: Option[] = [
  { value: true, label: "yes" },
  { value: false, label: "no" },
];

/** A reply's form at a terminal, asked field by field. */
class TerminalForm {
  readonly #form: PersonForm;
  readonly #clack: Clack;
  readonly #common: Terminal & { signal: AbortSignal };
  readonly #numbered: Numbered[];

  constructor(form: PersonForm, terminal: Terminal, clack: Clack) {
    this.#form = form;
    this.#clack = clack;
    this.#common = { ...terminal, signal: form.signal };
    this.#numbered = listNumbered([...form.prompt.shared, ...form.prompt.own]);
  }

  note(title: string, text: string): void {
    this.#clack.note(plain(text), title, { output: this.#common.output, format: (line) => line });
  }

  /** Asks for the whole reply, offering earlier values for editing. */
  async fill(given?: unknown): Promise<unknown> {
    return tidyValue(this.#form.schema, await this.#ask("reply", this.#form.schema, given));
  }

  async text(message: string, before = "", findWrong: (typed: string) => string | null = () => null): Promise<string> {
    const validate = (typed = ""): string | undefined => findWrong(typed.trim()) ?? undefined;
    const shown = { message: plain(message), initialValue: plain(before), validate };
    return this.#answered(await this.#clack.text({ ...this.#common, ...shown })) ?? "";
  }

  #answered<T>(answer: T): Exclude<T, symbol> {
    if (this.#clack.isCancel(answer)) throw left(this.#form);
    return answer as Exclude<T, symbol>;
  }

  async #choose(message: string, options: Option[], initialValue: unknown): Promise<unknown> {
    return this.#answered(await this.#clack.select({ ...this.#common, message, options, initialValue }));
  }

  async #confirm(message: string, initialValue: boolean): Promise<boolean> {
    return this.#answered(await this.#clack.confirm({ ...this.#common, message, initialValue }));
  }

  async #ask(name: string, field: Field, before: unknown): Promise<unknown> {
    const picked = pickField(field);
    const label = plain(sayField(name, field));
    const isOpen = mayBeNull(field);
    const none = isOpen ? [{ value: null, label: "none" }] : [];
    const kind = kindOf(field);
    const list = [before ?? field.default ?? []].flat();
    if (kind === "parts") {
      const isLeft = isOpen && !(await this.#confirm(`${label}: fill it in?`, before != null));
      return isLeft ? null : this.#askParts(picked, before);
    }
    if (kind === "rows") return this.#askRows(label, picked.items ?? {}, list);
    if (kind === "choices") return this.#chooseMany(label, listChoices(pickField(picked.items ?? {})), list);
    if (kind === "choice") return this.#choose(label, [...listChoices(picked), ...none], before);
    if (kind === "yes")
      return isOpen ? this.#choose(label, [...yesAndNo, ...none], before) : this.#confirm(label, before !== false);
    if (isNumbering(field) && this.#numbered.length > 0)
      return this.#choose(label, [...this.#numbered.map(describeNumbered), ...none], before);
    const hint = `${kind === "texts" ? " (put ; between them)" : ""}${isOpen ? " (may stay empty)" : ""}`;
    const typed = await this.text(`${label}${hint}`, showEarlier(before), (text) => findWrong(name, field, text));
    return readTyped(field, typed.trim());
  }

  async #chooseMany(message: string, options: Option[], initialValues: unknown[]): Promise<unknown[]> {
    const asked = { message, options, initialValues, required: false };
    return this.#answered(await this.#clack.multiselect({ ...this.#common, ...asked }));
  }

  async #askRows(label: string, item: Field, before: unknown[]): Promise<unknown[]> {
    const rows: unknown[] = [];
    while (
      await this.#confirm(`${label}: ${rows.length === 0 ? "add one?" : "add another?"}`, rows.length < before.length)
    )
      rows.push(await this.#askParts(pickField(item), before[rows.length]));
    return rows;
  }

  /** The words of a numbered answer that was chosen are offered as the answer. */
  async #askParts({ properties = {} }: Field, before: unknown): Promise<Record<string, unknown>> {
    const reply: Record<string, unknown> = {};
    let chosen: string | null | undefined;
    for (const [name, field] of Object.entries(properties)) {
      const earlier: unknown = Object(before)[name];
      reply[name] = await this.#ask(name, field, name === "answer" ? (earlier ?? chosen) : earlier);
      if (isNumbering(field)) chosen = this.#numbered.find(({ number }) => number === reply[name])?.answer;
    }
    return reply;
  }
}

function listChoices({ enum: choices = [], labels }: Field): Option[] {
  const named = choices.filter((choice) => choice !== null).map(String);
  return named.map((value) => ({ value, label: plain(labels?.[value] ?? value) }));
}

function describeNumbered({ number, label, text }: Numbered): Option {
  return { value: number, label: plain(`${label}: ${shortenText(text, 200)}`) };
}

function showEarlier(before: unknown): string {
  if (Array.isArray(before)) return before.join("; ");
  return before == null ? "" : typeof before === "string" ? before : JSON.stringify(before);
}

function readTyped(field: Field, typed: string): unknown {
  const kind = kindOf(field);
  if (kind === "texts") return typed.split(";");
  if (typed === "") return mayBeNull(field) ? null : typed;
  if (kind === "number") return Number(typed);
  return isText(field) ? typed : (JSON.parse(typed) as unknown);
}

function isText(field: Field): boolean {
  const types = [pickField(field).type ?? "string"].flat();
  return types.includes("string");
}

/** Says what is wrong with what was typed, before it is sent. */
function findWrong(name: string, field: Field, typed: string): string | null {
  if (typed === "") return mayBeNull(field) || kindOf(field) === "texts" ? null : "please give an answer";
  if (kindOf(field) === "number" && Number.isNaN(Number(typed))) return "give a number, please";
  try {
    return findOutside(field, readTyped(field, typed), name);
  } catch (error) {
    return `not valid JSON: ${(error as Error).message}`;
  }
}

/** Text from outside must not control the terminal. */
function plain(text: string): string {
  return stripVTControlCharacters(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "�");
}
