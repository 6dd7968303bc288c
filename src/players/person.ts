import type { Readable, Writable } from "node:stream";
import { noCost, noUsage } from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import { type Field, fitForm } from "../contract/form.ts";
import { type Problem, turnIdOf, type TurnKey } from "../contract/turn.ts";
import type { Player } from "../engine/player.ts";
import { buildJsonSchema, type RenderedPrompt } from "../engine/prompt.ts";
import { readReply } from "../engine/read-reply.ts";
import type { AnyRole } from "../engine/role.ts";
import { isRecord } from "../text/json.ts";
import { throwIfInterrupted } from "./with-retry.ts";

/** Shown to a person: the role's prompt, the form of the reply, and the problems of an earlier one. */
export type PersonForm = {
  key: TurnKey;
  prompt: RenderedPrompt;
  schema: Field;
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
      const form: PersonForm = { key, prompt, schema: makeForm(role, input, prompt), earlier: turn.repair, signal };
      const value = await askUntilUsable(port, form, (given) => {
        const reply = addKnown(role, input, given);
        return { reply, ...readReply(role, input, turn, { reply: { value: reply }, finish: null }) };
      });
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

/** The form of a reply: without what is known beforehand, in words for people. */
export function makeForm(role: AnyRole, input: unknown, { shared, own }: RenderedPrompt): Field {
  return fitForm(buildJsonSchema(role.reply), [...shared, ...own], role.aids?.form?.(input));
}

export function addKnown(role: AnyRole, input: unknown, given: unknown): unknown {
  return isRecord(given) ? { ...role.aids?.form?.(input).known, ...given } : given;
}

/** A person may try as often as they like: an answer that breaks a rule is handed back, never dropped. Repeating it waits for a new one. */
async function askUntilUsable(
  port: PersonPort,
  form: PersonForm,
  read: (given: unknown) => { reply: unknown; value: unknown; problems: Problem[] },
): Promise<unknown> {
  for (let { earlier } = form; ; ) {
    const given = await port.answer({ ...form, earlier });
    if (given == null) return null;
    const { reply, value, problems } = read(given);
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

export type Terminal = { input: Readable; output: Writable };

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
      const answering = tail.then(async () => (await import("./terminal-form.ts")).askAtTerminal(form, terminal, port));
      tail = answering.catch(() => undefined);
      return answering;
    },
  };
  return port;
}
