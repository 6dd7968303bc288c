import { noCost } from "../contract/budget.ts";
import { hasCode, ParleyError } from "../contract/error.ts";
import type { JournalEntry } from "../contract/journal.ts";
import type { DebateResult } from "../contract/result.ts";
import type { Run } from "../contract/run.ts";
import { describeProblem, type Problem, type Turn, turnIdOf, type TurnKey } from "../contract/turn.ts";
import { openJournal } from "../engine/journal.ts";
import type { AnyPack } from "../engine/pack.ts";
import { loadPack } from "../packs/registry.ts";
import type { Claim, InboxEntry, OnDamaged, Store } from "../store/store.ts";
import { formatDuration } from "../text/format.ts";
import { isRecord } from "../text/json.ts";
import { listAttempts, readRun, requireRun, type StoredRun } from "./read-run.ts";
import { checkValue } from "./settings.ts";
import type { Field } from "../contract/form.ts";
import type { Player } from "../engine/player.ts";
import { readReply } from "../engine/read-reply.ts";
import type { AnyRole } from "../engine/role.ts";
import type { CastOptions } from "../players/endpoints.ts";
import { parseCast } from "../players/cast.ts";
import { addKnown, makeForm, parked, type PersonForm, type PersonPort } from "../players/person.ts";
import { replay } from "./redecide.ts";

export type InboxItem = {
  run: Run;
  why: "turn" | "escalated" | "budget";
  since: string;
  claim: Claim | null;
};

const mostOfAKind = 500;

export async function listInbox(store: Store, now: Date, onDamaged: OnDamaged = () => undefined): Promise<InboxItem[]> {
  const kinds = [
    { why: "turn", filter: { status: "waiting" } },
    { why: "escalated", filter: { outcome: "escalated" } },
    { why: "budget", filter: { outcome: "budget_exhausted" } },
  ] as const;
  const pages = await Promise.all(
    kinds.map(async ({ why, filter }) => {
      const { runs, damaged } = await store.page({ ...filter, limit: mostOfAKind });
      for (const { id, error } of damaged) onDamaged(id, error);
      const entries = await store.inbox.see(
        runs.map(({ id }) => id),
        now.toISOString(),
      );
      return runs.map((run) => describeItem(run, why, entries.get(run.id)));
    }),
  );
  return pages
    .flat()
    .filter((item) => item !== null)
    .toSorted((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : a.run.id < b.run.id ? -1 : 1));
}

export async function findInboxItem(store: Store, id: string, now: Date): Promise<InboxItem> {
  const run = await requireRun(store, id);
  const why = whyWaiting(run);
  const entries = await store.inbox.see(why === null ? [] : [id], now.toISOString());
  const item = why === null ? null : describeItem(run, why, entries.get(id));
  if (item) return item;
  const state = run.outcome ?? run.status;
  throw new ParleyError("bad_input", `run ${id} is not waiting for anyone: it is ${state}`);
}

function whyWaiting({ status, outcome }: Pick<Run, "status" | "outcome">): InboxItem["why"] | null {
  if (status === "waiting") return "turn";
  if (outcome === "escalated") return "escalated";
  return outcome === "budget_exhausted" ? "budget" : null;
}

function describeItem(run: Run, why: InboxItem["why"], entry: InboxEntry | undefined): InboxItem | null {
  return !entry || entry.closed ? null : { run, why, since: entry.since, claim: entry.claim };
}

export async function claimItem(
  { inbox }: Store,
  run: string,
  by: { reviewer: string; leaseMs: number },
  now: Date,
): Promise<Claim> {
  const claim = await inbox.claim(run, by, now.toISOString());
  if (claim) return claim;
  const entry = (await inbox.see([run], now.toISOString())).get(run);
  const held = entry?.claim;
  const left = held ? formatDuration(Math.max(0, Date.parse(held.until) - Date.parse(entry.now))) : "a moment";
  throw new ParleyError(
    "run_locked",
    `${held?.reviewer ?? "somebody else"} is reviewing run ${run}, for ${left} more at most`,
  );
}

