import { join } from "node:path";
import type { ArmComparison, RunGroups } from "../../contract/api/index.ts";
import { ParleyError } from "../../contract/error.ts";
import { OutcomeSchema } from "../../contract/result.ts";
import type { Run } from "../../contract/run.ts";
import { loadPack } from "../../packs/registry.ts";
import { readRun } from "../../runs/read-run.ts";
import { findParting } from "../../runs/redecide.ts";
import type { PageFilter } from "../../store/store.ts";
import {
  type CasePair,
  compareTwoArms,
  readStudyResults,
  type Scorecard,
  type StudyManifest,
} from "../../studies/index.ts";
import { RequestError } from "../http/request.ts";
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

/** A study that ran here. */
export type StoredStudy = { name: string; manifest: StudyManifest; scorecards: Scorecard[] };

/** In how many cases it is looked up where two arms part, and how many are listed. */
const mostLookedUp = 40;
const mostListed = 500;

/** Two arms of a study as wholes: their settings, measures and cases, only what differs, and where their debates part. */
export async function compareArms(
  server: Server,
  { name, manifest, scorecards }: StoredStudy,
  [a, b]: [string, string],
): Promise<ArmComparison> {
  const results = readStudyResults(join(server.studiesFolder, name), [a, b]);
  const study = { manifest, scorecards, results };
  for (const arm of [a, b])
    if (!manifest.arms.some((one) => one.name === arm))
      throw new RequestError(
        "not_found",
        `the study ${name} has no arm "${arm}"; it has ${manifest.arms.map((one) => one.name).join(", ")}`,
      );
  const { cases, ...rest } = compareTwoArms(study, [a, b], await loadPack(manifest.pack));
  const describe = (arm: string) => {
    const { kind, about, cast } = manifest.arms.find((one) => one.name === arm) ?? {};
    return { name: arm, kind: kind ?? "arm", about: about ?? null, cast: cast ?? "" };
  };
  return {
    study: name,
    pack: manifest.pack,
    primary: manifest.primary,
    a: describe(a),
    b: describe(b),
    ...rest,
    differing: cases.length,
    cases: cases.slice(0, mostListed),
    partings: await listPartings(server, cases.slice(0, mostLookedUp)),
  };
}

/** Where the debates of differing cases part, the most frequent turn first. */
async function listPartings(server: Server, cases: readonly CasePair[]): Promise<ArmComparison["partings"]> {
  const turns = await Promise.all(cases.map(async ({ a, b }) => findPartingOf(server, a.run, b.run)));
  const found = turns.filter((turn) => turn !== null);
  const counts = [...Map.groupBy(found, (turn) => turn)].map(([turn, all]) => ({ turn, count: all.length }));
  return { looked: found.length, turns: counts.sort((a, b) => b.count - a.count) };
}

/** A run that was removed, damaged or is kept back says nothing. */
async function findPartingOf(server: Server, a: string | null, b: string | null): Promise<string | null> {
  if (a === null || b === null || a === b) return null;
  try {
    const [first, second] = [await readRun(server.store, a), await readRun(server.store, b)];
    if ([first, second].some(({ run }) => isWithheld(server, run))) return null;
    return findParting(first.turns, second.turns);
  } catch (error) {
    if (error instanceof ParleyError) return null;
    throw error;
  }
}
