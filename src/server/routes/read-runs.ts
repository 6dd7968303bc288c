import type { RunDetail, WhyReply } from "../../contract/api/index.ts";
import type { JournalEntry } from "../../contract/journal.ts";
import { type Turn, turnIdOf } from "../../contract/turn.ts";
import { loadPackOf } from "../../packs/registry.ts";
import { listBranches } from "../../runs/branch.ts";
import { explainRun, isDecisive, limitRuns, makeWhySections } from "../../runs/why.ts";
import { findTurn, readRun, requirePrompt, type StoredRun } from "../../runs/read-run.ts";
import {
  findLanguage,
  finishedOf,
  headlineOf,
  listSections,
  listStands,
  present,
  tellRun,
} from "../../runs/show-run.ts";
import { diffRuns, isSame } from "../../runs/diff-runs.ts";
import { redecide } from "../../runs/redecide.ts";
import { RequestError } from "../http/request.ts";
import { lightenTurn } from "../live/event-stream.ts";
import type { Handlers, Server } from "../setting/server.ts";
import { isWithheld, makeRunItem, refuseWithheld, requireRun } from "./run-items.ts";

type Names = "listRuns" | "readRun" | "readTurn" | "redecideRun" | "explainRun" | "listBranches" | "compareRuns";

export function createReadRoutes(server: Server): Pick<Handlers, Names> {
  const { store } = server;
  const readOpen = async (id: string): Promise<StoredRun> => {
    refuseWithheld(server, await requireRun(server, id));
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
      await requireRun(server, params.id);
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
      const { finished, ...changes } = await redecide(pack, stored, body.set);
      const sections = finished.result.decision === null ? [] : pack.sections(finished);
      const from = findBranchStart(stored.turns, finished.turns);
      return { run: params.id, ...changes, from, result: finished.result, sections };
    },
    async listBranches({ params }) {
      const run = await requireRun(server, params.id);
      refuseWithheld(server, run);
      const { nodes, complete } = await listBranches(store, run);
      return { complete, nodes: nodes.map((node) => (isWithheld(server, node) ? { ...node, headline: "" } : node)) };
    },
    async explainRun({ params }) {
      return explain(await readOpen(params.id));
    },
    async compareRuns({ query }) {
      const [a, b] = [await readOpen(query.a), await readOpen(query.b)];
      const diff = await diffRuns(store, await loadPackOf(a.run.manifest), a, b);
      return { a: await makeRunItem(server, a.run), b: await makeRunItem(server, b.run), same: isSame(diff), ...diff };
    },
  };
}

/** The first recorded turn that was not asked again, else the last one: all before it can be shared. */
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
  const story = present(pack, shown, () => tellRun(pack, shown));
  return {
    run: await makeRunItem(server, run),
    manifest: run.manifest,
    result,
    headline: present(pack, shown, (finished) => headlineOf(pack, finished)),
    sections: result ? present(pack, shown, (finished) => listSections(pack, finished)) : [],
    turns: turns.map(lightenTurn),
    story,
    positions: present(pack, shown, () => listStands(pack, shown, story)),
    elapsedMs: findElapsed(entries),
    seq: entries.at(-1)?.seq ?? -1,
    withheld,
  };
}

function findElapsed(entries: readonly JournalEntry[]): number | null {
  const ends = entries.map((entry) => entry.body).filter((body) => body.kind === "end");
  return ends.length === 0 ? null : Math.max(...ends.map((end) => end.elapsedMs));
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
