import type { PassingEvent, RunItem } from "../../contract/api/index.ts";
import { ParleyError } from "../../contract/error.ts";
import type { Run } from "../../contract/run.ts";
import { listPackNames, loadPack } from "../../packs/registry.ts";
import { subjectOf } from "../../runs/show-run.ts";
import { cutText } from "../../text/format.ts";
import { RequestError } from "../http/request.ts";
import { openEventStream, writeEvent } from "../live/event-stream.ts";
import type { Server } from "../setting/server.ts";

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

/** A stored run by its id; nothing is guessed from a part of one. */
export async function requireRun({ store }: Pick<Server, "store">, id: string): Promise<Run> {
  const run = await store.get(id);
  if (run) return run;
  throw new ParleyError("unknown_run", `there is no run ${id} here`);
}

/** True while the verdict of a run is hidden: it is escalated, reviews are blind, and nobody has settled it. */
export function isWithheld({ rules }: Pick<Server, "rules">, run: Pick<Run, "outcome">): boolean {
  return rules.blind && run.outcome === "escalated";
}

export function refuseWithheld(server: Pick<Server, "rules">, run: Run): void {
  if (!isWithheld(server, run)) return;
  throw new ParleyError("bad_input", `the verdict of run ${run.id} is hidden until a reviewer has answered`);
}

export async function followRun(server: Server, id: string, lastEventId: string | undefined): Promise<Response> {
  const { tails, rules, live } = server;
  const run = await requireRun(server, id);
  const seq = readLastId(run, lastEventId);
  const isOver = run.status === "finished" && !live.has(id);
  if (isOver && seq >= run.entryCount - 1) return new Response(null, { status: 204 });
  if (tails.count() >= rules.maxFollowers)
    throw new RequestError("too_many", "too many clients are following runs; try again later", { "retry-after": "5" });
  const { body, sink } = openEventStream(() => following.leave());
  sink.send("retry: 1000\n\n");
  const following = tails.follow(id, seq, sink);
  void following.caughtUp.then(async () => {
    const now = await requireRun(server, id);
    sink.send(writeEvent(describeStatus(now, live.has(id), null)));
    if (now.status === "finished" && !live.has(id)) {
      following.leave();
      sink.end();
    }
  }, sink.end);
  return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } });
}

export function describeStatus({ status, outcome }: Run, live: boolean, message: string | null): PassingEvent {
  return { type: "status", status, outcome, live, message };
}

/** The id counts inside this run alone; one that this run never gave out is refused. */
function readLastId(run: Run, given: string | undefined): number {
  if (given === undefined || given === "") return -1;
  const seq = Number(given);
  if (/^\d{1,9}$/.test(given) && seq < run.entryCount) return seq;
  throw new ParleyError(
    "bad_input",
    `Last-Event-ID: run ${run.id} has no such event; leave the header out to start from the beginning`,
  );
}
