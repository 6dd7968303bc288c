import type { RunGroups } from "../../contract/api/index.ts";
import { OutcomeSchema } from "../../contract/result.ts";
import type { Run } from "../../contract/run.ts";
import type { PageFilter } from "../../store/store.ts";
import type { Handlers, Server } from "../setting/server.ts";
import { isWithheld, makeRunItem } from "./run-items.ts";
import { listStudyBatches } from "./studies.ts";

type Group = RunGroups["groups"][number];
type Scope = Pick<PageFilter, "pack" | "from" | "to">;

/** The newest runs that a group shows of itself. */
const mostNewest = 5;

/** How many runs without a decision are read for their reasons, of each outcome. */
const mostRead = 200;

/** The route that lists runs in groups. */
export function createGroupRoutes(server: Server): Pick<Handlers, "groupRuns"> {
  const ways = { outcome: groupByOutcome, reason: groupByReason, study: groupByStudy };
  return {
    async groupRuns({ query: { by, pack, from, to } }) {
      const time = { from: from && new Date(from).toISOString(), to: to && new Date(to).toISOString() };
      const groups = await ways[by](server, { pack, ...time });
      const note = by === "reason" ? `Of each outcome the newest ${mostRead} runs were read.` : null;
      const kept = { ...(pack && { pack }), ...(from && { from }), ...(to && { to }) };
      return { groups: groups.map((group) => ({ ...group, query: { ...kept, ...group.query } })), note };
    },
  };
}

async function groupByOutcome(server: Server, scope: Scope): Promise<Group[]> {
  const open = (["running", "waiting", "interrupted"] as const).map((status) => ({ status }));
  const ended = OutcomeSchema.options.map((outcome) => ({ outcome }));
  return listGroups(
    server,
    scope,
    [...open, ...ended].map((query) => ({ name: Object.values(query)[0] ?? "", query })),
  );
}

async function groupByStudy(server: Server, scope: Scope): Promise<Group[]> {
  const studies = listStudyBatches(server.studiesFolder);
  return listGroups(
    server,
    scope,
    studies.map(({ name, batch }) => ({ name, query: { batch } })),
  );
}

/** Why runs came to no decision, by the first reason each gives; the commonest first. */
async function groupByReason(server: Server, scope: Scope): Promise<Group[]> {
  const found = new Map<string, { runs: Run[]; outcome: string }>();
  for (const outcome of ["failed", "undecided", "escalated", "budget_exhausted"] as const) {
    const { runs } = await server.store.page({ ...scope, outcome, limit: mostRead });
    for (const run of runs) {
      if (isWithheld(server, run)) continue;
      const reason = await readReason(server, run);
      const group = found.get(reason) ?? { runs: [], outcome };
      group.runs.push(run);
      found.set(reason, group);
    }
  }
  const sorted = [...found].toSorted(([, a], [, b]) => b.runs.length - a.runs.length);
  return Promise.all(
    sorted.map(async ([name, { runs, outcome }]) => ({
      name,
      count: runs.length,
      exact: true,
      query: { outcome, text: cutWords(name) },
      newest: await Promise.all(runs.slice(0, mostNewest).map((run) => makeRunItem(server, run))),
    })),
  );
}

/** The first reason of a run's end; what stands after a colon is about one case and would part like from like. */
async function readReason({ store }: Server, run: Run): Promise<string> {
  const [last] = await store.entriesAfter(run.id, run.entryCount - 2, 1);
  const reasons = last?.body.kind === "end" ? last.body.result.reasons : [];
  return (reasons[0] ?? "no reason is given").split(/: /)[0]?.slice(0, 200) ?? "";
}

/** The words of a reason that look for it. */
function cutWords(reason: string): string {
  return reason.slice(0, 200);
}

type Named = { name: string; query: Record<string, string> };

async function listGroups(server: Server, scope: Scope, named: readonly Named[]): Promise<Group[]> {
  const groups = await Promise.all(
    named.map(async ({ name, query }) => {
      const { runs, total } = await server.store.page({ ...scope, ...query, limit: mostNewest });
      return { name, ...total, query, newest: await Promise.all(runs.map((run) => makeRunItem(server, run))) };
    }),
  );
  return groups.filter(({ count }) => count > 0);
}
