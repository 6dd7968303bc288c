import { Readable } from "node:stream";
import type { RunDetail, RunItem, TurnItem, WhyReply } from "../../contract/api/index.ts";
import { type Turn, turnIdOf } from "../../contract/turn.ts";
import { loadPackOf, listPackNames, loadPack } from "../../packs/registry.ts";
import { explainRun, isDecisive, limitRuns, makeWhySections } from "../../runs/why.ts";
import { findElapsed, findTurn, readRun, requirePrompt, requireRun, type StoredRun } from "../../runs/read-run.ts";
import {
  findLanguage,
  finishedOf,
  headlineOf,
  listSections,
  listStands,
  present,
  storyOf,
  subjectOf,
} from "../../runs/show-run.ts";
import { buildDiffSections, buildRedecidedSections, diffRuns, isSame } from "../../runs/compare-runs.ts";
import { buildRulesSection } from "../../runs/export/export-run.ts";
import { redecide } from "../../runs/redecide.ts";
import { RequestError } from "../http/request.ts";
import type { Handlers, Server } from "../setting/server.ts";
import { ParleyError } from "../../contract/error.ts";
import type { Run } from "../../contract/run.ts";
import { cutText } from "../../text/format.ts";

type Names = "listRuns" | "readRun" | "readTurn" | "redecideRun" | "explainRun" | "compareRuns";

export function createReadRoutes(server: Server): Pick<Handlers, Names> {
  const { store } = server;
  const readOpen = async (id: string): Promise<StoredRun> => {
    refuseWithheld(server, await requireRun(server.store, id));
    return readRun(store, id);
  };
  return {
    async listRuns({ query }) {
      const { case: caseId, from, to, ...rest } = query;
      const time = { from: from && new Date(from).toISOString(), to: to && new Date(to).toISOString() };
      const { runs, next, total, damaged } = await store.page({ ...rest, ...time, caseId });
      const items = await Promise.all(runs.map((run) => makeRunItem(server, run)));
      return { runs: items, next, total, damaged: damaged.map(({ id }) => id) };
    },
    async readRun({ params }) {
      await requireRun(store, params.id);
      return describeRun(server, await readRun(store, params.id));
    },
    async readTurn({ params }) {
      const { turns } = await readOpen(params.id);
      const turn = findTurn(turns, params.turn);
      if (!turn) throw new RequestError("not_found", `run ${params.id} has no turn of that name`);
      const prompt = await requirePrompt(await store.journal(params.id), params.id, turn);
      return { id: turnIdOf(turn.key), ...turn, prompt };
    },
    async redecideRun({ params, body }) {
      const stored = await readOpen(params.id);
      const pack = await loadPackOf(stored.run.manifest);
      const redecided = await redecide(pack, stored, body.set);
      const { finished, ...changes } = redecided;
      const sections = buildRedecidedSections(params.id, redecided);
      const from = findBranchStart(stored.turns, finished.turns);
      return { run: params.id, ...changes, from, result: finished.result, sections };
    },
    async explainRun({ params }) {
      return explain(await readOpen(params.id));
    },
    async compareRuns({ query }) {
      const [a, b] = [await readOpen(query.a), await readOpen(query.b)];
      const diff = await diffRuns(store, await loadPackOf(a.run.manifest), a, b);
      return {
        a: await makeRunItem(server, a.run),
        b: await makeRunItem(server, b.run),
        same: isSame(diff),
        sections: buildDiffSections(diff),
      };
    },
  };
}

/** The first recorded turn that was not asked again, else the last: all turns before it can be shared. */
function findBranchStart(recorded: readonly Turn[], asked: readonly Turn[]): string | null {
  const again = new Set(asked.map(({ key }) => turnIdOf(key)));
  const ids = recorded.map(({ key }) => turnIdOf(key));
  return ids.find((id) => !again.has(id)) ?? ids.at(-1) ?? null;
}