export type Ruling = {
  verdict: "upheld" | "replaced";
  ruling: string;
  reviewer: string;
  gold?: unknown;
  agreed?: boolean;
};

export async function ruleOnRun(store: Store, id: string, given: Ruling): Promise<DebateResult> {
  const { ruling } = given;
  if (ruling.trim() === "") throw new ParleyError("bad_input", "the ruling is empty: say what was decided and why");
  await requireEscalated(store, id);
  const lease = await store.lock(id);
  try {
    const { run, result } = await requireEscalated(store, id);
    const writer = openJournal(await store.journal(run.id, lease));
    const at = new Date().toISOString();
    const said = dropMissing(given);
    const settled = applyRuling(result, said);
    // In one step, so that no ruling is stored without its end.
    await Promise.all([
      writer.write({ kind: "review", ...said, at }),
      writer.write({ kind: "end", elapsedMs: 0, lost: noCost, result: settled }),
    ]);
    return settled;
  } finally {
    await lease.release();
  }
}

export function applyRuling(result: DebateResult, given: Ruling): DebateResult {
  const { verdict, ruling } = given;
  return {
    ...result,
    outcome: "decided",
    reasons: [`settled by a person (${verdict}): ${ruling}`],
    notes: [...result.notes, { type: "review", round: 0, data: dropMissing(given) }],
  };
}

function dropMissing({ verdict, ruling, reviewer, gold, agreed }: Ruling): Ruling {
  const label = gold === undefined || gold === null ? {} : { gold };
  return { verdict, ruling, reviewer, ...label, ...(agreed === undefined ? {} : { agreed }) };
}

async function requireEscalated(store: Store, id: string): Promise<{ run: Run; result: DebateResult }> {
  const { run, result } = await readRun(store, id);
  if (result?.outcome === "escalated") return { run, result };
  throw new ParleyError("bad_input", `run ${run.id} is not escalated${result ? `: it is ${result.outcome}` : ""}`);
}

type LabelledCase = {
  id: string;
  input: unknown;
  gold: unknown;
  votes?: Record<string, string | null>;
  labelled_by: "person";
};

export type Judgement = { verdict: "uphold" | "correct"; why: string; reviewer: string; gold?: unknown };

/**
 * Makes the ruling, with the gold that turns the run into a labelled case. A blind reviewer has not seen the verdict:
 * it stands if it equals their own answer.
 */
export function makeRuling(pack: AnyPack, result: DebateResult, judgement: Judgement, blind: boolean): Ruling {
  const { verdict, why, reviewer, gold } = judgement;
  const common = { ruling: why, reviewer };
  if (blind) {
    if (verdict === "uphold" || gold === undefined)
      throw new ParleyError(
        "bad_input",
        "the decision is hidden, so it cannot be upheld; give the right answer as gold",
      );
    const agreed = isRight(pack, result, gold);
    return { ...common, verdict: agreed ? "upheld" : "replaced", gold, agreed };
  }
  if (gold !== undefined) requireGold(pack, gold);
  if (verdict === "correct") return { ...common, verdict: "replaced", gold };
  const stands = gold ?? (result.decision === null ? undefined : pack.measure?.goldOf?.(result.decision));
  return { ...common, verdict: "upheld", gold: stands };
}

function isRight(pack: AnyPack, { decision }: DebateResult, gold: unknown): boolean {
  const parsed = requireGold(pack, gold);
  const { measure } = pack;
  return decision !== null && measure !== undefined && measure.score(decision, parsed)[measure.primary] === 1;
}

function requireGold(pack: AnyPack, gold: unknown): unknown {
  if (!pack.measure) throw new ParleyError("bad_input", `decisions of the ${pack.name} pack are not measured: no gold`);
  return checkValue(pack.measure.gold, gold, `gold of the ${pack.name} pack`, "bad_input");
}

export async function* listLabelledCases(store: Store, packName: string): AsyncGenerator<LabelledCase> {
  const pack = await loadPack(packName);
  for (const id of await store.reviewed()) {
    if ((await store.get(id))?.manifest.pack !== packName) continue;
    const { run, entries, result, turns } = await readRun(store, id);
    const review = findReview(entries);
    if (review?.gold === undefined) continue;
    const votes = result ? listVotes(pack, result, turns, review.gold) : null;
    const row = { id: run.caseId ?? run.id, input: run.manifest.input, gold: review.gold };
    yield { ...row, ...(votes ? { votes } : {}), labelled_by: "person" };
  }
}

