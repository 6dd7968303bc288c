import { ParleyError } from "../../contract/error.ts";
import type { Run } from "../../contract/run.ts";
import type { Claim, InboxEntry } from "../../store/store.ts";
import type { OnDamaged, Store } from "../../store/store.ts";
import { formatDuration } from "../../text/duration.ts";

/** How long an item may wait for a person, and what happens then: the turn abstains, or it waits on and is overdue. */
export type InboxRules = { deadlineMs: number | null; atDeadline: "abstain" | "wait" };

/** What waits for a person: a turn, a ruling on an escalated run, or leave to go on over a spent budget. */
export type InboxItem = {
  run: Run;
  why: "turn" | "escalated" | "budget";
  since: string;
  deadline: string | null;
  atDeadline: "abstain" | "wait";
  overdue: boolean;
  claim: Claim | null;
};

export const patientRules: InboxRules = { deadlineMs: null, atDeadline: "wait" };

/** The most of one kind that is listed. */
const mostOfAKind = 500;

/** The inbox: the oldest first, so that nothing is forgotten at its end. */
export async function listInbox(
  store: Store,
  rules: InboxRules,
  now: Date,
  onDamaged: OnDamaged = () => undefined,
): Promise<InboxItem[]> {
  const kinds = [
    { why: "turn" as const, filter: { status: "waiting" as const } },
    { why: "escalated" as const, filter: { outcome: "escalated" as const } },
    { why: "budget" as const, filter: { outcome: "budget_exhausted" as const } },
  ];
  const pages = await Promise.all(
    kinds.map(async ({ why, filter }) => {
      const { runs, damaged } = await store.page({ ...filter, limit: mostOfAKind });
      for (const { id, error } of damaged) onDamaged(id, error);
      const entries = await store.inbox.see(
        runs.map(({ id }) => id),
        now.toISOString(),
      );
      return runs.map((run) => describeItem(run, entries.get(run.id), { why, rules }));
    }),
  );
  return pages
    .flat()
    .filter((item) => item !== null)
    .toSorted((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : a.run.id < b.run.id ? -1 : 1));
}

/** The item of a run; a run that waits for nobody is an error. */
export async function findInboxItem(store: Store, rules: InboxRules, id: string, now: Date): Promise<InboxItem> {
  const run = await store.get(id);
  if (!run) throw new ParleyError("unknown_run", `there is no run ${id} here`);
  const why = whyWaiting(run);
  const entries = await store.inbox.see(why === null ? [] : [id], now.toISOString());
  const item = why === null ? null : describeItem(run, entries.get(id), { why, rules });
  if (item) return item;
  const state = run.outcome ?? run.status;
  throw new ParleyError("bad_input", `run ${id} waits for nobody: it is ${state}`);
}

/** Why a run waits for a person; null when it does not. */
export function whyWaiting({ status, outcome }: Pick<Run, "status" | "outcome">): InboxItem["why"] | null {
  if (status === "waiting") return "turn";
  if (outcome === "escalated") return "escalated";
  return outcome === "budget_exhausted" ? "budget" : null;
}

type About = { why: InboxItem["why"]; rules: InboxRules };

function describeItem(run: Run, entry: InboxEntry | undefined, { why, rules }: About): InboxItem | null {
  if (!entry || entry.closed) return null;
  const { since, claim, now } = entry;
  const deadlineMs = rules.deadlineMs === null ? null : Date.parse(since) + rules.deadlineMs;
  return {
    run,
    why,
    since,
    deadline: deadlineMs === null ? null : new Date(deadlineMs).toISOString(),
    atDeadline: why === "turn" ? rules.atDeadline : "wait",
    overdue: deadlineMs !== null && deadlineMs <= Date.parse(now),
    claim,
  };
}

/** Takes an item for a while; two reviewers do not collide, and an abandoned claim returns. */
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