async function describeRun(server: Server, stored: StoredRun): Promise<RunDetail> {
  const { run, entries } = stored;
  const withheld = isWithheld(server, run);
  const shown = withheld ? { ...stored, turns: [], result: null } : stored;
  const pack = await loadPackOf(run.manifest);
  const { turns, result } = shown;
  const story = present(pack, shown, () => storyOf(pack, shown));
  const sections = result ? present(pack, shown, (finished) => listSections(pack, finished)) : [];
  // A pack that shows no rules of its own has the notes they left.
  if (result && !sections.some(({ kind }) => kind === "steps"))
    sections.push(buildRulesSection({ result, language: findLanguage(pack, finishedOf(shown)) }));
  return {
    run: await makeRunItem(server, run),
    manifest: run.manifest,
    result,
    headline: present(pack, shown, (finished) => headlineOf(pack, finished)),
    sections,
    turns: turns.map(lightenTurn),
    story,
    positions: present(pack, shown, () => listStands(pack, shown, story)),
    elapsedMs: findElapsed(entries),
    seq: entries.at(-1)?.seq ?? -1,
    withheld,
  };
}

function lightenTurn({ attempts, ...turn }: Turn): TurnItem {
  return { id: turnIdOf(turn.key), ...turn, attempts: attempts.map(({ raw: _raw, ...attempt }) => attempt) };
}

async function explain(stored: StoredRun): Promise<WhyReply> {
  const pack = await loadPackOf(stored.run.manifest);
  const why = await explainRun(pack, stored, limitRuns(stored));
  const flips = Object.fromEntries(
    why.turns.filter(isDecisive).map(({ change, flips: own }) => [change.turn, own ?? []]),
  );
  const levers = why.settings.map(({ change: { setting, from, to }, flips: own }) => ({
    setting,
    from,
    to,
    flips: own ?? [],
  }));
  const sections = makeWhySections(why, findLanguage(pack, finishedOf(stored)));
  return { run: stored.run.id, decisive: Object.keys(flips), flips, levers, sections };
}

const longestSubject = 300;

export async function makeRunItem({ live }: Pick<Server, "live">, run: Run): Promise<RunItem> {
  const { id, caseId, batch, status, outcome, createdAt, manifest } = run;
  const { pack, cast, seed, parent } = manifest;
  const subject = listPackNames().includes(pack) ? subjectOf(await loadPack(pack), run) : (caseId ?? "");
  const isLive = live.has(id);
  return {
    id,
    pack,
    subject: cutText(subject, longestSubject),
    caseId,
    batch,
    cast,
    seed,
    status,
    outcome,
    createdAt,
    live: isLive,
    parent,
  };
}

/** True while the decision is hidden: the run is escalated, reviews are blind, and nobody has ruled on it. */
export function isWithheld({ rules }: Pick<Server, "rules">, run: Pick<Run, "outcome">): boolean {
  return rules.blind && run.outcome === "escalated";
}

export function refuseWithheld(server: Pick<Server, "rules">, run: Run): void {
  if (!isWithheld(server, run)) return;
  throw new ParleyError("bad_input", `the decision of run ${run.id} is hidden until a reviewer has answered`);
}

export async function followRun(server: Server, id: string, lastEventId: string | undefined): Promise<Response> {
  const { tails, rules, live } = server;
  const run = await requireRun(server.store, id);
  const seq = readLastId(run, lastEventId);
  const isOver = run.status === "finished" && !live.has(id);
  if (isOver && seq >= run.entryCount - 1) return new Response(null, { status: 204 });
  if (tails.count() >= rules.maxFollowers)
    throw new RequestError("too_many", "too many clients are following runs; try again later", { "retry-after": "5" });
  const body = Readable.toWeb(Readable.from(await tails.follow(id, seq), { objectMode: false }));
  return new Response(body as BodyInit, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
  });
}

/** Event ids belong to one run; unknown ones are refused. */
function readLastId(run: Run, given: string | undefined): number {
  if (given === undefined || given === "") return -1;
  const seq = Number(given);
  if (/^\d{1,9}$/.test(given) && seq < run.entryCount) return seq;
  throw new ParleyError(
    "bad_input",
    `Last-Event-ID: run ${run.id} has no such event; leave the header out to start from the beginning`,
  );
}
