import type { AttemptBody, EntryBody, JournalEntry } from "../../contract/journal.ts";
import { turnIdOf } from "../../contract/turn.ts";
import { hashValue } from "../../engine/hash.ts";
import type { Finding } from "../../engine/pack.ts";
import { bad, good } from "../record/finding.ts";

/** What a journal has said so far, as far as the order of its entries goes. */
type Told = { attempts: Map<string, AttemptBody[]>; called: Set<string>; last: EntryBody | null };

/** The entries come in an order that an engine can have written: also a journal whose hashes were made anew is held to it. */
export function checkOrder(runId: string, entries: readonly JournalEntry[]): Finding[] {
  const told: Told = { attempts: new Map(), called: new Set(), last: null };
  for (const [seq, { body }] of entries.entries()) {
    const problem = checks[body.kind](body as never, told);
    if (problem !== null) return [bad("journal_order", `entry ${seq}`, problem)];
    told.last = body;
  }
  return [good("journal_order", runId, "its entries come in order")];
}

type Of<K extends EntryBody["kind"]> = Extract<EntryBody, { kind: K }>;

const checks: { [K in EntryBody["kind"]]: (body: Of<K>, told: Told) => string | null } = {
  begin: (_, { last }) => (last === null ? null : "a run begins once"),
  material: ({ hash, value }, { last }) => {
    const isPrepared = last?.kind === "call" && last.turn.round === 0 && last.turn.step === "prepare";
    if (last?.kind !== "begin" && !isPrepared) return "material that does not stand at the run's beginning";
    return hash === hashValue(value) ? null : "material that is not what its hash names";
  },
  call: ({ turn, attempt }, told) => {
    told.called.add(`${turnIdOf(turn)}#${attempt}`);
    return checkAfterEnd(told) ?? checkNextAttempt(told, turnIdOf(turn), attempt);
  },
  attempt: (body, told) => {
    const name = turnIdOf(body.turn);
    const before = told.attempts.get(name) ?? [];
    told.attempts.set(name, [...before, body]);
    if (body.spent.tokens > 0 && !told.called.has(`${name}#${body.number}`))
      return `${name} was paid for, but its call was never written down`;
    if (before.some(({ place }) => place !== body.place)) return `${name} is asked in two places`;
    return checkAfterEnd(told) ?? findOutOfTurn(before, body);
  },
  erased: () => "what it said was erased, and the entries around it were not",
  review: (_, { last }) =>
    last?.kind === "end" && last.result.outcome === "escalated" ? null : "a ruling on a run that was not escalated",
  end: (_, { last }) => (last === null ? "a run ends that never began" : null),
};

/** Only a run that stopped early goes on after its end. */
function checkAfterEnd({ last }: Told): string | null {
  if (last?.kind === "review") return "a turn between a ruling and the end it leads to";
  if (last?.kind !== "end") return null;
  const { outcome } = last.result;
  return outcome === "failed" || outcome === "budget_exhausted" ? null : `a turn after the run ended ${outcome}`;
}

function checkNextAttempt({ attempts }: Told, name: string, number: number): string | null {
  const before = attempts.get(name) ?? [];
  if (before.at(-1)?.conclusion) return `${name} was concluded already`;
  return number === before.length + 1 ? null : `${name} has ${before.length} attempts, and a call for number ${number}`;
}

function findOutOfTurn(before: readonly AttemptBody[], { turn, number }: AttemptBody): string | null {
  const name = turnIdOf(turn);
  if (before.at(-1)?.conclusion) return `${name} was concluded already`;
  return number === before.length + 1 ? null : `attempt ${number} of ${name} follows ${before.length} others`;
}