function listVotes(pack: AnyPack, { decision }: DebateResult, turns: Turn[], gold: unknown) {
  const { measure } = pack;
  if (decision === null || !isRecord(gold) || typeof gold.answer !== "string" || !measure?.isCorrect) return null;
  const { answer: right } = gold;
  const said = measure.positions?.(decision, turns) ?? [];
  const first = said.filter(({ round }) => round === Math.min(...said.map((one) => one.round)));
  const word = (answer: string): string | null =>
    measure.isCorrect?.(answer, measure.gold.parse(gold)) ? right : answer === "" ? null : answer;
  return first.length === 0 ? null : Object.fromEntries(first.map(({ role, answer }) => [role, word(answer)]));
}

/** How often blind reviewers reached the same verdict. */
export async function countAgreement(store: Store): Promise<{ blind: number; agreed: number }> {
  const counts = { blind: 0, agreed: 0 };
  for (const id of await store.reviewed()) {
    const { agreed } = findReview((await store.journal(id)).entries) ?? {};
    if (agreed !== undefined) counts.blind += 1;
    if (agreed) counts.agreed += 1;
  }
  return counts;
}

export function findReview(entries: readonly JournalEntry[]) {
  return entries.map(({ body }) => body).findLast((body) => body.kind === "review");
}

type WaitingTurn = {
  key: TurnKey;
  role: AnyRole;
  prompt: string[];
  schema: Field;
  problems: string[];
  /** Problems by the role's schema and its own checks; null abstains and is always valid. */
  check(reply: unknown): { isReadable: boolean; problems: Problem[] };
};

/** Replays a run, calling nobody, up to the turn that waits for a person; null if there is none. */
export async function findWaitingTurn(
  pack: AnyPack,
  stored: StoredRun,
  options: CastOptions,
): Promise<WaitingTurn | null> {
  const { manifest } = stored.run;
  const config: unknown = pack.config.parse(manifest.config);
  const roles = pack.roles(config).map((role) => role.name);
  const { roles: plan } = parseCast(manifest.cast, roles, options);
  const found: WaitingTurn[] = [];
  const missing: Player = {
    id: "person",
    async play(role, input, turn) {
      const { system, shared, own } = turn.rendered;
      if (plan[role.name]?.kind === "person")
        found.push({
          key: turn.key,
          role,
          prompt: [system, ...shared, ...own],
          schema: makeForm(role, input, turn.rendered),
          problems: listProblems(stored, turn.key),
          check(reply) {
            if (reply === null) return { isReadable: true, problems: [] };
            const value = addKnown(role, input, reply);
            const read = readReply(role, input, turn, { reply: { value }, finish: null });
            return { isReadable: read.value !== null, problems: read.problems };
          },
        });
      throw parked(turn.key);
    },
  };
  await replay(pack, stored, config, { missing }).catch((error: unknown) => {
    if (!hasCode(error, "parked")) throw error;
  });
  return found[0] ?? null;
}

function listProblems({ entries }: StoredRun, key: TurnKey): string[] {
  const last = listAttempts(entries).findLast((body) => turnIdOf(body.turn) === turnIdOf(key));
  return (last?.attempt.problems ?? []).map(describeProblem);
}

/** A person with one known reply. A second turn waits again; problems of the first are reported. */
export function answerOnce(
  reply: unknown,
  who: Pick<PersonPort, "by" | "overrule"> = {},
  onRefused: (key: TurnKey, refused: NonNullable<PersonForm["earlier"]>) => void = () => undefined,
): PersonPort {
  let isGiven = false;
  return {
    ...who,
    answer: async (form) => {
      if (isGiven) {
        if (form.earlier !== null) onRefused(form.key, form.earlier);
        throw parked(form.key);
      }
      isGiven = true;
      return reply;
    },
  };
}
